//===- Statistics.h - The pass's counters ---------------------------------===//
//
// LLVM's release builds, Debian's among them, compile STATISTIC and -stats
// away. These counters are always on, and printed by an option of our own.
//
//===----------------------------------------------------------------------===//

#ifndef PREDRACE_LLVM_PASS_STATISTICS_H
#define PREDRACE_LLVM_PASS_STATISTICS_H

#include "llvm/ADT/Statistic.h"

namespace predrace {

#define PREDRACE_STATISTIC(Name, What) extern llvm::TrackingStatistic Num##Name;
#include "Statistics.inc"

/// Prints the counters that are not zero, if -predrace-stats asks for them.
void printStatistics();

} // namespace predrace

#endif // PREDRACE_LLVM_PASS_STATISTICS_H
