#include "runtime/rtl/interceptors.h"

// The names of each row: the symbol that programs call, the trampoline that it is
// unless the program brings a function of that name itself, and the variable that
// REAL() reads. Their types are the business of the file with the body; here they
// are addresses.
#define PREDRACE_INTERCEPTOR(name)    \
  extern "C" void name();             \
  extern "C" void TRAMPOLINE(name)(); \
  namespace __interception {          \
  extern uptr PTR_TO_REAL(name);      \
  }
#define PREDRACE_INTERCEPTOR_VER(name, version) PREDRACE_INTERCEPTOR(name)
#include "runtime/rtl/interceptors.inc"

namespace __predrace {

namespace {

struct Row {
  const char* name;
  const char* version;  // or null
  uptr* real;
  void (*function)();
  void (*trampoline)();
};

const Row kRows[] = {
#define PREDRACE_INTERCEPTOR(name) {#name, nullptr, &REAL(name), &name, &TRAMPOLINE(name)},
#define PREDRACE_INTERCEPTOR_VER(name, version) {#name, version, &REAL(name), &name, &TRAMPOLINE(name)},
#include "runtime/rtl/interceptors.inc"
};

}  // namespace

void interceptAll() {
  for (const Row& row : kRows) {
    uptr function = reinterpret_cast<uptr>(row.function), trampoline = reinterpret_cast<uptr>(row.trampoline);
    // Not all are there: a C program has no operator new, an older glibc no
    // clock forms. Nobody calls those then.
    if (row.version) __interception::InterceptFunction(row.name, row.version, row.real, function, trampoline);
    if (!*row.real) __interception::InterceptFunction(row.name, row.real, function, trampoline);
  }
  prepareThreads();
  prepareProcess();
}

}  // namespace __predrace
