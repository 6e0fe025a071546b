// Flags: PREDRACE_OPTIONS as both the runtime and the engine process see them.
//
// No libstdc++: linked into user programs too. Parsed once, before threads, and
// constant afterwards.
#ifndef PREDRACE_FLAGS_H
#define PREDRACE_FLAGS_H

#include "sanitizer_common/sanitizer_flag_parser.h"

namespace __predrace {

struct Flags {
#define PREDRACE_FLAG(type, name, init, what) type name;
#include "runtime/flags.inc"
  // Every flag at its default.
  void setDefaults();
};

// The one set of PredRace's own flags; sanitizer_common's are in common_flags().
Flags* flags();

// Makes the parser know PredRace's own flags.
void RegisterFlags(__sanitizer::FlagParser* parser, Flags* flags);

// Sets both sets of flags to their defaults under PredRace (exit code 66, frames
// as ThreadSanitizer prints them), then parses `options`. Unknown keys are kept
// for sanitizer_common's ReportUnrecognizedFlags(); a bad value ends the process
// with a line that says so. `source` names the options in messages.
void ParseFlags(const char* options, const char* source);

}  // namespace __predrace

#endif  // PREDRACE_FLAGS_H
