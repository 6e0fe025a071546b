//===- Atomics.cpp - Atomic operations ------------------------------------===//
//
// The runtime performs each operation itself, so that telling it and doing it
// are one step in the order of its address.
//
//===----------------------------------------------------------------------===//

#include "Atomics.h"
#include "Check.h"
#include "Statistics.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace predrace {

/// The bits of the accessed value if the runtime has callbacks for that width.
static unsigned widthOf(Type *Ty, Align Alignment, const DataLayout &DL) {
  uint64_t Bits = DL.getTypeStoreSizeInBits(Ty).getFixedValue();
  bool HasCallback = isPowerOf2_64(Bits) && Bits >= 8 && Bits <= 128;
  return HasCallback && Alignment.value() * 8 >= Bits ? Bits : 0;
}

static unsigned widthOf(const Instruction &I) {
  const DataLayout &DL = I.getDataLayout();
  if (auto *L = dyn_cast<LoadInst>(&I))
    return widthOf(L->getType(), L->getAlign(), DL);
  if (auto *S = dyn_cast<StoreInst>(&I))
    return widthOf(S->getValueOperand()->getType(), S->getAlign(), DL);
  if (auto *U = dyn_cast<AtomicRMWInst>(&I))
    return widthOf(U->getValOperand()->getType(), U->getAlign(), DL);
  auto *X = cast<AtomicCmpXchgInst>(&I);
  return widthOf(X->getNewValOperand()->getType(), X->getAlign(), DL);
}

static const Value *addressOf(const Instruction &I) {
  if (const Value *Address = getLoadStorePointerOperand(&I))
    return Address;
  if (auto *U = dyn_cast<AtomicRMWInst>(&I))
    return U->getPointerOperand();
  return cast<AtomicCmpXchgInst>(I).getPointerOperand();
}

bool isSynchronisation(const Instruction &I) {
  if (!I.isAtomic())
    return false;
  // Orders one thread with its own signal handlers only: no engine has an event
  // for that.
  if (getAtomicSyncScopeID(&I) == SyncScope::SingleThread)
    return ++NumOmittedSingleThread, false;
  if (isa<FenceInst>(I))
    return true;
  if (addressOf(I)->getType()->getPointerAddressSpace() != 0)
    return ++NumOmittedAddressSpace, false;
  // Unaligned or wider ones become calls of libatomic, which the runtime
  // intercepts.
  if (widthOf(I) == 0)
    return ++NumOmittedLibcallAtomic, false;
  return true;
}

namespace {

class AtomicLowering {
public:
  AtomicLowering(Instruction *I, Abi &A) : I(I), IRB(I), Runtime(A) {}
  Value *lower();

private:
  Value *call(const Twine &Operation, ArrayRef<Value *> Args) {
    return Runtime.call(
        IRB, Abi::byName("__predrace_atomic" + Twine(Bits) + "_" + Operation),
        Args);
  }
  Value *order(AtomicOrdering O) {
    return IRB.getInt32(static_cast<unsigned>(toCABI(O)));
  }
  Value *toInteger(Value *V) {
    return IRB.CreateBitOrPointerCast(V, IRB.getIntNTy(Bits));
  }
  Value *fromInteger(Value *V, Type *Ty) {
    return IRB.CreateBitOrPointerCast(V, Ty);
  }
  Value *lowerLoad(LoadInst &L);
  void lowerStore(StoreInst &S);
  Value *lowerUpdate(AtomicRMWInst &U);
  Value *lowerUpdateLoop(AtomicRMWInst &U);
  Value *lowerCompareExchange(AtomicCmpXchgInst &X);

  Instruction *I;
  InstrumentationBuilder IRB;
  Abi &Runtime;
  unsigned Bits = 0;
};

Value *AtomicLowering::lowerLoad(LoadInst &L) {
  Value *V = call("load", {L.getPointerOperand(), order(L.getOrdering())});
  return fromInteger(V, L.getType());
}

void AtomicLowering::lowerStore(StoreInst &S) {
  call("store", {S.getPointerOperand(), toInteger(S.getValueOperand()),
                 order(S.getOrdering())});
}

static const char *callbackOf(AtomicRMWInst::BinOp Op) {
  switch (Op) {
  case AtomicRMWInst::Xchg:
    return "exchange";
  case AtomicRMWInst::Add:
    return "fetch_add";
  case AtomicRMWInst::Sub:
    return "fetch_sub";
  case AtomicRMWInst::And:
    return "fetch_and";
  case AtomicRMWInst::Or:
    return "fetch_or";
  case AtomicRMWInst::Xor:
    return "fetch_xor";
  case AtomicRMWInst::Nand:
    return "fetch_nand";
  default:
    return nullptr; // minima, maxima, floating point, wrapping counters
  }
}

Value *AtomicLowering::lowerUpdate(AtomicRMWInst &U) {
  const char *Operation = callbackOf(U.getOperation());
  if (!Operation)
    return lowerUpdateLoop(U);
  Value *V =
      call(Operation, {U.getPointerOperand(), toInteger(U.getValOperand()),
                       order(U.getOrdering())});
  return fromInteger(V, U.getType());
}

/// Compares and exchanges until nobody came in between. The first value is only
/// a guess, so it is read without telling anyone.
Value *AtomicLowering::lowerUpdateLoop(AtomicRMWInst &U) {
  Value *Pointer = U.getPointerOperand();
  LoadInst *Guess =
      IRB.CreateAlignedLoad(IRB.getIntNTy(Bits), Pointer, U.getAlign());
  Guess->setAtomic(AtomicOrdering::Monotonic);

  BasicBlock *Before = U.getParent();
  BasicBlock *After = Before->splitBasicBlock(&U);
  BasicBlock *Loop = BasicBlock::Create(U.getContext(), "predrace.update",
                                        U.getFunction(), After);
  Before->getTerminator()->setSuccessor(0, Loop);
  DebugLoc Line = IRB.getCurrentDebugLocation();
  IRB.SetInsertPoint(Loop);
  IRB.SetCurrentDebugLocation(Line);
  PHINode *Expected = IRB.CreatePHI(Guess->getType(), 2);
  Expected->addIncoming(Guess, Before);
  Value *Old = fromInteger(Expected, U.getType());
  Value *New =
      buildAtomicRMWValue(U.getOperation(), IRB, Old, U.getValOperand());
  AtomicOrdering Failure =
      AtomicCmpXchgInst::getStrongestFailureOrdering(U.getOrdering());
  Value *Found =
      call("compare_exchange", {Pointer, Expected, toInteger(New),
                                order(U.getOrdering()), order(Failure)});
  Expected->addIncoming(Found, Loop);
  IRB.CreateCondBr(IRB.CreateICmpEQ(Found, Expected), After, Loop);
  return Old;
}

Value *AtomicLowering::lowerCompareExchange(AtomicCmpXchgInst &X) {
  Value *Expected = toInteger(X.getCompareOperand());
  Value *Found =
      call("compare_exchange",
           {X.getPointerOperand(), Expected, toInteger(X.getNewValOperand()),
            order(X.getSuccessOrdering()), order(X.getFailureOrdering())});
  Value *Success = IRB.CreateICmpEQ(Found, Expected);
  Value *Old = fromInteger(Found, X.getCompareOperand()->getType());
  Value *Pair = IRB.CreateInsertValue(PoisonValue::get(X.getType()), Old, 0);
  return IRB.CreateInsertValue(Pair, Success, 1);
}

Value *AtomicLowering::lower() {
  if (auto *Fence = dyn_cast<FenceInst>(I)) {
    Runtime.call(IRB, Callback::__predrace_atomic_fence,
                 {order(Fence->getOrdering())});
    return nullptr;
  }
  Bits = widthOf(*I);
  if (auto *L = dyn_cast<LoadInst>(I))
    return lowerLoad(*L);
  if (auto *U = dyn_cast<AtomicRMWInst>(I))
    return lowerUpdate(*U);
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(I))
    return lowerCompareExchange(*X);
  lowerStore(*cast<StoreInst>(I));
  return nullptr;
}

} // namespace

void instrumentAtomic(Instruction *I, Abi &A) {
  if (Value *Result = AtomicLowering(I, A).lower())
    I->replaceAllUsesWith(Result);
  I->eraseFromParent();
  ++NumInstrumentedAtomics;
}

} // namespace predrace
