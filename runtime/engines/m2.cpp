#include "runtime/engines/m2.h"

#include <vector>

#include "runtime/engines/candidates.h"
#include "runtime/engines/m2_decision.h"

namespace predrace {
namespace {

class M2Witness final : public Witness {
 public:
  M2Witness(const RecordedTrace& trace, const m2::Decision& decision) : trace_(trace), decision_(decision) {}

  std::vector<uint64_t> schedule() const override {
    std::vector<uint64_t> out;
    for (uint32_t i : decision_.schedule()) out.push_back(trace_.event(i).index);
    return out;
  }

 private:
  const RecordedTrace& trace_;
  const m2::Decision& decision_;
};

}  // namespace

void M2Engine::decide(const RecordedTrace& trace) {
  Candidates candidates(trace);
  m2::Decision decision(trace);
  M2Witness witness(trace, decision);
  for (uint32_t j = 0; j < trace.size(); ++j) {
    if (!isAccess(trace.event(j).op) || !candidates.contested(j)) continue;
    candidates.against(j, [&](const Candidates::Group& group) {
      for (auto i = group.accesses.rbegin(); i != group.accesses.rend() && !trace.mustPrecede(*i, j); ++i) {
        m2::Decision::Verdict verdict = decision.decide(*i, j);
        ++(verdict.race ? counts_.races : verdict.certain ? counts_.refused : counts_.uncertain);
        if (!verdict.race) continue;
        report(trace, *i, j, witness);
        return true;
      }
      return false;
    });
    candidates.add(j);
  }
}

std::string M2Engine::notes() const {
  std::string out = std::to_string(counts_.races) + " of " +
                    std::to_string(counts_.races + counts_.refused + counts_.uncertain) +
                    " decided pairs race, " + std::to_string(counts_.refused) + " certainly do not; ";
  if (counts_.complete()) return out + "complete: no other access races";
  return out + std::to_string(counts_.uncertain) + " might still";
}

}  // namespace predrace
