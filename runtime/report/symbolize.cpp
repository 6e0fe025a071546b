#include "runtime/report/symbolize.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_symbolizer_internal.h"

namespace predrace {

namespace {
// The process that LLVMSymbolizer starts keeps references into this, so it lives for ever.
__sanitizer::LowLevelAllocator toolAllocator;

std::string orEmpty(const char* s) { return s == nullptr ? std::string() : std::string(s); }
Frame unknown(uint64_t pc) {
  Frame frame;
  frame.pc = pc;
  return frame;
}

}  // namespace

std::string findProgram(const std::vector<std::string>& preferred) {
  const char* path = std::getenv("PATH");
  for (const std::string& name : preferred) {
    if (name.empty()) continue;
    if (name.find('/') != std::string::npos) {
      if (access(name.c_str(), X_OK) == 0) return name;
      continue;
    }
    for (absl::string_view dir : absl::StrSplit(path == nullptr ? "" : path, ':')) {
      std::string candidate = absl::StrCat(dir, "/", name);
      if (!dir.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
    }
  }
  return "";
}

// Later lines win: a library loaded where another one was before.
void Symbolizer::setModules(absl::string_view text) {
  if (text.size() <= modulesLength_) return;
  absl::string_view added = text.substr(modulesLength_);
  modulesLength_ = text.size();
  for (absl::string_view line : absl::StrSplit(added, '\n')) {
    Segment s;
    int executable, length = 0;
    std::string copy(line);
    if (std::sscanf(copy.c_str(), "%lx %lx %lx %d %n", &s.begin, &s.end, &s.base, &executable, &length) < 4)
      continue;
    s.path = copy.substr(static_cast<size_t>(length));
    segments_.push_back(std::move(s));
  }
}

const Symbolizer::Segment* Symbolizer::segmentOf(uint64_t address) const {
  for (auto s = segments_.rbegin(); s != segments_.rend(); ++s) {
    if (address >= s->begin && address < s->end) return &*s;
  }
  return nullptr;
}

__sanitizer::LLVMSymbolizer* Symbolizer::tool() {
  if (tool_ == nullptr && !program_.empty()) {
    tool_ = new (toolAllocator) __sanitizer::LLVMSymbolizer(program_.c_str(), &toolAllocator);
  }
  return tool_;
}

Stack Symbolizer::symbolize(uint64_t pc) {
  const Segment* segment = segmentOf(pc);
  if (segment == nullptr) return {unknown(pc)};
  __sanitizer::SymbolizedStack* first = __sanitizer::SymbolizedStack::New(pc);
  first->info.FillModuleInfo(segment->path.c_str(), pc - segment->base, __sanitizer::kModuleArchUnknown);
  if (tool() != nullptr) tool()->SymbolizePC(pc, first);
  Stack frames;
  for (__sanitizer::SymbolizedStack* s = first; s != nullptr; s = s->next) {
    frames.push_back({.pc = pc,
                      .function = orEmpty(s->info.function),
                      .file = orEmpty(s->info.file),
                      .line = s->info.line,
                      .column = s->info.column,
                      .module = segment->path,
                      .offset = pc - segment->base});
  }
  first->ClearAll();
  return frames;
}

bool Symbolizer::global(uint64_t address, GlobalName* result) {
  const Segment* segment = segmentOf(address);
  if (segment == nullptr || tool() == nullptr) return false;
  __sanitizer::DataInfo info;
  info.module = __sanitizer::internal_strdup(segment->path.c_str());
  info.module_offset = address - segment->base;
  info.module_arch = __sanitizer::kModuleArchUnknown;
  bool found = tool()->SymbolizeData(address, &info) && info.name != nullptr && info.size != 0;
  if (found) {
    *result = {orEmpty(info.name), segment->path, info.start, info.size, info.start - segment->base};
  }
  info.Clear();
  return found;
}

}  // namespace predrace
