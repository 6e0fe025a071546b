//===- Masked.h - Vector accesses under a mask ----------------------------===//

#ifndef PREDRACE_LLVM_PASS_MASKED_H
#define PREDRACE_LLVM_PASS_MASKED_H

#include "Check.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

namespace predrace {

/// A load or store of the vector elements that a mask selects, at consecutive
/// addresses or (gather, scatter) each at its own.
struct MaskedAccess {
  llvm::IntrinsicInst *I;
  llvm::Value *Address; ///< a pointer, or a vector of pointers
  llvm::Value *Mask;
  llvm::FixedVectorType *Type;
  llvm::Align Alignment; ///< of the first element, or of each
  AccessKind Kind;
};

/// Nothing if I is no such access.
std::optional<MaskedAccess> asMaskedAccess(llvm::Instruction &I);

/// Checks each element that the mask selects, and no other: an access that
/// does not happen must not be told.
void instrumentMasked(const MaskedAccess &M, CheckEmitter &Checks);

} // namespace predrace

#endif // PREDRACE_LLVM_PASS_MASKED_H
