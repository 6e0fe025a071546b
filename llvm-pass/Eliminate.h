//===- Eliminate.h - Which accesses of a function need a check ------------===//
//
// Every omission must hold for prediction, not only for happens-before: the
// reason is written at each in Eliminate.cpp, and each has its counter.
//
//===----------------------------------------------------------------------===//

#ifndef PREDRACE_LLVM_PASS_ELIMINATE_H
#define PREDRACE_LLVM_PASS_ELIMINATE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Alignment.h"

namespace predrace {

enum class AccessKind { Read, Write, Update };

/// A plain access that needs a check.
struct Access {
  llvm::Instruction *Where; ///< the check goes before it
  llvm::Value *Address;
  uint64_t Size;
  llvm::Align Alignment;
  AccessKind Kind;
  /// A store of a virtual table pointer is a write only if it changes the
  /// value.
  llvm::Value *VtablePointer = nullptr;
};

/// Tells accesses to memory that no other thread can be writing. Asks about the
/// function as it was before instrumentation: our calls would capture.
class MemoryFilter {
public:
  /// Counts the reason when it is so.
  bool isOmitted(const llvm::Value *Address, bool IsWrite);

private:
  bool isPrivate(const llvm::Value *Object);
  llvm::DenseMap<const llvm::Value *, bool> Private;
};

/// The plain loads and stores of F that need a check, without those that
/// repeat what another one says.
llvm::SmallVector<Access, 0> findAccesses(llvm::Function &F,
                                          MemoryFilter &Filter);

} // namespace predrace

#endif // PREDRACE_LLVM_PASS_ELIMINATE_H
