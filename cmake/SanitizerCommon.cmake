# sanitizer_common and interception, built from compiler-rt's own sources.
#
# Target `sanitizer_common`: objects for code that runs inside the user's program
# and inside the engine process alike (no libstdc++, position independent, hidden).
#
# The sources: -DPREDRACE_COMPILER_RT_DIR, else the environment variable of that name, else Debian's source
# package by way of fetch-compiler-rt.sh (downloaded once, cached outside of the tree). What was fetched is asked
# for at each configure and not kept in CMakeCache.txt, so that a cleaned cache heals itself.
set(PREDRACE_COMPILER_RT_DIR "" CACHE PATH
  "The compiler-rt directory of LLVM 19's sources (default: taken from Debian's source package)")
if(NOT PREDRACE_COMPILER_RT_DIR)
  set(PREDRACE_COMPILER_RT_DIR $ENV{PREDRACE_COMPILER_RT_DIR})
endif()
if(NOT PREDRACE_COMPILER_RT_DIR)
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/fetch-compiler-rt.sh
    OUTPUT_VARIABLE PREDRACE_COMPILER_RT_DIR OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE fetch_failed)
  if(fetch_failed)
    message(FATAL_ERROR "no compiler-rt sources (see above)")
  endif()
endif()
if(NOT EXISTS ${PREDRACE_COMPILER_RT_DIR}/lib/sanitizer_common/sanitizer_common.h)
  message(FATAL_ERROR "${PREDRACE_COMPILER_RT_DIR} has no lib/sanitizer_common: expected the compiler-rt directory of LLVM 19's sources")
endif()

file(GLOB sanitizer_sources CONFIGURE_DEPENDS
  ${PREDRACE_COMPILER_RT_DIR}/lib/sanitizer_common/sanitizer_*.cpp
  ${PREDRACE_COMPILER_RT_DIR}/lib/sanitizer_common/sancov_flags.cpp
  ${PREDRACE_COMPILER_RT_DIR}/lib/interception/interception_linux.cpp)
list(FILTER sanitizer_sources EXCLUDE REGEX
  "_(win|mac|fuchsia|netbsd|freebsd|solaris|bsd|s390|sparc)[._]|_win_|_nolibc|_dll_thunk|_runtime_thunk")

add_library(sanitizer_common OBJECT ${sanitizer_sources})
target_include_directories(sanitizer_common SYSTEM PUBLIC
  ${PREDRACE_COMPILER_RT_DIR}/lib ${PREDRACE_COMPILER_RT_DIR}/include)
target_compile_options(sanitizer_common PRIVATE
  -O2 -g1 -fPIC -fno-exceptions -fno-rtti -fno-builtin -fvisibility=hidden -fno-stack-protector
  -fomit-frame-pointer -ffunction-sections -w)
target_compile_definitions(sanitizer_common PUBLIC SANITIZER_COMMON_NO_REDEFINE_BUILTINS)
set_target_properties(sanitizer_common PROPERTIES CXX_STANDARD 17)
