//===- ModuleInit.h - What each instrumented module tells the runtime -----===//

#ifndef PREDRACE_LLVM_PASS_MODULEINIT_H
#define PREDRACE_LLVM_PASS_MODULEINIT_H

#include "Abi.h"

namespace predrace {

/// Whether this pass has already been over the module (bitcode compiled again).
bool isInstrumentedModule(const llvm::Module &M);

/// Adds the constructor that announces the module, and the paths of the
/// toolchain's programs.
void instrumentModule(llvm::Module &M, Abi &A);

} // namespace predrace

#endif // PREDRACE_LLVM_PASS_MODULEINIT_H
