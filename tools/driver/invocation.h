// Invocation: what a clang command line asks for, as far as PredRace has to know.
//
// It reads options only as deep as needed: which ones take the next argument as their value, whether anything
// is linked, and the -fsanitize= lists. Everything else passes through in its order.
#ifndef PREDRACE_TOOLS_DRIVER_INVOCATION_H
#define PREDRACE_TOOLS_DRIVER_INVOCATION_H

#include <set>
#include <string>
#include <vector>

namespace predrace {

enum class Output {
  None,         // stops before the linker, or has nothing to link
  Executable,   //
  Shared,       // a shared library: the executable brings the runtime
  Relocatable,  // -r: linked again later
};

struct Invocation {
  bool predrace = false;                 // -fsanitize=predrace is in force
  std::set<std::string> sanitizers;      // the other sanitizers in force
  Output output = Output::None;          //
  bool linkRuntime = true;               // no -fno-sanitize-link-runtime
  std::string staticOption;              // -static or -static-pie as given
  std::string targetOption;              // -m32, --target=... and the like, if not for x86-64
  bool printsVersion = false;            // --version
  std::vector<std::string> ignorelists;  // -fsanitize-ignorelist= options in force
  std::vector<std::string> arguments;    // for clang: without what is said above about predrace
};

// REQUIRES: response files are expanded.
Invocation readInvocation(const std::vector<std::string>& arguments);

// The sanitizer that cannot be used together with predrace, or "".
std::string findConflict(const Invocation& invocation);

}  // namespace predrace

#endif  // PREDRACE_TOOLS_DRIVER_INVOCATION_H
