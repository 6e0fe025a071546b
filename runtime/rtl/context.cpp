// Call contexts: the tree of (parent, pc) nodes that lets an event carry its whole
// call stack in 32 bits.
//
// Function entries only push a Frame; nodes are interned when an event needs one,
// at most once for each frame. The nodes live in the session's shared memory, the
// hash table over them in the runtime's own.
//
// Thread safety: lock-free. Two threads that intern the same (parent, pc) at once
// may make two nodes of it; nothing depends on there being one.
#include <unwind.h>

#include "runtime/rtl/rtl.h"

namespace __predrace {

using predrace::ContextNode;

constexpr u32 kBuckets = 1u << 20;
static atomic_uint32_t buckets[kBuckets];  // the newest node of each chain, 0 if none

static u32 bucketOf(u32 parent, u64 pc) {
  u64 h = (pc ^ static_cast<u64>(parent) << 32) * 0x9E3779B97F4A7C15ull;
  return static_cast<u32>(h >> 44);
}
static_assert(kBuckets == 1u << (64 - 44));

static u32 intern(u32 parent, u64 pc) {
  ContextNode* nodes = predrace::contextsOf(session);
  atomic_uint32_t* bucket = &buckets[bucketOf(parent, pc)];
  u32 first = atomic_load(bucket, memory_order_acquire);
  for (u32 n = first; n; n = nodes[n].next)
    if (nodes[n].pc == pc && nodes[n].parent == parent) return n;
  u32 made = __atomic_fetch_add(&session->contextCount, 1, __ATOMIC_RELAXED);
  if (UNLIKELY(made >= predrace::kMaxContexts)) {
    __atomic_store_n(&session->contextCount, static_cast<u32>(predrace::kMaxContexts), __ATOMIC_RELAXED);
    return parent;  // full: the stack ends here
  }
  nodes[made] = {pc, parent, first};
  while (!atomic_compare_exchange_weak(bucket, &first, made, memory_order_acq_rel)) nodes[made].next = first;
  return made;
}

// The context of the innermost frame: the nearest frame that has one, and nodes
// for those above it.
static NOINLINE u32 internFrames(Frame* begin, Frame* top) {
  Frame* known = top;
  while (known > begin && known[-1].context == 0) --known;
  u32 context = known > begin ? static_cast<u32>(known[-1].context) : 0;
  for (Frame* f = known; f < top; ++f) f->context = context = intern(context, f->pc);
  return context;
}

static NOINLINE Site internSite(SiteCacheEntry* entry, u32 context, u64 pc) {
  Site site = intern(context, pc);
  *entry = {pc, context, site};
  return site;
}

Site siteOf(ThreadState* t, uptr pc) {
  Frame* top = __predrace_thread.top;
  u32 context = 0;
  if (LIKELY(top > t->frames)) {
    context = static_cast<u32>(top[-1].context);
    if (UNLIKELY(context == 0)) context = internFrames(t->frames, top);
  }
  pc -= 1;  // from the return address into the call
  SiteCacheEntry* entry = &t->sites[(pc ^ pc >> 10 ^ context * 0x9E3779B1u >> 8) % kSiteCacheSize];
  if (LIKELY(entry->pc == pc && entry->context == context)) return entry->site;
  return internSite(entry, context, pc);
}

namespace {

struct Unwound {
  static constexpr u32 kMaxDepth = 256;
  u64 pcs[kMaxDepth];
  u32 depth = 0;
};

_Unwind_Reason_Code addFrame(_Unwind_Context* context, void* arg) {
  auto* stack = static_cast<Unwound*>(arg);
  uptr pc = _Unwind_GetIP(context);
  if (pc == 0 || stack->depth == Unwound::kMaxDepth) return _URC_NORMAL_STOP;
  stack->pcs[stack->depth++] = pc - 1;
  return _URC_NO_REASON;
}

}  // namespace

Site unwoundSite(uptr pc) {
  Unwound stack;
  _Unwind_Backtrace(addFrame, &stack);
  u32 begin = 0;  // our own frames end where the interceptor's caller begins
  while (begin < stack.depth && stack.pcs[begin] != pc - 1) ++begin;
  if (begin == stack.depth) return 0;
  u32 context = 0;
  for (u32 i = stack.depth; i-- > begin;) context = intern(context, stack.pcs[i]);
  return context;
}

}  // namespace __predrace
