#include "test/unit/engines/traces.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "runtime/trace/std_format.h"

namespace predrace {

Written written(std::string_view text) {
  std::string lines;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    word[word.find(':')] = '|';
    lines += word + '\n';
  }
  std::istringstream in(lines);
  StdReader reader(in, "written");
  Written out;
  for (Event e; reader.next(&e);) out.events.push_back(e);
  if (!reader.error().empty()) {
    std::fprintf(stderr, "%s\n", reader.error().c_str());
    std::abort();
  }
  const TraceNames& n = reader.names();
  for (uint32_t i = 0; i < n.variables.size(); ++i) out.variables.emplace_back(n.variables.nameOf(i));
  for (uint32_t i = 0; i < n.locks.size(); ++i) out.locks.emplace_back(n.locks.nameOf(i));
  return out;
}

std::set<Pair> pairsOf(const std::vector<Race>& races) {
  std::set<Pair> out;
  for (const Race& r : races) out.emplace(r.first.index, r.second.index);
  return out;
}

std::set<uint64_t> secondsOf(const std::vector<Race>& races) {
  std::set<uint64_t> out;
  for (const Race& r : races) out.insert(r.second.index);
  return out;
}

std::vector<Race> racesOf(const std::vector<Event>& events, CpOptions options) {
  std::vector<Race> races;
  CpEngine engine(options, [&](const Race& r) { races.push_back(r); });
  for (const Event& e : events) engine.on(e);
  engine.finish();
  return races;
}

std::vector<Race> racesOf(std::string_view text, CpOptions options) {
  return racesOf(written(text).events, options);
}

RandomEvents::RandomEvents(uint64_t seed, Shape shape)
    : shape_(shape), random_(seed), taken_(shape.threads), exclusive_(shape.locks), shared_(shape.locks) {}

Event RandomEvents::next() {
  constexpr Op kExtras[] = {Op::Send, Op::Receive, Op::At, Op::AtomicRead, Op::AtomicWrite, Op::AtomicUpdate};
  for (;;) {
    uint32_t t = below(shape_.threads);
    auto& mine = taken_[t];
    auto event = [&](Op op, uint32_t target) { return Event{op, t, target, below(1000), index_++}; };
    if (chance(shape_.extras)) return event(kExtras[below(6)], below(2));
    if (chance(shape_.accesses)) return event(chance(0.4) ? Op::Read : Op::Write, below(shape_.variables));
    if (!mine.empty() && (mine.size() >= shape_.depth || chance(0.55))) {
      size_t i = shape_.nested ? mine.size() - 1 : below(static_cast<uint32_t>(mine.size()));
      Taken x = mine[i];
      mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(i));
      --(x.shared ? shared_ : exclusive_)[x.lock];
      return event(x.shared ? Op::SharedRelease : Op::Release, x.lock);
    }
    uint32_t l = below(shape_.locks);
    bool shared = chance(shape_.shared);
    if (exclusive_[l] || (!shared && shared_[l])) continue;
    if (std::ranges::any_of(mine, [&](const Taken& x) { return x.lock == l; })) continue;
    ++(shared ? shared_ : exclusive_)[l];
    mine.push_back({l, shared});
    return event(shared ? Op::SharedAcquire : Op::Acquire, l);
  }
}

}  // namespace predrace
