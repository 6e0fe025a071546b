// Engine: events in, races out. Pure: no I/O, no OS, no clocks, no globals.
//
// Not thread-safe; one engine belongs to one thread. An engine may hold a race
// back until later events decide it, at the latest until finish().
#ifndef PREDRACE_ENGINES_ENGINE_H
#define PREDRACE_ENGINES_ENGINE_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runtime/engines/race.h"

namespace predrace {

class Engine {
 public:
  virtual ~Engine() = default;

  // REQUIRES: e.index grows; a lock is held by at most one exclusive owner (the
  // maker of events has marked re-entrant ones Inner and refused bad ones).
  virtual void on(const Event& e) = 0;
  // The same for several events in their order: engines whose state is larger than the
  // caches override it to fetch ahead.
  virtual void run(std::span<const Event> events) {
    for (const Event& e : events) on(e);
  }
  // This event will come soon (8 to 32 events ahead): lets the processor fetch what it
  // needs meanwhile. Never required, no meaning.
  virtual void expect(const Event&) {}
  // No more events. Decides what is still open.
  virtual void finish() = 0;
  // One line of what the engine has counted, for people; may be empty.
  virtual std::string notes() const { return {}; }

  // What the maker of events knows about numbers. None of these is an event.
  // `to` (fresh) starts with the whole history of `from`: a variable of several
  // bytes turned out to be two.
  virtual void splitVariable(uint32_t from, uint32_t to) = 0;
  // The number's history is over; it may come back as something new.
  virtual void forgetVariable(uint32_t variable) = 0;
  virtual void forgetChannel(uint32_t channel) = 0;
  virtual void forgetLock(uint32_t lock) = 0;
  virtual void forgetObject(uint32_t object) = 0;

  // Bytes in use, and what to do when that is too much: forget the oldest
  // history in the direction that only adds order. Returns the events folded away.
  virtual size_t memoryBytes() const = 0;
  virtual uint64_t fold(size_t targetBytes) = 0;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_ENGINE_H
