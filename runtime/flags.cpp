#include "runtime/flags.h"

#include "sanitizer_common/sanitizer_flags.h"

namespace __predrace {

using namespace __sanitizer;

void Flags::setDefaults() {
#define PREDRACE_FLAG(type, name, init, what) name = init;
#include "runtime/flags.inc"
}

static Flags theFlags;

Flags* flags() { return &theFlags; }

void RegisterFlags(FlagParser* parser, Flags* f) {
#define PREDRACE_FLAG(type, name, init, what) RegisterFlag(parser, #name, what, &f->name);
#include "runtime/flags.inc"
}

void ParseFlags(const char* options, const char* source) {
  SetCommonFlagsDefaults();
  CommonFlags common;
  common.CopyFrom(*common_flags());
  common.exitcode = 66;
  common.stack_trace_format = "    #%n %f %S %M";
  OverrideCommonFlags(common);
  theFlags.setDefaults();

  FlagParser parser;
  RegisterFlags(&parser, &theFlags);
  RegisterCommonFlags(&parser);
  parser.ParseString(options, source);
  SetVerbosity(common_flags()->verbosity);
}

}  // namespace __predrace
