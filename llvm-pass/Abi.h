//===- Abi.h - What instrumented code refers to in the runtime ------------===//
//
// The module's view of Callbacks.inc: declarations are made from the table when
// first used, so that a module has only those that it needs.
//
//===----------------------------------------------------------------------===//

#ifndef PREDRACE_LLVM_PASS_ABI_H
#define PREDRACE_LLVM_PASS_ABI_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace predrace {

/// Rows of Callbacks.inc, by name.
enum class Callback {
#define PREDRACE_CALLBACK(Name, Convention, ReturnType, Parameters) Name,
#include "Callbacks.inc"
};

// The shadow word, as Callbacks.inc lays it out.
constexpr uint64_t GranuleBytes = 8;
constexpr unsigned ShadowShift = 1; // two words for each granule
constexpr uint64_t SegmentBits = ~0xFFFFull;
constexpr unsigned AccessedShift = 8;

class Abi {
public:
  explicit Abi(llvm::Module &M);

  /// Emits a call at the builder's place. Each call keeps its own return
  /// address: that is the program counter of the access it tells.
  llvm::CallInst *call(llvm::IRBuilderBase &IRB, Callback C,
                       llvm::ArrayRef<llvm::Value *> Args);
  /// The row of that name, for families such as __predrace_read##N.
  static Callback byName(const llvm::Twine &Name);

  // Fields of __predrace_thread.
  llvm::Value *segmentAddress(llvm::IRBuilderBase &IRB);
  llvm::Value *topAddress(llvm::IRBuilderBase &IRB);
  llvm::Value *loadShadowBase(llvm::IRBuilderBase &IRB);
  llvm::Value *loadShadowMask(llvm::IRBuilderBase &IRB);

  /// A table of the bits that a check needs, by the access's place in its
  /// granule. Measured 2026-11-18 (CPU time; sweeps over int and char, an
  /// insertion sort): 5 to 10 % less than shifting the bits into place. A
  /// select is as fast for ints, but does nothing for smaller ones.
  llvm::GlobalVariable *neededBits(uint64_t Size, bool IsRead);

private:
  llvm::FunctionCallee declare(Callback C);
  llvm::GlobalVariable *thread();
  llvm::Value *field(llvm::IRBuilderBase &IRB, unsigned Offset);
  llvm::Value *loadInvariant(llvm::IRBuilderBase &IRB, llvm::Type *Ty,
                             unsigned Offset);

  llvm::Module &M;
  llvm::LLVMContext &Context;
  /// The runtime is linked into the executable. Code that can only be in an
  /// executable reaches its data directly, without the global offset table.
  const bool InExecutable;
};

} // namespace predrace

#endif // PREDRACE_LLVM_PASS_ABI_H
