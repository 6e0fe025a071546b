#include "runtime/engines/engines.h"

#include "runtime/engines/cp.h"
#include "runtime/engines/eraser.h"
#include "runtime/engines/fasttrack.h"
#include "runtime/engines/goldilocks.h"
#include "runtime/engines/hb.h"
#include "runtime/engines/m2.h"
#include "runtime/engines/online.h"
#include "runtime/engines/osr.h"
#include "runtime/engines/raptor.h"
#include "runtime/engines/shb.h"
#include "runtime/engines/syncp.h"
#include "runtime/engines/wcp.h"

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
