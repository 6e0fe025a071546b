// The subcommands of `predrace`. Each gets the arguments after its name, and returns the
// exit code of the program; whatever is wrong with them is one line on stderr and kUsage.
#ifndef PREDRACE_TOOLS_PREDRACE_COMMANDS_H
#define PREDRACE_TOOLS_PREDRACE_COMMANDS_H

#include <span>
#include <string>
#include <string_view>

namespace predrace {

constexpr int kFine = 0, kUsage = 1, kRaces = 66;

int analyze(std::span<const std::string_view> arguments);
int convert(std::span<const std::string_view> arguments);
int info(std::span<const std::string_view> arguments);

// For their option --format. Returns what is wrong, or "".
std::string setFormat(std::string_view value, bool* json);

}  // namespace predrace

#endif  // PREDRACE_TOOLS_PREDRACE_COMMANDS_H
