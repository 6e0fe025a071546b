// Session: the memory that one run of a program shares with its engine process.
//
// A memfd, sparse, mapped by both; it has no name, so nothing is left behind
// however either side dies. Freestanding.
//
//   Session header | modules text | context nodes | rings ...
//
// Life: the program fills the header, starts the engine with the memfd, the
// two pipes below and nothing else; threads write rings; at its end the program
// sets phase to Finishing, rings the doorbell and waits for `finished` or for
// the engine's end of enginePipe to close. The engine sees the program die
// (however it dies, or execs) by the end of programPipe, and then finishes on
// its own: all rings up to their heads are still there.
#ifndef PREDRACE_WIRE_SESSION_H
#define PREDRACE_WIRE_SESSION_H

#include "ring.h"

namespace predrace {

constexpr uint32_t kSessionMagic = 0x50524443;  // "PRDC"
constexpr uint32_t kSessionVersion = 1;         // bump with any change in runtime/wire
constexpr uint32_t kMaxRings = 8192;            // threads alive at once
constexpr uint64_t kMaxContexts = 1ull << 26;
constexpr uint64_t kModulesBytes = 1ull << 20;
constexpr uint64_t kOptionsBytes = 1ull << 14;

// File descriptors in the engine process, in this order, right after stdio.
constexpr int kSessionFd = 3;      // the memfd
constexpr int kProgramPipeFd = 4;  // read end: end-of-file when the program is gone
constexpr int kEnginePipeFd = 5;   // write end, never written: the program sees it close

// A node of the context tree: `pc` called from (or accessed within) `parent`.
// Function frames hold the return address into their caller; a site, the leaf,
// holds the access's own pc (an address inside the instruction, i.e. return
// address - 1 has already been applied to all of them). Node 0 is the root.
struct ContextNode {
  uint64_t pc;
  uint32_t parent;
  uint32_t next;  // the runtime's hash chain; not for the engine
};
static_assert(sizeof(ContextNode) == 16);

enum class Phase : uint32_t { Running, Finishing };

struct Session {
  uint32_t magic, version;
  uint32_t pid;
  uint32_t mainThread;  // id of the thread that owns ring 0 at the start
  uint32_t forked;      // 1 in a child that fork() made: a file that the options name is its parent's

  // Written by the program.
  alignas(64) uint32_t phase;  // Phase
  uint32_t ringCount;          // rings [0, ringCount) exist
  uint32_t contextCount;       // nodes [0, contextCount) are complete
  uint32_t modulesLength;      // bytes of modules text that are complete
  // Doorbell, a futex: the engine sleeps on it; a writer adds 1 and wakes when sleeping is set.
  alignas(64) uint32_t doorbell;
  uint32_t sleeping;

  // Written by the engine.
  alignas(64) uint32_t finished;  // futex: 1 when the analysis is done and all reports are out
  uint32_t reports;               // reports printed, suppressed ones not counted
  uint32_t halt;                  // 1 when halt_on_error wants the program to stop now

  // Options as the user gave them (PREDRACE_OPTIONS after the program's own
  // defaults); both sides parse the same text with the same table.
  char options[kOptionsBytes];
  // Where to look first for llvm-symbolizer; may be empty.
  char symbolizer[4096];
  // The program's own path, for messages.
  char program[4096];
};

constexpr uint64_t pageUp(uint64_t n) { return (n + 4095) & ~4095ull; }
constexpr uint64_t kModulesOffset = pageUp(sizeof(Session));
constexpr uint64_t kContextsOffset = kModulesOffset + pageUp(kModulesBytes);
constexpr uint64_t kRingsOffset = kContextsOffset + pageUp(kMaxContexts * sizeof(ContextNode));
constexpr uint64_t kRingStride = pageUp(sizeof(Ring));
constexpr uint64_t kSessionBytes = kRingsOffset + kMaxRings * kRingStride;

// Modules text: a line for each loaded segment, append-only (dlopen appends):
//   begin end load-base executable(0|1) path\n      numbers in hexadecimal
inline char* modulesOf(Session* s) { return reinterpret_cast<char*>(s) + kModulesOffset; }
inline ContextNode* contextsOf(Session* s) {
  return reinterpret_cast<ContextNode*>(reinterpret_cast<char*>(s) + kContextsOffset);
}
inline Ring* ringOf(Session* s, uint32_t i) {
  return reinterpret_cast<Ring*>(reinterpret_cast<char*>(s) + kRingsOffset + i * kRingStride);
}

}  // namespace predrace

#endif  // PREDRACE_WIRE_SESSION_H
