//===- Check.h - The inline look at the shadow ----------------------------===//

#ifndef PREDRACE_LLVM_PASS_CHECK_H
#define PREDRACE_LLVM_PASS_CHECK_H

#include "Abi.h"
#include "Eliminate.h"

namespace predrace {

/// A builder before I whose code has a line for the symbolizer.
class InstrumentationBuilder : public llvm::IRBuilder<> {
public:
  explicit InstrumentationBuilder(llvm::Instruction *I);
};

/// Emits the checks of one function's accesses.
class CheckEmitter {
public:
  CheckEmitter(llvm::Function &F, Abi &A);
  void emit(const Access &A);
  /// An access of any size, known or not, before Where.
  void emitRange(llvm::Instruction *Where, llvm::Value *Address,
                 llvm::Value *Size, bool IsWrite);

private:
  llvm::Value *shadowAddress(llvm::IRBuilderBase &IRB, llvm::Value *Pointer);
  llvm::Value *difference(llvm::IRBuilderBase &IRB, llvm::Value *Shadow,
                          uint64_t Offset = 0);
  llvm::Value *missingInGranule(llvm::IRBuilderBase &IRB, const Access &A);
  llvm::Value *missingInGranules(llvm::IRBuilderBase &IRB, const Access &A);
  llvm::Value *missingUnaligned(llvm::IRBuilderBase &IRB, const Access &A);
  void callSlowPath(llvm::IRBuilderBase &IRB, const Access &A,
                    bool HasCallback);

  Abi &Runtime;
  const llvm::DataLayout &DL;
  llvm::MDNode *Unlikely;
};

} // namespace predrace

#endif // PREDRACE_LLVM_PASS_CHECK_H
