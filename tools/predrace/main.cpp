#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/predrace/arguments.h"
#include "tools/predrace/commands.h"

namespace {

void help() {
  std::printf(
      "usage: predrace COMMAND ...\n"
      "\n"
      "  analyze   finds the races of recorded traces\n"
      "  convert   writes a trace in another format, or for other tools\n"
      "  info      says what is in a trace\n"
      "\n"
      "predrace --help, predrace --version, predrace COMMAND --help\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    return predrace::complain("expected a command (see predrace --help)");
  }
  std::string_view command = arguments.front();
  if (command == "--help" || command == "-h" || command == "help") {
    help();
    return predrace::endOutput(predrace::kFine);
  }
  if (command == "--version") {
    std::printf("predrace %s\n", PREDRACE_VERSION);
    return predrace::endOutput(predrace::kFine);
  }
  std::span<const std::string_view> rest = std::span(arguments).subspan(1);
  if (command == "analyze") return predrace::analyze(rest);
  if (command == "convert") return predrace::convert(rest);
  if (command == "info") return predrace::info(rest);
  return predrace::complain("unknown command '" + std::string(command) + "' (see predrace --help)");
}
