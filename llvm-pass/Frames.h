//===- Frames.h - Function entry and exit ---------------------------------===//

#ifndef PREDRACE_LLVM_PASS_FRAMES_H
#define PREDRACE_LLVM_PASS_FRAMES_H

#include "Abi.h"

namespace predrace {

/// Whether the function calls code that may reach an instrumented access, whose
/// report then needs this function's frame.
bool mayCallInstrumented(const llvm::Function &F);

/// Makes the function push its Frame at entry and pop it at every exit.
void instrumentFrame(llvm::Function &F, Abi &A);

} // namespace predrace

#endif // PREDRACE_LLVM_PASS_FRAMES_H
