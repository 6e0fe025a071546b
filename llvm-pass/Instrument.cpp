//===- Instrument.cpp - PredRace's pass -----------------------------------===//
//
// For each function: which accesses need a check (Eliminate), the checks
// (Check), atomic operations (Atomics), memory intrinsics, and its frame
// (Frames). For the module: a constructor (ModuleInit).
//
// A function without the sanitize_thread attribute (no_sanitize, ignorelists)
// has no plain access told, but its atomic operations still are: leaving out
// synchronisation would invent races elsewhere. It keeps its frame for the
// stacks of what it calls. disable_sanitizer_instrumentation means nothing at
// all.
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"
#include "Atomics.h"
#include "Check.h"
#include "Eliminate.h"
#include "Frames.h"
#include "Masked.h"
#include "ModuleInit.h"
#include "Statistics.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace predrace {

namespace {

/// A copy or fill of known size whose sides split into this many aligned pieces
/// stays as it is, behind checks of its own: a call would cost more than the
/// operation. (The code generator expands all of these inline.)
constexpr unsigned MaxPieces = 2;
constexpr uint64_t MaxPieceBytes = 16;

class FunctionInstrumenter {
public:
  FunctionInstrumenter(Function &F, Abi &A) : F(F), Runtime(A), Checks(F, A) {}
  bool run();

private:
  struct MemSides {
    MemIntrinsic *I;
    bool Reads, Writes; ///< the sides that need a check
  };
  struct ByVal {
    CallBase *Call;
    unsigned Index;
  };
  void collect();
  void dropStaleAttributes();
  void instrumentMemIntrinsic(const MemSides &S);
  bool checkPieces(const MemSides &S);
  void replaceByCall(MemIntrinsic &I);
  void instrumentByVal(const ByVal &B);

  Function &F;
  Abi &Runtime;
  CheckEmitter Checks;
  MemoryFilter Filter;
  SmallVector<Access, 0> Accesses;
  SmallVector<Instruction *, 8> Atomics;
  SmallVector<MemSides, 8> MemIntrinsics;
  SmallVector<MaskedAccess, 0> Masked;
  SmallVector<ByVal, 4> ByVals;
};

/// Finds everything before anything is changed: our own calls would make
/// locals escape.
void FunctionInstrumenter::collect() {
  bool PlainAccesses = F.hasFnAttribute(Attribute::SanitizeThread);
  if (PlainAccesses)
    Accesses = findAccesses(F, Filter);
  for (Instruction &I : instructions(F)) {
    if (isSynchronisation(I)) {
      Atomics.push_back(&I);
      continue;
    }
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !PlainAccesses)
      continue;
    if (auto *Mem = dyn_cast<MemIntrinsic>(Call)) {
      auto *Transfer = dyn_cast<MemTransferInst>(Mem);
      MemSides S = {Mem,
                    Transfer && !Filter.isOmitted(Transfer->getRawSource(),
                                                  /*IsWrite=*/false),
                    !Filter.isOmitted(Mem->getRawDest(), /*IsWrite=*/true)};
      if (S.Reads || S.Writes)
        MemIntrinsics.push_back(S);
      continue;
    }
    if (std::optional<MaskedAccess> M = asMaskedAccess(I)) {
      if (!Filter.isOmitted(M->Address, M->Kind == AccessKind::Write))
        Masked.push_back(*M);
      continue;
    }
    // Passing by value copies the object at the call.
    for (unsigned Index = 0; Index < Call->arg_size(); ++Index)
      if (Call->isByValArgument(Index) &&
          !Filter.isOmitted(Call->getArgOperand(Index), /*IsWrite=*/false))
        ByVals.push_back({Call, Index});
  }
}

/// Whether the sides were small enough to be checked inline.
bool FunctionInstrumenter::checkPieces(const MemSides &S) {
  auto *Length = dyn_cast<ConstantInt>(S.I->getLength());
  if (!Length || Length->getValue().ugt(MaxPieces * MaxPieceBytes))
    return false;
  uint64_t Size = Length->getZExtValue();
  SmallVector<uint64_t, MaxPieces> Pieces;
  for (uint64_t Left = Size; Left != 0; Left -= Pieces.back())
    Pieces.push_back(std::min(bit_floor(Left), MaxPieceBytes));
  auto IsAligned = [&](Align A) {
    return A.value() >= std::min<uint64_t>(Pieces.front(), 8);
  };
  auto *Transfer = dyn_cast<MemTransferInst>(S.I);
  if (Pieces.empty() || Pieces.size() > MaxPieces ||
      (S.Writes && !IsAligned(S.I->getDestAlign().valueOrOne())) ||
      (S.Reads && !IsAligned(Transfer->getSourceAlign().valueOrOne())))
    return false;

  auto CheckSide = [&](Value *Base, Align A, AccessKind Kind) {
    uint64_t Offset = 0;
    for (uint64_t Piece : Pieces) {
      InstrumentationBuilder IRB(S.I);
      Value *Address =
          Offset ? IRB.CreateConstGEP1_64(IRB.getInt8Ty(), Base, Offset) : Base;
      Checks.emit(
          {S.I, Address, Piece, commonAlignment(A, Offset), Kind, nullptr});
      Offset += Piece;
    }
  };
  if (S.Reads)
    CheckSide(Transfer->getRawSource(), Transfer->getSourceAlign().valueOrOne(),
              AccessKind::Read);
  if (S.Writes)
    CheckSide(S.I->getRawDest(), S.I->getDestAlign().valueOrOne(),
              AccessKind::Write);
  return true;
}

void FunctionInstrumenter::replaceByCall(MemIntrinsic &I) {
  InstrumentationBuilder IRB(&I);
  Value *Length = IRB.CreateZExtOrTrunc(I.getLength(), IRB.getInt64Ty());
  if (auto *Set = dyn_cast<MemSetInst>(&I))
    Runtime.call(IRB, Callback::__predrace_memset,
                 {Set->getRawDest(),
                  IRB.CreateZExt(Set->getValue(), IRB.getInt32Ty()), Length});
  else
    Runtime.call(
        IRB,
        isa<MemMoveInst>(I) ? Callback::__predrace_memmove
                            : Callback::__predrace_memcpy,
        {I.getRawDest(), cast<MemTransferInst>(I).getRawSource(), Length});
  I.eraseFromParent();
}

void FunctionInstrumenter::instrumentMemIntrinsic(const MemSides &S) {
  ++NumInstrumentedMemIntrinsics;
  if (checkPieces(S))
    return;
  // The inline forms promise not to become calls; and the callbacks know only
  // the one address space.
  bool MustStay = isa<MemCpyInlineInst>(S.I) || isa<MemSetInlineInst>(S.I);
  for (const Value *Argument : S.I->args())
    if (Argument->getType()->isPointerTy() &&
        Argument->getType()->getPointerAddressSpace() != 0)
      MustStay = true;
  if (!MustStay)
    return replaceByCall(*S.I);
  if (S.Reads)
    Checks.emitRange(S.I, cast<MemTransferInst>(S.I)->getRawSource(),
                     S.I->getLength(), /*IsWrite=*/false);
  if (S.Writes)
    Checks.emitRange(S.I, S.I->getRawDest(), S.I->getLength(),
                     /*IsWrite=*/true);
}

void FunctionInstrumenter::instrumentByVal(const ByVal &B) {
  TypeSize Size =
      F.getDataLayout().getTypeStoreSize(B.Call->getParamByValType(B.Index));
  if (Size.isScalable() || Size.isZero())
    return;
  InstrumentationBuilder IRB(B.Call);
  Checks.emitRange(B.Call, B.Call->getArgOperand(B.Index),
                   IRB.getInt64(Size.getFixedValue()), /*IsWrite=*/false);
}

/// What optimisation inferred about the function's use of memory is no longer
/// true, and link-time optimisation would believe it.
void FunctionInstrumenter::dropStaleAttributes() {
  F.removeFnAttr(Attribute::Memory);
  F.removeFnAttr(Attribute::Speculatable);
  for (Argument &A : F.args())
    for (auto Kind :
         {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly})
      A.removeAttr(Kind);
}

bool FunctionInstrumenter::run() {
  collect();
  bool NeedsFrame = !Accesses.empty() || !Atomics.empty() ||
                    !MemIntrinsics.empty() || !ByVals.empty() ||
                    !Masked.empty() || mayCallInstrumented(F);
  // Backwards: each check splits its block, which moves what stands behind it.
  for (const Access &A : reverse(Accesses))
    Checks.emit(A);
  for (const MemSides &S : MemIntrinsics)
    instrumentMemIntrinsic(S);
  for (const MaskedAccess &M : Masked)
    instrumentMasked(M, Checks);
  for (const ByVal &B : ByVals)
    instrumentByVal(B);
  // Last, because these go away and what is above may use their results.
  for (Instruction *I : Atomics)
    instrumentAtomic(I, Runtime);
  if (NeedsFrame) {
    instrumentFrame(F, Runtime);
    dropStaleAttributes();
  }
  return NeedsFrame;
}

/// Code that runs before the runtime, or that is not ours to change.
bool isSkipped(const Function &F, const Module &M) {
  if (F.isDeclaration() || F.hasAvailableExternallyLinkage() ||
      F.hasFnAttribute(Attribute::Naked) ||
      F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation))
    return true;
  // The dynamic linker runs these while it relocates; there is no thread
  // state yet.
  for (const GlobalIFunc &Indirect : M.ifuncs())
    if (Indirect.getResolverFunction() == &F)
      return true;
  return false;
}

} // namespace

PreservedAnalyses InstrumentPass::run(Module &M, ModuleAnalysisManager &) {
  if (isInstrumentedModule(M))
    return PreservedAnalyses::all();
  Abi Runtime(M);
  SmallVector<Function *, 0> Functions;
  for (Function &F : M)
    if (!isSkipped(F, M))
      Functions.push_back(&F);
  bool Changed = false;
  for (Function *F : Functions)
    Changed |= FunctionInstrumenter(*F, Runtime).run();
  if (Changed)
    instrumentModule(M, Runtime);
  printStatistics();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace predrace
