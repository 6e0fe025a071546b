// The runtime's core, as its interceptors see it.
//
// How an interceptor is written: make a `Call` first. If it does not `tell()`,
// just run the real function. Otherwise run it, and tell what happened at the
// moment record.h's invariant (2) asks for:
//
//   INTERCEPTOR(int, pthread_mutex_unlock, void* m) {
//     Call call(GET_CALLER_PC());
//     if (call.tells()) call.sync(RecordKind::Release, objectAt(m, ObjectKind::Mutex, call));
//     return REAL(pthread_mutex_unlock)(m);
//   }
#ifndef PREDRACE_RTL_RTL_H
#define PREDRACE_RTL_RTL_H

#include "runtime/rtl/sync_object.h"
#include "runtime/rtl/thread_state.h"

namespace __predrace {

// ---- the run -------------------------------------------------------------------------

// Off: not started yet, or given up (the reason was printed): nothing is told.
// Alone: one thread; its accesses cannot race and are not told.
// Running: the engine process is there and everything is told.
enum class RunState : u32 { Off, Alone, Running };
extern atomic_uint32_t runState;
ALWAYS_INLINE RunState state() { return static_cast<RunState>(atomic_load(&runState, memory_order_relaxed)); }
extern predrace::Session* session;
// flags()->filter, where the access path can see it.
extern bool filterAccesses;

// Sets everything up, once; called from .preinit_array and, should an
// interceptor come first, from there.
void initialise();
extern bool initialised;
// Before the first thread is created: the engine process must run. May give up
// (prints one line, state Off): the program then runs unchecked.
void startEngine();
// Tells the engine that this is the end and waits for its verdict. Returns the
// exit code the process should have: `status`, or flags()->exitcode if anything was reported.
int finalise(int status);
// One line to stderr, and nothing is told any more.
void giveUp(const char* format, ...) FORMAT(1, 2);
// In the child of a fork(): the session starts anew, alone, with its own engine if
// it ever needs one.
void afterForkChild();
// Tells the engine about modules loaded since the last time (dlopen).
void tellModules();

// ---- telling -------------------------------------------------------------------------

// The site of pc in the thread's current call context.
Site siteOf(ThreadState* t, uptr pc);
// The same, by unwinding the machine's stack: for rare events whose pc is in code that
// was not instrumented (libstdc++ creates threads), where frames are missing.
// Microseconds. 0 if pc is not found on the stack.
Site unwoundSite(uptr pc);
// Waits until the ring has room for n slots. False: the engine is gone, drop the record.
bool waitForRoom(ThreadState* t, unsigned n);
// Whether pc belongs to a module that was instrumented. Accesses, frees and
// the like of other code are not judged: it may synchronise in ways we do not see.
bool isInstrumented(uptr pc);

// Tells one record. REQUIRES: t->busy.
void tellAccess(ThreadState* t, RecordKind kind, uptr address, u32 length, u8 element, uptr pc);
void tellSync(ThreadState* t, RecordKind kind, SyncObject* object, uptr pc, u32 arg);
void tellSyncAt(ThreadState* t, RecordKind kind, SyncObject* object, Site site, u32 arg);
void tellRange(ThreadState* t, RecordKind kind, SyncObject* object, uptr pc, u32 arg, uptr address,
               uptr size);
// A plain access of any size by code at pc, through shadow, filter and ring.
void accessRange(ThreadState* t, bool write, uptr address, uptr size, uptr pc);
// Memory with a new life, or given back (kinds Alloc and Free); takes the memory's ticket.
void tellMemory(ThreadState* t, RecordKind kind, u32 arg, uptr address, uptr size, uptr pc);

// An interceptor's stay in the runtime. Marks the thread busy, so that what the
// real function calls back into us (malloc inside pthread_create) stays silent
// only where the interceptor wants so: leave() before such a call, or let the
// scope end first.
class Call {
 public:
  // pc: the program's call of the interceptor (return address).
  explicit Call(uptr pc) : pc_(pc) {
    ThreadState* t = self();
    if (LIKELY(t && !t->busy && state() != RunState::Off)) {
      t->busy = 1;
      atomic_signal_fence(memory_order_seq_cst);
      t_ = t;
    }
  }
  ~Call() { leave(); }
  Call(const Call&) = delete;

  bool tells() const { return t_ != nullptr; }
  // Out of the runtime for a while (a blocking real function); enter() comes back.
  void leave() {
    if (!t_) return;
    atomic_signal_fence(memory_order_seq_cst);
    t_->busy = 0;
    left_ = t_;
    t_ = nullptr;
  }
  void enter() {
    if (!left_ || left_->busy || state() == RunState::Off) return;
    t_ = left_;
    t_->busy = 1;
    left_ = nullptr;
    atomic_signal_fence(memory_order_seq_cst);
  }
  ThreadState* thread() const { return t_; }
  uptr pc() const { return pc_; }
  void setPc(uptr pc) { pc_ = pc; }

  // A synchronisation operation: takes the object's next ticket, tells, and
  // starts the thread's next segment. In state Alone only what later threads
  // need is told (see tellSync).
  void sync(RecordKind kind, SyncObject* object, u32 arg = 0) {
    tellSync(t_, kind, object, pc_, arg);
    nextSegment(t_);
  }
  // A plain access by the caller, if the caller is instrumented code.
  void read(const void* p, uptr n) { access(false, p, n); }
  void write(const void* p, uptr n) { access(true, p, n); }

 private:
  void access(bool write, const void* p, uptr n) {
    if (t_ && n && state() == RunState::Running && isInstrumented(pc_))
      accessRange(t_, write, reinterpret_cast<uptr>(p), n, pc_);
  }
  ThreadState* t_ = nullptr;
  ThreadState* left_ = nullptr;
  uptr pc_;
};

}  // namespace __predrace

#endif  // PREDRACE_RTL_RTL_H
