// Memory: the malloc family and mappings.
//
// The allocator is glibc's own, under the names it has for replacements like
// ours, so that these functions work from the first instruction of the process
// on, also for the dynamic linker and inside dlsym.
//
// A block's Alloc is told after the allocator gave it out, its Free before the
// allocator gets it back: the stripe's tickets follow the block through its
// owners. Free is an access by whoever frees, if that is instrumented code.
//
// A new block has no history, but its shadow words have: the thread may have
// touched the same addresses in this very segment, in an earlier block. They are
// reset, or, when there are many of them, the thread starts a new segment, which
// all of them miss.
#include <errno.h>
#include <linux/mman.h>  // not sys/mman.h, which declares what we define
#include <stdarg.h>

#include "runtime/rtl/interceptors.h"
#include "runtime/rtl/shadow.h"

extern "C" {
void* __libc_malloc(SIZE_T size);
void* __libc_calloc(SIZE_T count, SIZE_T size);
void* __libc_realloc(void* p, SIZE_T size);
void* __libc_memalign(SIZE_T alignment, SIZE_T size);
void __libc_free(void* p);
SIZE_T malloc_usable_size(void* p);
}

namespace __predrace {

namespace {

using predrace::MemoryKind;

// Up to so many bytes of memory, hence of shadow, are cheaper to write than a new
// segment is: that tells again what the thread goes on to access.
constexpr uptr kResetBytes = 512;

void resetShadow(ThreadState* t, uptr p, uptr size) {
  if (state() != RunState::Running) return;
  if (size > kResetBytes) return nextSegment(t);
  // "This thread, this segment, no bytes": with 0, the read filter could still
  // take a read of the old block for one of the new.
  u64 nothing = __predrace_thread.segment & ~0xFFFFull;
  for (uptr granule = p & ~7ull; granule < p + size; granule += 8)
    __atomic_store_n(shadowOf(granule), nothing, __ATOMIC_RELAXED);
}

// Where the program called: operator new and the like say so before they call us.
void takeApiPc(Call& call) {
  ThreadState* t = call.thread();
  if (t->apiPc) call.setPc(t->apiPc);
  t->apiPc = 0;
}

void tellAllocated(Call& call, void* p, uptr size) {
  uptr address = reinterpret_cast<uptr>(p);
  resetShadow(call.thread(), address, size);
  u32 slack = Min<uptr>(malloc_usable_size(p) - size, predrace::kMaxSlack);
  tellMemory(call.thread(), RecordKind::Alloc,
             static_cast<u32>(MemoryKind::Heap) | slack << predrace::kSlackShift, address, size, call.pc());
}

void tellFreed(Call& call, void* p) {
  uptr address = reinterpret_cast<uptr>(p), size = malloc_usable_size(p);
  retireObjectsIn(address, size, call);
  u32 silent = isInstrumented(call.pc()) ? 0 : predrace::kFreeIsSilent;
  tellMemory(call.thread(), RecordKind::Free, static_cast<u32>(MemoryKind::Heap) | silent, address, size,
             call.pc());
}

ALWAYS_INLINE void* allocated(void* p, uptr size, uptr pc) {
  Call call(pc);
  if (call.tells()) {
    takeApiPc(call);
    if (LIKELY(p)) tellAllocated(call, p, size);
  }
  return p;
}

ALWAYS_INLINE void beforeFree(void* p, uptr pc) {
  Call call(pc);
  if (!call.tells()) return;
  takeApiPc(call);
  tellFreed(call, p);
}

// The old block is free and another one, perhaps at its place, is allocated. A
// reallocation that fails leaves the old one alive: it begins anew, which only
// loses history.
void* reallocate(void* old, uptr size, uptr pc) {
  uptr oldSize = old ? malloc_usable_size(old) : 0;
  if (old) beforeFree(old, pc);
  void* p = __libc_realloc(old, size);
  if (!p && old && size != 0) {
    allocated(old, oldSize, pc);
  } else {
    allocated(p, size, pc);
  }
  return p;
}

bool productOverflows(uptr a, uptr b, uptr* product) { return __builtin_mul_overflow(a, b, product); }

void tellMapping(RecordKind kind, u32 flags, void* p, uptr size, uptr pc) {
  if (state() != RunState::Running) return;
  Call call(pc);
  if (!call.tells()) return;
  uptr address = reinterpret_cast<uptr>(p);
  size = RoundUpTo(size, GetPageSizeCached());
  if (kind == RecordKind::Free) retireObjectsIn(address, size, call);
  if (kind == RecordKind::Free && !isInstrumented(pc)) flags |= predrace::kFreeIsSilent;
  nextSegment(call.thread());
  tellMemory(call.thread(), kind, static_cast<u32>(MemoryKind::Mapping) | flags, address, size, pc);
}

void* mapped(void* p, uptr size, uptr pc) {
  if (reinterpret_cast<sptr>(p) != -1) tellMapping(RecordKind::Alloc, 0, p, size, pc);
  return p;
}

}  // namespace

}  // namespace __predrace

using namespace __predrace;

// Like INTERCEPTOR, for functions that call no real one.
#define PREDRACE_REPLACEMENT(type, name, ...) \
  DECLARE_WRAPPER(type, name, __VA_ARGS__)    \
  extern "C" INTERCEPTOR_ATTRIBUTE type WRAP(name)(__VA_ARGS__)

PREDRACE_REPLACEMENT(void*, malloc, SIZE_T size) {
  return allocated(__libc_malloc(size), size, GET_CALLER_PC());
}

PREDRACE_REPLACEMENT(void*, calloc, SIZE_T count, SIZE_T size) {
  return allocated(__libc_calloc(count, size), count * size, GET_CALLER_PC());
}

PREDRACE_REPLACEMENT(void*, realloc, void* p, SIZE_T size) { return reallocate(p, size, GET_CALLER_PC()); }

PREDRACE_REPLACEMENT(void*, reallocarray, void* p, SIZE_T count, SIZE_T size) {
  uptr bytes;
  if (productOverflows(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(p, bytes, GET_CALLER_PC());
}

PREDRACE_REPLACEMENT(void, free, void* p) {
  if (!p) return;
  beforeFree(p, GET_CALLER_PC());
  __libc_free(p);
}

PREDRACE_REPLACEMENT(void*, memalign, SIZE_T alignment, SIZE_T size) {
  return allocated(__libc_memalign(alignment, size), size, GET_CALLER_PC());
}

PREDRACE_REPLACEMENT(void*, aligned_alloc, SIZE_T alignment, SIZE_T size) {
  return allocated(__libc_memalign(alignment, size), size, GET_CALLER_PC());
}

PREDRACE_REPLACEMENT(int, posix_memalign, void** result, SIZE_T alignment, SIZE_T size) {
  if (alignment % sizeof(void*) != 0 || !IsPowerOfTwo(alignment)) return EINVAL;
  int saved = errno;
  void* p = allocated(__libc_memalign(alignment, size), size, GET_CALLER_PC());
  errno = saved;
  if (!p) return ENOMEM;
  *result = p;
  return 0;
}

PREDRACE_REPLACEMENT(void*, valloc, SIZE_T size) {
  return allocated(__libc_memalign(GetPageSizeCached(), size), size, GET_CALLER_PC());
}

PREDRACE_REPLACEMENT(void*, pvalloc, SIZE_T size) {
  uptr page = GetPageSizeCached();
  if (size > ~0ull - page) {
    errno = ENOMEM;
    return nullptr;
  }
  size = RoundUpTo(size, page);
  return allocated(__libc_memalign(page, size), size, GET_CALLER_PC());
}

INTERCEPTOR(void*, mmap, void* p, SIZE_T size, int protection, int flags, int fd, OFF_T offset) {
  return mapped(REAL(mmap)(p, size, protection, flags, fd, offset), size, GET_CALLER_PC());
}

INTERCEPTOR(void*, mmap64, void* p, SIZE_T size, int protection, int flags, int fd, OFF64_T offset) {
  return mapped(REAL(mmap64)(p, size, protection, flags, fd, offset), size, GET_CALLER_PC());
}

INTERCEPTOR(int, munmap, void* p, SIZE_T size) {
  tellMapping(RecordKind::Free, 0, p, size, GET_CALLER_PC());
  return REAL(munmap)(p, size);
}

// In place or elsewhere, the memory begins anew; that it has moved with what was
// known of it is not worth the trouble.
INTERCEPTOR(void*, mremap, void* p, SIZE_T size, SIZE_T newSize, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  void* target = flags & MREMAP_FIXED ? va_arg(arguments, void*) : nullptr;
  va_end(arguments);
  if (size) tellMapping(RecordKind::Free, predrace::kFreeIsSilent, p, size, GET_CALLER_PC());
  return mapped(REAL(mremap)(p, size, newSize, flags, target), newSize, GET_CALLER_PC());
}
