#include "tools/predrace/arguments.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "tools/predrace/commands.h"

namespace predrace {
namespace {

void printHelp(const Command& command) {
  auto print = [](std::string_view s) { std::fwrite(s.data(), 1, s.size(), stdout); };
  print("usage: predrace " + std::string(command.usage) + "\n\n" + std::string(command.about) + "\n");
  for (const Option& o : command.options) {
    std::string name(o.name);
    if (!o.value.empty()) name += "=" + std::string(o.value);
    std::printf("  %-22s %.*s\n", name.c_str(), static_cast<int>(o.help.size()), o.help.data());
  }
  print(command.epilogue);
}

std::string seeHelp(const Command& command) {
  return " (see predrace " + std::string(command.usage.substr(0, command.usage.find(' '))) + " --help)";
}

}  // namespace

std::optional<int> parseArguments(const Command& command, std::span<const std::string_view> arguments,
                                  std::vector<std::string>* operands) {
  bool plain = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string_view a = arguments[i];
    if (plain || a == "-" || !a.starts_with('-')) {
      operands->emplace_back(a);
      continue;
    }
    if (a == "--") {
      plain = true;
      continue;
    }
    if (a == "--help" || a == "-h") {
      printHelp(command);
      return endOutput(kFine);
    }
    size_t equals = a.find('=');
    std::string_view name = a.substr(0, equals);
    const Option* option = nullptr;
    for (const Option& o : command.options)
      if (o.name == name) option = &o;
    if (!option) return complain("unknown option '" + std::string(name) + "'" + seeHelp(command));
    std::string_view value;
    if (equals != a.npos) {
      if (option->value.empty()) return complain(std::string(name) + " takes no value" + seeHelp(command));
      value = a.substr(equals + 1);
    } else if (!option->value.empty()) {
      if (++i == arguments.size())
        return complain(std::string(name) + " needs a value: " + std::string(name) + "=" +
                        std::string(option->value));
      value = arguments[i];
    }
    if (std::string error = option->set(value); !error.empty())
      return complain(std::string(name) + ": " + error);
  }
  if (operands->size() < command.fewest || operands->size() > command.most)
    return complain(std::string(command.usage.substr(0, command.usage.find(' '))) + ": expected " +
                    std::string(command.expected) + seeHelp(command));
  return std::nullopt;
}

std::string setNumber(std::string_view text, uint64_t least, uint64_t* to) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *to);
  if (error == std::errc() && end == text.data() + text.size() && *to >= least) return "";
  return "expected a number of at least " + std::to_string(least) + ", found '" + std::string(text) + "'";
}

int complain(std::string_view what) {
  std::fprintf(stderr, "predrace: %.*s\n", static_cast<int>(what.size()), what.data());
  return kUsage;
}

int endOutput(int code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  return complain(std::string("cannot write the output: ") + std::strerror(errno));
}

}  // namespace predrace
