#include "runtime/report/short_function.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace predrace {
namespace {

constexpr absl::string_view kAnonymous = "(anonymous namespace)::", kOperator = "operator";

absl::string_view withoutEnd(absl::string_view s) {
  s = s.substr(0, s.find(" [clone "));
  s = s.substr(0, s.find(" (."));  // " (.cold)"
  while (absl::ConsumeSuffix(&s, " const") || absl::ConsumeSuffix(&s, " volatile") ||
         absl::ConsumeSuffix(&s, " &") || absl::ConsumeSuffix(&s, " &&")) {
  }
  return s;
}

// The length of the bracket that `s` starts with, to its end if it is not closed.
size_t bracket(absl::string_view s) {
  char open = s[0], close = open == '(' ? ')' : open == '<' ? '>' : '}';
  int depth = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == open) ++depth;
    if (s[i] == close && !(close == '>' && s[i - 1] == '-') && --depth == 0) return i + 1;
  }
  return s.size();
}

// The length of "operator<<", "operator()", or of "operator" in "operator new" and "operator bool"; else 0.
size_t operatorName(absl::string_view s) {
  if (!absl::StartsWith(s, kOperator)) return 0;
  size_t i = kOperator.size();
  if (absl::StartsWith(s.substr(i), "()") || absl::StartsWith(s.substr(i), "[]")) return i + 2;
  while (i < s.size() && absl::string_view("<>=-+*/%^&|~!,").find(s[i]) != absl::string_view::npos) ++i;
  bool longer = i < s.size() && (absl::ascii_isalnum(s[i]) || s[i] == '_');
  return longer && i == kOperator.size() ? 0 : i;
}

std::string collapsed(absl::string_view s, bool shorter) {
  std::string out;
  for (size_t length = 1; !s.empty(); s.remove_prefix(length)) {
    length = 1;
    bool starts = out.empty() || !(absl::ascii_isalnum(out.back()) || out.back() == '_');
    if (size_t name = starts ? operatorName(s) : 0) {
      length = name;
    } else if (absl::StartsWith(s, kAnonymous)) {
      length = kAnonymous.size();
      if (shorter) continue;
    } else if (s[0] == '(') {
      length = bracket(s);
      out += "()";
      continue;
    } else if (s[0] == '<' && shorter) {
      length = bracket(s);
      out += "<>";
      continue;
    } else if (s[0] == '<' || s[0] == '{') {
      length = bracket(s);
    } else if (s[0] == ' ' && !absl::StrContains(out, kOperator)) {
      out.clear();  // a return type
      continue;
    }
    absl::StrAppend(&out, s.substr(0, length));
  }
  return out;
}

}  // namespace

std::string shortFunction(absl::string_view demangled, size_t most) {
  absl::string_view body = withoutEnd(demangled);
  std::string name = collapsed(body, false);
  if (name.size() > most) name = collapsed(body, true);
  bool lost = name.empty() || absl::StartsWith(name, "()");  // as of "void (*f(int))(char)"
  if (lost) name = std::string(demangled);
  if (name.size() <= most) return name;
  for (size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at + 2)) {
    if (name.size() - at + 3 <= most) return absl::StrCat("...", name.substr(at));
  }
  return absl::StrCat(name.substr(0, most - 3), "...");
}

}  // namespace predrace
