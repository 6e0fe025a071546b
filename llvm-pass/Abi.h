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

class Abi {
public:
  explicit Abi(llvm::Module &M);

  /// Emits a call at the builder's place. Each call keeps its own return
  /// address: that is the program counter of the access it tells.
  llvm::CallInst *call(llvm::IRBuilderBase &IRB, Callback C,
                       llvm::ArrayRef<llvm::Value *> Args);
  /// The row of that name, for families such as __predrace_read##N.
  static Callback byName(const llvm::Twine &Name);

  // Fields of __predrace_thread and __predrace_shadow.
  llvm::Value *segmentAddress(llvm::IRBuilderBase &IRB);
  llvm::Value *topAddress(llvm::IRBuilderBase &IRB);
  llvm::Value *loadShadowBase(llvm::IRBuilderBase &IRB);
  llvm::Value *loadShadowMask(llvm::IRBuilderBase &IRB);

private:
  llvm::FunctionCallee declare(Callback C);
  llvm::GlobalVariable *thread();
  llvm::GlobalVariable *shadow();
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
