#include "runtime/report/suppress.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "sanitizer_common/sanitizer_suppressions.h"

namespace predrace {

namespace {
// Types that other reports of the family know are accepted, so that one file
// serves ThreadSanitizer and PredRace; only `race` has an effect here.
const char* kTypes[] = {"race", "race_top", "thread", "mutex", "signal", "deadlock", "called_from_lib"};
constexpr int kTypeCount = sizeof(kTypes) / sizeof(kTypes[0]);
}  // namespace

struct Suppressions::Context : __sanitizer::SuppressionContext {
  Context() : SuppressionContext(kTypes, kTypeCount) {}
};

Suppressions::Suppressions() : context_(new Context) {}
Suppressions::~Suppressions() = default;

std::string Suppressions::parseFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (file) text << file.rdbuf();
  if (!file) return absl::StrCat("cannot read suppressions file '", path, "': ", std::strerror(errno));
  return parse(text.str(), path);
}

// sanitizer_common ends the process on a bad line, so look before it does.
std::string Suppressions::parse(const std::string& text, const std::string& name) {
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    bool known = false;
    for (const char* type : kTypes) known |= absl::StartsWith(line, absl::StrCat(type, ":"));
    if (!known) {
      return absl::StrCat(name, ":", number, ": expected a suppression like 'race:pattern', found '", line,
                          "'");
    }
  }
  context_->Parse(text.c_str());
  return "";
}

bool Suppressions::matches(const Report& report) {
  if (context_->SuppressionCount() == 0) return false;
  auto match = [&](const std::string& text, const char* type) {
    if (text.empty()) return false;
    __sanitizer::Suppression* which;
    if (!context_->Match(text.c_str(), type, &which)) return false;
    __sanitizer::atomic_fetch_add(&which->hit_count, 1, __sanitizer::memory_order_relaxed);
    return true;
  };
  for (const ReportAccess* access : {&report.second, &report.first}) {
    bool top = true;
    for (const Frame& f : access->stack) {
      for (const std::string* text : {&f.function, &f.file, &f.module}) {
        if (match(*text, "race") || (top && match(*text, "race_top"))) return true;
      }
      top = false;
    }
  }
  return match(report.location.name, "race");
}

std::vector<std::pair<std::string, unsigned>> Suppressions::matched() const {
  std::vector<std::pair<std::string, unsigned>> result;
  for (size_t i = 0; i < context_->SuppressionCount(); ++i) {
    const __sanitizer::Suppression* s = context_->SuppressionAt(i);
    unsigned hits = __sanitizer::atomic_load(&s->hit_count, __sanitizer::memory_order_relaxed);
    if (hits != 0) result.emplace_back(absl::StrCat(s->type, ":", s->templ), hits);
  }
  return result;
}

}  // namespace predrace
