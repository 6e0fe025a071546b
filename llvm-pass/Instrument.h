//===- Instrument.h - PredRace's pass -------------------------------------===//

#ifndef PREDRACE_LLVM_PASS_INSTRUMENT_H
#define PREDRACE_LLVM_PASS_INSTRUMENT_H

#include "llvm/IR/PassManager.h"

namespace predrace {

/// Makes a module tell the runtime what its threads do.
struct InstrumentPass : llvm::PassInfoMixin<InstrumentPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  /// Also at -O0, where functions are optnone.
  static bool isRequired() { return true; }
};

} // namespace predrace

#endif // PREDRACE_LLVM_PASS_INSTRUMENT_H
