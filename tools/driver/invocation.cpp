#include "tools/driver/invocation.h"

#include <algorithm>
#include <string_view>

namespace predrace {

namespace {

// Options whose value is the next argument: it is neither an option nor an input file.
constexpr std::string_view kTakeValue[] = {"-o",
                                           "-x",
                                           "-I",
                                           "-D",
                                           "-U",
                                           "-L",
                                           "-F",
                                           "-B",
                                           "-T",
                                           "-u",
                                           "-z",
                                           "-e",
                                           "-A",
                                           "-G",
                                           "-b",
                                           "-iquote",
                                           "-isystem",
                                           "-isystem-after",
                                           "-idirafter",
                                           "-iprefix",
                                           "-iwithprefix",
                                           "-iwithprefixbefore",
                                           "-iwithsysroot",
                                           "-isysroot",
                                           "-iframework",
                                           "-include",
                                           "-include-pch",
                                           "-imacros",
                                           "-imultilib",
                                           "-MF",
                                           "-MT",
                                           "-MQ",
                                           "-MJ",
                                           "-Xclang",
                                           "-Xassembler",
                                           "-Xpreprocessor",
                                           "-Xanalyzer",
                                           "-Xopenmp-target",
                                           "-Xarch_host",
                                           "-Xarch_device",
                                           "-mllvm",
                                           "-mthread-model",
                                           "-arch",
                                           "-target",
                                           "--target",
                                           "-framework",
                                           "--param",
                                           "--sysroot",
                                           "-dumpdir",
                                           "--output",
                                           "--language",
                                           "--include",
                                           "--config",
                                           "-working-directory",
                                           "-serialize-diagnostics",
                                           "--serialize-diagnostics",

                                           "-gcc-toolchain",
                                           "-rpath",
                                           "-install_name",
                                           "-stdlib++-isystem",
                                           "-cxx-isystem"};
// The same, and they give the linker something to do.
constexpr std::string_view kLinkerValue[] = {"-Xlinker", "-l"};
// Options with which clang stops before it links.
constexpr std::string_view kNoLink[] = {"-c",
                                        "-S",
                                        "-E",
                                        "-M",
                                        "-MM",
                                        "-fsyntax-only",
                                        "--compile",
                                        "--assemble",
                                        "--preprocess",
                                        "--precompile",
                                        "--analyze",
                                        "-emit-ast",
                                        "-verify-pch",
                                        "-rewrite-objc",
                                        "-module-file-info",
                                        "-extract-api",
                                        "-dumpmachine",
                                        "-dumpversion",
                                        "-dumpspecs",
                                        "--version",
                                        "--help",
                                        "-help",
                                        "--help-hidden"};
constexpr std::string_view kHeaderSuffixes[] = {".h", ".hh",  ".hpp", ".hxx", ".h++",
                                                ".H", ".HPP", ".hp",  ".tcc"};
// What clang refuses beside ThreadSanitizer.
constexpr std::string_view kConflicts[] = {"thread", "address",         "memory",        "hwaddress",
                                           "leak",   "kernel-address",  "kernel-memory", "safe-stack",
                                           "scudo",  "kernel-hwaddress"};

template <size_t N>
bool isOneOf(std::string_view s, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), s) != std::end(list);
}

bool isHeader(std::string_view file, std::string_view language) {
  if (!language.empty() && language != "none") return language.ends_with("-header");
  return std::any_of(std::begin(kHeaderSuffixes), std::end(kHeaderSuffixes),
                     [&](std::string_view suffix) { return file.ends_with(suffix); });
}

std::vector<std::string> splitList(std::string_view list) {
  std::vector<std::string> items;
  while (true) {
    size_t comma = list.find(',');
    items.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return items;
    list.remove_prefix(comma + 1);
  }
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments) : in_(arguments) {}

  Invocation read() {
    for (; at_ < in_.size(); ++at_) readOne(in_[at_]);
    if (stops_ || !(linksSomething_ || hasSource_))
      made_.output = Output::None;
    else if (made_.output == Output::None)
      made_.output = Output::Executable;
    return std::move(made_);
  }

 private:
  void readOne(const std::string& a) {
    if (onlyFiles_ || a.empty() || a[0] != '-' || a == "-") {
      readFile(a);
    } else if (a == "--") {
      onlyFiles_ = true;
      keep(a);
    } else if (isOneOf(a, kTakeValue) || isOneOf(a, kLinkerValue)) {
      readWithValue(a);
    } else if (!readSanitizer(a)) {
      readFlag(a);
      keep(a);
    }
  }

  void readFile(const std::string& file) {
    keep(file);
    if (!isHeader(file, language_)) hasSource_ = true;
  }

  void readWithValue(const std::string& option) {
    keep(option);
    if (isOneOf(option, kLinkerValue)) linksSomething_ = true;
    if (at_ + 1 == in_.size()) return;  // clang says what is missing
    const std::string& value = in_[++at_];
    if (option == "-x" || option == "--language") language_ = value;
    if (option == "-target" || option == "--target") readTarget("--target=" + value, value);
    keep(value);
  }

  bool readSanitizer(const std::string& a) {
    if (a.starts_with("-fsanitize=")) return readList(a, "-fsanitize=", true);
    if (a.starts_with("-fno-sanitize=")) return readList(a, "-fno-sanitize=", false);
    if (a.starts_with("-fsanitize-ignorelist=") || a.starts_with("-fsanitize-blacklist=")) {
      made_.ignorelists.push_back("-fsanitize-ignorelist=" + a.substr(a.find('=') + 1));
    } else if (a == "-fno-sanitize-ignorelist" || a == "-fno-sanitize-blacklist") {
      made_.ignorelists.clear();
    } else if (a == "-fsanitize-link-runtime") {
      made_.linkRuntime = true;
    } else if (a == "-fno-sanitize-link-runtime") {
      made_.linkRuntime = false;
    }
    return false;
  }

  // The last word on each sanitizer wins, as in clang.
  bool readList(const std::string& a, const std::string& option, bool on) {
    std::string rest;
    for (const std::string& name : splitList(std::string_view(a).substr(option.size()))) {
      if (name == "all" && !on) {
        made_.predrace = false;
        made_.sanitizers.clear();
      }
      if (name == "predrace") {
        made_.predrace = on;
        continue;
      }
      if (on)
        made_.sanitizers.insert(name);
      else
        made_.sanitizers.erase(name);
      rest += (rest.empty() ? "" : ",") + name;
    }
    if (!rest.empty()) keep(option + rest);
    return true;
  }

  void readFlag(const std::string& a) {
    if (isOneOf(a, kNoLink) || a.starts_with("-print-") || a.starts_with("--print-")) stops_ = true;
    if (a == "-m32" || a == "-mx32" || a == "-m16") made_.targetOption = a;
    if (a.starts_with("--target=")) readTarget(a, std::string_view(a).substr(9));
    if (a == "--version") made_.printsVersion = true;
    if (a.starts_with("-x")) language_ = a.substr(2);
    if (a.starts_with("-l") || a.starts_with("-Wl,")) linksSomething_ = true;
    if (a == "-shared" || a == "--shared") made_.output = Output::Shared;
    if (a == "-r") made_.output = Output::Relocatable;
    if (a == "-static" || a == "--static" || a == "-static-pie") made_.staticOption = a;
  }

  void readTarget(const std::string& option, std::string_view target) {
    made_.targetOption = target.starts_with("x86_64") && !target.ends_with("x32") ? "" : option;
  }

  void keep(const std::string& a) { made_.arguments.push_back(a); }

  const std::vector<std::string>& in_;
  size_t at_ = 0;
  Invocation made_;
  std::string language_;
  bool onlyFiles_ = false, stops_ = false, linksSomething_ = false, hasSource_ = false;
};

}  // namespace

Invocation readInvocation(const std::vector<std::string>& arguments) { return Reader(arguments).read(); }

std::string findConflict(const Invocation& invocation) {
  for (std::string_view name : kConflicts)
    if (invocation.sanitizers.contains(std::string(name))) return std::string(name);
  return "";
}

}  // namespace predrace
