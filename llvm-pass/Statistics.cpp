//===- Statistics.cpp - The pass's counters -------------------------------===//

#include "Statistics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static cl::opt<bool>
    PrintStats("predrace-stats", cl::Hidden,
               cl::desc("Print what PredRace's pass did and omitted"));

namespace predrace {

#define PREDRACE_STATISTIC(Name, What)                                         \
  llvm::TrackingStatistic Num##Name("predrace", #Name, What);
#include "Statistics.inc"

void printStatistics() {
  if (!PrintStats)
    return;
  for (const TrackingStatistic *S : {
#define PREDRACE_STATISTIC(Name, What) &Num##Name,
#include "Statistics.inc"
       })
    if (S->getValue() != 0)
      errs() << format("%8u predrace - %s\n",
                       static_cast<unsigned>(S->getValue()), S->getDesc());
}

} // namespace predrace
