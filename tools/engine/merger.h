// Merger: many rings in, one stream out, in an order that respects every ring
// and every ticket.
//
// Not thread-safe; the writers of the rings may run meanwhile. Pure apart from
// the rings: sleeping and waking is the caller's business.
//
// Invariants
//  (1) A ring is in exactly one state: Open (may have records at its head),
//      Ready (was blocked, its turn has come, sits in ready_), or Blocked (its
//      head record waits for its object's turn, sits in that object's list).
//      Only Open rings are looked at in turn, so a blocked ring costs nothing
//      until the record it waits for comes by.
//  (2) next_[o] is the ticket that object o is waiting for. Its first is 0; an id
//      that comes back after Retire goes on counting.
//  (3) A stream of records of one ring is taken in one go, up to kBatch slots,
//      before another ring gets its turn: the engine's data about one thread
//      then stays in the cache.
#ifndef PREDRACE_TOOLS_ENGINE_MERGER_H
#define PREDRACE_TOOLS_ENGINE_MERGER_H

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/wire/ring.h"

namespace predrace {

class Merger {
 public:
  // wake(ring): the ring's writer sleeps on tailWake and there is room again.
  explicit Merger(std::function<void(Ring*)> wake) : wake_(std::move(wake)) {}

  // `thread` writes into the ring until a Begin record says otherwise.
  void addRing(Ring* ring, uint32_t thread);
  size_t rings() const { return inputs_.size(); }

  // Hands records to take(thread, slot, more) -> bool until no ring has one whose
  // turn it is, take says false, or about `budget` slots are done. Returns the
  // number of slots taken. ahead(thread, near, far) tells the slots kNear and kFar
  // behind an access, for the processor to fetch what they need meanwhile; they may
  // be no records but the second halves of some.
  template <class Take, class Ahead>
  uint64_t run(uint64_t budget, Take&& take, Ahead&& ahead);

  // From now on only what is in the rings at this moment counts, whatever
  // their writers still add.
  void freeze();
  // After freeze() and a run() that found nothing: whoever is blocked waits for a
  // ticket that somebody took and, dying or stopped, never told. For the memory object
  // that is no harm, its tickets are not synchronisation: lets the record that
  // misses fewest go on. What waits for any other object stays where it is, with
  // all behind it: taking it would lose order and so invent races; leaving it cuts
  // the run at an earlier moment, consistently. False: nothing can go on.
  bool skipGap();
  // Slots that stay behind such gaps.
  uint64_t cutOff() const;

  // Throws away all that is in the rings, so that no writer waits for ever.
  void discard();
  // Whether a writer waits for room in a ring that is blocked.
  bool holdsUpAWriter() const;

  // A slot that is no record was found; everything behind it in its ring is lost.
  bool corrupt() const { return corrupt_; }

 private:
  static constexpr uint64_t kBatch = 1 << 14;
  static constexpr unsigned kNear = 12, kFar = 24;
  static constexpr uint64_t kGiveBack = kRingSlots / 16;
  static constexpr uint32_t kNobody = ~0u;

  enum class State : uint8_t { Open, Ready, Blocked };
  struct Input {
    explicit Input(Ring* ring, uint32_t t) : reader(ring), given(reader.tail()), thread(t) {}
    RingReader reader;
    uint64_t given;  // tail as the writer knows it
    uint32_t thread;
    uint32_t nextWaiter = kNobody;
    State state = State::Open;
  };

  bool isTurn(uint32_t object, uint32_t ticket) {
    if (object >= next_.size()) grow(object);
    return next_[object] == ticket;
  }
  void advance(uint32_t object, uint32_t ticket);
  void block(uint32_t ring, uint32_t object);
  void wakeWaiters(uint32_t object);
  void grow(uint32_t object);
  uint32_t pick();
  void giveBack(Input& in);

  std::function<void(Ring*)> wake_;
  std::vector<Input> inputs_;
  std::vector<uint32_t> ready_;
  std::vector<uint32_t> next_;     // by object
  std::vector<uint32_t> waiters_;  // by object: first of a list through Input::nextWaiter
  uint32_t cursor_ = 0;
  bool frozen_ = false;
  bool corrupt_ = false;
};

template <class Take, class Ahead>
uint64_t Merger::run(uint64_t budget, Take&& take, Ahead&& ahead) {
  uint64_t done = 0;
  while (done < budget) {
    uint32_t which = pick();
    if (which == kNobody) break;
    Input& in = inputs_[which];
    RingReader& reader = in.reader;
    uint64_t start = reader.tail();
    bool goOn = true;
    while (true) {
      if (reader.empty() && (frozen_ || reader.refresh() == 0)) break;
      const Slot& s = reader.peek();
      RecordKind kind = kindOf(s);
      if (kind >= RecordKind::Read && kind <= RecordKind::Update) {  // the hot case
        if (reader.head() - reader.tail() > kFar) ahead(in.thread, reader.peek(kNear), reader.peek(kFar));
        goOn = take(in.thread, s, s);
        reader.pop(1);
      } else {
        if (kind == RecordKind::None || kind >= RecordKind::Count) {
          corrupt_ = true;
          goOn = false;
          break;
        }
        uint32_t object = objectOf(s), ticket = ticketOf(s);
        if (object != 0 && !isTurn(object, ticket)) {
          block(which, object);
          break;
        }
        if (kind == RecordKind::Begin) in.thread = argOf(s);
        unsigned slots = slotsOf(kind);
        goOn = take(in.thread, s, slots == 2 ? reader.peek(1) : s);
        reader.pop(slots);
        if (object != 0) advance(object, ticket);
      }
      if (!goOn || reader.tail() - start >= kBatch) break;
      if (reader.tail() - in.given >= kGiveBack) giveBack(in);
    }
    done += reader.tail() - start;
    if (reader.tail() != in.given) giveBack(in);
    if (!goOn) break;
  }
  return done;
}

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_MERGER_H
