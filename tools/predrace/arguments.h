// Arguments of a subcommand: options (`--name=value`, `--name value`, `--name`) and operands, from
// one table, which is also its --help.
#ifndef PREDRACE_TOOLS_PREDRACE_ARGUMENTS_H
#define PREDRACE_TOOLS_PREDRACE_ARGUMENTS_H

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace predrace {

struct Option {
  std::string_view name;   // with its dashes
  std::string_view value;  // what its value is called in the help; empty: it takes none
  std::string_view help;
  // Takes the value. Returns what is wrong with it, or "".
  std::function<std::string(std::string_view)> set;
};

struct Command {
  std::string_view usage;  // after `predrace `
  std::string_view about;
  std::vector<Option> options;
  size_t fewest, most;        // operands
  std::string_view expected;  // which operands, for the message if there are not so many
  std::string epilogue;       // the end of the help
};

// Fills *operands. Returns an exit code if there is nothing more to do: --help was asked for, or something
// is wrong, and has been said.
std::optional<int> parseArguments(const Command& command, std::span<const std::string_view> arguments,
                                  std::vector<std::string>* operands);

// For Option::set: a number of at least `least`.
std::string setNumber(std::string_view text, uint64_t least, uint64_t* to);

// One line on stderr. Returns the exit code for it.
int complain(std::string_view what);
// At the end of what writes to stdout: `code`, or, if some of it was lost, the exit code for that.
int endOutput(int code);

}  // namespace predrace

#endif  // PREDRACE_TOOLS_PREDRACE_ARGUMENTS_H
