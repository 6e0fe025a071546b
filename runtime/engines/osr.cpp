#include "runtime/engines/osr.h"

#include <vector>

#include "runtime/engines/osr_search.h"

namespace predrace {
namespace {

class OsrWitness final : public Witness {
 public:
  OsrWitness(const RecordedTrace& trace, OsrSearch& search) : trace_(trace), search_(search) {}

  std::vector<uint64_t> schedule() const override {
    std::vector<uint64_t> out;
    for (uint32_t i : search_.schedule()) out.push_back(trace_.event(i).index);
    return out;
  }

 private:
  const RecordedTrace& trace_;
  OsrSearch& search_;
};

}  // namespace

void OsrEngine::decide(const RecordedTrace& trace) {
  OsrSearch search(trace);
  OsrWitness witness(trace, search);
  for (uint32_t j = 0; j < trace.size(); ++j) {
    if (!isAccess(trace.event(j).op)) continue;
    uint32_t i = search.racesWith(j, {});
    if (i != kNone) report(trace, i, j, witness);
  }
}

}  // namespace predrace
