// operator new and delete.
//
// They only note who called, for the malloc or free that the real ones (libstdc++'s,
// or a library's replacement of them) will call. A replacement in the program
// itself wins over these weak symbols.
//
// Where there is no real one, libstdc++ is linked statically and these are all
// the program has: they allocate themselves.
#include "runtime/rtl/interceptors.h"

extern "C" {
void* malloc(SIZE_T size);
void* aligned_alloc(SIZE_T alignment, SIZE_T size);
void free(void* p);
// std::__throw_bad_alloc() of the libstdc++ that is linked in, if any.
SANITIZER_WEAK_ATTRIBUTE void _ZSt17__throw_bad_allocv();
}

namespace __predrace {

namespace {

// An allocation or deallocation: real() is the real operator or what stands for it.
template <class Real>
ALWAYS_INLINE auto allocateFor(uptr pc, Real real) {
  // The real ones call each other, through us: who called first counts. Not all of
  // them come to malloc or free; a deletion of null does not.
  struct Noted {
    explicit Noted(uptr pc) : first(apiPc() == 0) {
      if (first) setApiPc(pc);
    }
    ~Noted() {
      if (first) setApiPc(0);
    }
    bool first;
  } noted(pc);
  return real();
}

void* orThrow(void* p) {
  if (p) return p;
  if (&_ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
  Report("PredRace: ERROR: operator new is out of memory and the program has no way to throw\n");
  Die();
}

}  // namespace

}  // namespace __predrace

using namespace __predrace;

#define PREDRACE_NEW(name)                                                                     \
  INTERCEPTOR(void*, name, SIZE_T size) {                                                      \
    return allocateFor(GET_CALLER_PC(),                                                        \
                       [=] { return REAL(name) ? REAL(name)(size) : orThrow(malloc(size)); }); \
  }
#define PREDRACE_NEW_NOTHROW(name)                                                             \
  INTERCEPTOR(void*, name, SIZE_T size, const void* nothrow) {                                 \
    return allocateFor(GET_CALLER_PC(),                                                        \
                       [=] { return REAL(name) ? REAL(name)(size, nothrow) : malloc(size); }); \
  }
#define PREDRACE_NEW_ALIGNED(name)                                                               \
  INTERCEPTOR(void*, name, SIZE_T size, SIZE_T alignment) {                                      \
    return allocateFor(GET_CALLER_PC(), [=] {                                                    \
      return REAL(name) ? REAL(name)(size, alignment) : orThrow(aligned_alloc(alignment, size)); \
    });                                                                                          \
  }
#define PREDRACE_NEW_ALIGNED_NOTHROW(name)                                                       \
  INTERCEPTOR(void*, name, SIZE_T size, SIZE_T alignment, const void* nothrow) {                 \
    return allocateFor(GET_CALLER_PC(), [=] {                                                    \
      return REAL(name) ? REAL(name)(size, alignment, nothrow) : aligned_alloc(alignment, size); \
    });                                                                                          \
  }
PREDRACE_NEW(_Znwm)
PREDRACE_NEW(_Znam)
PREDRACE_NEW_NOTHROW(_ZnwmRKSt9nothrow_t)
PREDRACE_NEW_NOTHROW(_ZnamRKSt9nothrow_t)
PREDRACE_NEW_ALIGNED(_ZnwmSt11align_val_t)
PREDRACE_NEW_ALIGNED(_ZnamSt11align_val_t)
PREDRACE_NEW_ALIGNED_NOTHROW(_ZnwmSt11align_val_tRKSt9nothrow_t)
PREDRACE_NEW_ALIGNED_NOTHROW(_ZnamSt11align_val_tRKSt9nothrow_t)

// The parameters after the pointer are for the real operator only.
#define PREDRACE_DELETE_1(name)                                                  \
  INTERCEPTOR(void, name, void* p) {                                             \
    allocateFor(GET_CALLER_PC(), [=] { REAL(name) ? REAL(name)(p) : free(p); }); \
  }
#define PREDRACE_DELETE_2(name, type)                                               \
  INTERCEPTOR(void, name, void* p, type a) {                                        \
    allocateFor(GET_CALLER_PC(), [=] { REAL(name) ? REAL(name)(p, a) : free(p); }); \
  }
#define PREDRACE_DELETE_3(name, type, type2)                                           \
  INTERCEPTOR(void, name, void* p, type a, type2 b) {                                  \
    allocateFor(GET_CALLER_PC(), [=] { REAL(name) ? REAL(name)(p, a, b) : free(p); }); \
  }
PREDRACE_DELETE_1(_ZdlPv)
PREDRACE_DELETE_1(_ZdaPv)
PREDRACE_DELETE_2(_ZdlPvm, SIZE_T)
PREDRACE_DELETE_2(_ZdaPvm, SIZE_T)
PREDRACE_DELETE_2(_ZdlPvRKSt9nothrow_t, const void*)
PREDRACE_DELETE_2(_ZdaPvRKSt9nothrow_t, const void*)
PREDRACE_DELETE_2(_ZdlPvSt11align_val_t, SIZE_T)
PREDRACE_DELETE_2(_ZdaPvSt11align_val_t, SIZE_T)
PREDRACE_DELETE_3(_ZdlPvmSt11align_val_t, SIZE_T, SIZE_T)
PREDRACE_DELETE_3(_ZdaPvmSt11align_val_t, SIZE_T, SIZE_T)
PREDRACE_DELETE_3(_ZdlPvSt11align_val_tRKSt9nothrow_t, SIZE_T, const void*)
PREDRACE_DELETE_3(_ZdaPvSt11align_val_tRKSt9nothrow_t, SIZE_T, const void*)
