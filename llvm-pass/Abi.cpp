//===- Abi.cpp - What instrumented code refers to in the runtime ----------===//

#include "Abi.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace predrace {

namespace {

enum class Convention { C, PreserveMost };
enum Shape { V, P, I8, I16, I32, I64, I128 };

struct Row {
  const char *Name;
  Convention Conv;
  Shape Return;
  SmallVector<Shape, 5> Parameters;
};

const Row &row(Callback C) {
  static const Row Rows[] = {
#define PREDRACE_PARAMETERS(...) {__VA_ARGS__}
#define PREDRACE_CALLBACK(Name, Conv, ReturnType, Parameters)                  \
  {#Name, Convention::Conv, ReturnType, PREDRACE_PARAMETERS Parameters},
#include "Callbacks.inc"
#undef PREDRACE_PARAMETERS
  };
  return Rows[static_cast<size_t>(C)];
}

Type *typeOf(Shape S, LLVMContext &C) {
  switch (S) {
  case V:
    return Type::getVoidTy(C);
  case P:
    return PointerType::getUnqual(C);
  case I8:
    return Type::getInt8Ty(C);
  case I16:
    return Type::getInt16Ty(C);
  case I32:
    return Type::getInt32Ty(C);
  case I64:
    return Type::getInt64Ty(C);
  case I128:
    return Type::getInt128Ty(C);
  }
  llvm_unreachable("all shapes are above");
}

bool isNarrow(Shape S) { return S == I8 || S == I16; }

} // namespace

Abi::Abi(Module &M)
    : M(M), Context(M.getContext()),
      InExecutable(M.getPICLevel() == PICLevel::NotPIC ||
                   M.getPIELevel() != PIELevel::Default) {}

Callback Abi::byName(const Twine &Name) {
  static const StringMap<Callback> ByName = {
#define PREDRACE_CALLBACK(Name, Convention, ReturnType, Parameters)            \
  {#Name, Callback::Name},
#include "Callbacks.inc"
  };
  SmallString<64> Buffer;
  auto Found = ByName.find(Name.toStringRef(Buffer));
  assert(Found != ByName.end() && "no such row in Callbacks.inc");
  return Found->second;
}

FunctionCallee Abi::declare(Callback C) {
  const Row &R = row(C);
  SmallVector<Type *, 5> Types;
  for (Shape S : R.Parameters)
    Types.push_back(typeOf(S, Context));
  AttributeList Attributes;
  Attributes = Attributes.addFnAttribute(Context, Attribute::NoUnwind);
  // A preserve_most callee behind a lazy PLT entry would lose registers to the
  // dynamic linker's resolver.
  Attributes = Attributes.addFnAttribute(Context, Attribute::NonLazyBind);
  if (R.Conv == Convention::PreserveMost)
    Attributes = Attributes.addFnAttribute(Context, Attribute::Cold);
  // The C ABI as clang reads it: the caller extends narrow integers, and the
  // runtime's are unsigned.
  for (auto [Index, S] : enumerate(R.Parameters))
    if (isNarrow(S))
      Attributes =
          Attributes.addParamAttribute(Context, Index, Attribute::ZExt);
  if (isNarrow(R.Return))
    Attributes = Attributes.addRetAttribute(Context, Attribute::ZExt);
  FunctionCallee Callee = M.getOrInsertFunction(
      R.Name, FunctionType::get(typeOf(R.Return, Context), Types, false),
      Attributes);
  if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
    if (R.Conv == Convention::PreserveMost)
      F->setCallingConv(CallingConv::PreserveMost);
    // Direct calls: otherwise the code generator keeps addresses of slow paths
    // in registers across loops.
    F->setDSOLocal(InExecutable);
  }
  return Callee;
}

CallInst *Abi::call(IRBuilderBase &IRB, Callback C, ArrayRef<Value *> Args) {
  FunctionCallee Callee = declare(C);
  CallInst *Call = IRB.CreateCall(Callee, Args);
  if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
    Call->setCallingConv(F->getCallingConv());
    Call->setAttributes(F->getAttributes());
  }
  Call->addFnAttr(Attribute::NoMerge);
  return Call;
}

GlobalVariable *Abi::thread() {
  const char *Name = "__predrace_thread";
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  Type *I64Ty = Type::getInt64Ty(Context);
  Type *PtrTy = PointerType::getUnqual(Context);
  Type *Ty = StructType::get(I64Ty, PtrTy, PtrTy, I64Ty);
  auto *G = new GlobalVariable(M, Ty, false, GlobalValue::ExternalLinkage,
                               nullptr, Name, nullptr,
                               InExecutable ? GlobalValue::LocalExecTLSModel
                                            : GlobalValue::InitialExecTLSModel);
  G->setDSOLocal(InExecutable);
  return G;
}

GlobalVariable *Abi::neededBits(uint64_t Size, bool IsRead) {
  std::string Name =
      ("__predrace_" + Twine(IsRead ? "read" : "write") + Twine(Size) + "_bits")
          .str();
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  SmallVector<uint64_t, GranuleBytes> Bits;
  for (unsigned Place = 0; Place < GranuleBytes; ++Place) {
    uint64_t Bytes = maskTrailingOnes<uint64_t>(Size) << Place & 0xFF;
    Bits.push_back(SegmentBits | Bytes << (IsRead ? AccessedShift : 0));
  }
  Constant *Value = ConstantDataArray::get(Context, Bits);
  auto *G = new GlobalVariable(M, Value->getType(), true,
                               GlobalValue::LinkOnceODRLinkage, Value, Name);
  G->setVisibility(GlobalValue::HiddenVisibility);
  G->setComdat(M.getOrInsertComdat(Name));
  G->setAlignment(Align(64)); // one cache line
  return G;
}

Value *Abi::field(IRBuilderBase &IRB, unsigned Offset) {
  Value *Thread = IRB.CreateThreadLocalAddress(thread());
  return Offset == 0
             ? Thread
             : IRB.CreateConstInBoundsGEP1_64(IRB.getInt8Ty(), Thread, Offset);
}

Value *Abi::segmentAddress(IRBuilderBase &IRB) { return field(IRB, 0); }

Value *Abi::topAddress(IRBuilderBase &IRB) { return field(IRB, 8); }

Value *Abi::loadInvariant(IRBuilderBase &IRB, Type *Ty, unsigned Offset) {
  LoadInst *L = IRB.CreateAlignedLoad(Ty, field(IRB, Offset), Align(8));
  L->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Context, {}));
  return L;
}

Value *Abi::loadShadowBase(IRBuilderBase &IRB) {
  return loadInvariant(IRB, IRB.getPtrTy(), 16);
}

Value *Abi::loadShadowMask(IRBuilderBase &IRB) {
  return loadInvariant(IRB, IRB.getInt64Ty(), 24);
}

} // namespace predrace
