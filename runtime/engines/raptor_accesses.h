// Accesses: Raptor at reads and writes, and which pairs race: Algorithms 1, 2, 6, 8 and 9.
//
// Plain writes divide the accesses of a variable into generations: x^i and all accesses until
// x^(i+1). Of a generation there is an owner for the write x^i and for the latest plain read
// (x_T^i), atomic write and atomic read of each thread. An access by T is checked against the
// owners of its generation that it conflicts with, a write x^(i+1) against those of x^i's. The
// element xi_T stands for T at the first access that is checked against the owner: what later
// ones race with, that one races with too. The paper's xi is xi_T of the writer.
//
// Without an x^0, as in Algorithm 1, nothing is checked against it.
//
// Where the published algorithms are not followed:
// - Algorithm 8, lines 9-20, mark xi_T at every read, and so replace the verdict about a first
//   read by that about a later one, which may be ordered where the first is not. Marked once.
// - Algorithm 8, lines 23-26, reset x_T^i. Here another owner takes its place, and it stays until
//   its marks are decided. Starred sections: raptor_starred.h.
// - Algorithm 9 is not in the text we have; section 9 tells what it does.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_RAPTOR_ACCESSES_H
#define PREDRACE_ENGINES_RAPTOR_ACCESSES_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/engines/race.h"
#include "runtime/engines/raptor_locks.h"
#include "runtime/engines/raptor_owners.h"
#include "runtime/engines/raptor_starred.h"

namespace predrace::raptor {

class Accesses {
 public:
  Accesses(Owners& owners, Locks& locks, RaceSink sink);

  void access(const Event& e);
  // Rule (a) alone: like an access that cannot race.
  void at(uint32_t thread, uint32_t object);
  // Algorithm 6 for all that waits. After every release: nothing else decides a mark.
  void decideAll();

  void splitVariable(uint32_t from, uint32_t to);
  void forgetVariable(uint32_t variable);
  void forgetObject(uint32_t object) { objects_.erase(object); }
  void copyLock(uint32_t from, uint32_t to);
  void forgetLock(uint32_t plain);
  // Forgets all accesses, and the checks that wait; returns how many accesses.
  uint64_t fold();
  size_t memoryBytes() const;

 private:
  // Does the access of the mark race with that of its owner?
  struct Check {
    Owners::Access first;
    RacingAccess second;
  };
  struct Variable {
    explicit Variable(uint32_t n) : number(n) {}

    uint32_t number;
    Starred starred;
    std::vector<Owners::Access> generation;
    std::deque<Check> checks;  // undecided, or behind such a one
    bool waiting = false;      // in waiting_
    bool raced = false;
  };
  using VariableRef = std::shared_ptr<Variable>;  // waiting_ may outlast its number

  VariableRef& variableOf(uint32_t number);
  void ruleA(Starred& starred, uint32_t thread, cp::Kind kind);
  void check(Variable& v, Owners::Access first, const RacingAccess& second);
  void supersede(Variable& v, uint32_t thread, cp::Kind kind);
  void decide(Variable& v);
  void report(Variable& v, const RacingAccess& first, const RacingAccess& second, bool unordered);

  Owners& owners_;
  Locks& locks_;
  RaceSink sink_;
  absl::flat_hash_map<uint32_t, VariableRef> variables_;
  absl::flat_hash_map<uint32_t, Starred> objects_;
  std::vector<VariableRef> waiting_;
};

}  // namespace predrace::raptor

#endif  // PREDRACE_ENGINES_RAPTOR_ACCESSES_H
