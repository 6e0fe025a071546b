#include "runtime/engines/engines.h"

#include "runtime/engines/cp.h"
#include "runtime/engines/hb.h"
#include "runtime/engines/raptor.h"

namespace predrace {
namespace {

constexpr EngineRow kEngines[] = {
#define PREDRACE_ENGINE(name, make, paper, sound, mode, finding, reports) \
  {name,       [](RaceSink sink) -> std::unique_ptr<Engine> { return make; },          \
   paper,      sound,                                                     \
   Mode::mode, Finding::finding,                                          \
   reports},
#include "runtime/engines/engines.inc"
};

}  // namespace

std::span<const EngineRow> engines() { return kEngines; }

const EngineRow* findEngine(std::string_view name) {
  for (const EngineRow& row : kEngines)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace predrace
