#include <cstdio>
#include <string_view>
#include <vector>

#include "tools/predrace/commands.h"

namespace {

void help() {
  std::printf(
      "usage: predrace COMMAND ...\n"
      "\n"
      "  analyze   finds the races of recorded traces\n"
      "\n"
      "predrace --help, predrace --version, predrace COMMAND --help\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    std::fprintf(stderr, "predrace: expected a command (see predrace --help)\n");
    return predrace::kUsage;
  }
  std::string_view command = arguments.front();
  if (command == "--help" || command == "-h" || command == "help") {
    help();
    return predrace::kFine;
  }
  if (command == "--version") {
    std::printf("predrace %s\n", PREDRACE_VERSION);
    return predrace::kFine;
  }
  if (command == "analyze") return predrace::analyze(std::span(arguments).subspan(1));
  std::fprintf(stderr, "predrace: unknown command '%.*s' (see predrace --help)\n",
               static_cast<int>(command.size()), command.data());
  return predrace::kUsage;
}
