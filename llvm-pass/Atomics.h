//===- Atomics.h - Atomic operations --------------------------------------===//

#ifndef PREDRACE_LLVM_PASS_ATOMICS_H
#define PREDRACE_LLVM_PASS_ATOMICS_H

#include "Abi.h"

namespace predrace {

/// Whether I is an atomic operation that the runtime is to perform.
bool isSynchronisation(const llvm::Instruction &I);

/// Replaces an atomic operation by calls of the runtime, which performs it.
/// REQUIRES: isSynchronisation(*I).
void instrumentAtomic(llvm::Instruction *I, Abi &A);

} // namespace predrace

#endif // PREDRACE_LLVM_PASS_ATOMICS_H
