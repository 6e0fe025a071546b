//===- Plugin.cpp - Registration of PredRace's pass -----------------------===//
//
// Nothing but registration. The pass runs last in every optimisation pipeline,
// so that it sees the accesses that are really left, and under the name
// `predrace` in opt.
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

using namespace llvm;

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "PredRace", "0.1", [](PassBuilder &PB) {
            PB.registerOptimizerLastEPCallback(
                [](ModulePassManager &MPM, OptimizationLevel) {
                  MPM.addPass(predrace::InstrumentPass());
                });
            PB.registerPipelineParsingCallback(
                [](StringRef Name, ModulePassManager &MPM,
                   ArrayRef<PassBuilder::PipelineElement>) {
                  if (Name != "predrace")
                    return false;
                  MPM.addPass(predrace::InstrumentPass());
                  return true;
                });
          }};
}
