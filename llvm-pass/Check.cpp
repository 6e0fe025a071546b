//===- Check.cpp - The inline look at the shadow --------------------------===//

#include "Check.h"
#include "Statistics.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace predrace {

/// Wider accesses are told by a call, without a look at the shadow first: the
/// vectors of AVX are the widest that ordinary code has.
static constexpr uint64_t MaxInlineBytes = 32;

InstrumentationBuilder::InstrumentationBuilder(Instruction *I)
    : IRBuilder<>(I) {
  // Optimisation may have taken the line away; the function at least is known.
  if (!getCurrentDebugLocation())
    if (DISubprogram *SP = I->getFunction()->getSubprogram())
      SetCurrentDebugLocation(DILocation::get(SP->getContext(), 0, 0, SP));
}

CheckEmitter::CheckEmitter(Function &F, Abi &A)
    : Runtime(A), DL(F.getDataLayout()),
      Unlikely(MDBuilder(F.getContext()).createUnlikelyBranchWeights()) {}

Value *CheckEmitter::shadowAddress(IRBuilderBase &IRB, Value *Pointer) {
  Value *Offset = IRB.CreateShl(
      IRB.CreateAnd(Pointer, Runtime.loadShadowMask(IRB)), ShadowShift);
  return IRB.CreateGEP(IRB.getInt8Ty(), Runtime.loadShadowBase(IRB), Offset);
}

/// Where a shadow word differs from what this thread's segment leaves.
Value *CheckEmitter::difference(IRBuilderBase &IRB, Value *Shadow,
                                uint64_t Offset) {
  if (Offset != 0)
    Shadow =
        IRB.CreateConstGEP1_64(IRB.getInt8Ty(), Shadow, Offset << ShadowShift);
  LoadInst *Word = IRB.CreateAlignedLoad(IRB.getInt64Ty(), Shadow, Align(8));
  // Others write it at any time, and any value of it will do. Unordered rather
  // than monotonic: the function may be marked nosync.
  Word->setAtomic(AtomicOrdering::Unordered);
  Value *Segment = IRB.CreateAlignedLoad(IRB.getInt64Ty(),
                                         Runtime.segmentAddress(IRB), Align(8));
  return IRB.CreateXor(Word, Segment);
}

static unsigned shiftOf(AccessKind Kind) {
  return Kind == AccessKind::Read ? AccessedShift : 0;
}

// The three forms of the check. Each gives a value that is zero if the shadow
// says that there is nothing to tell, or nullptr if the form does not fit.

/// 1, 2, 4 or 8 bytes that lie in one granule.
Value *CheckEmitter::missingInGranule(IRBuilderBase &IRB, const Access &A) {
  if (!isPowerOf2_64(A.Size) || A.Size > GranuleBytes)
    return nullptr;
  uint64_t Aligned = std::min<uint64_t>(A.Alignment.value(), GranuleBytes);
  KnownBits Place = computeKnownBits(A.Address, DL).trunc(3);
  Place.Zero |= APInt(3, Aligned - 1);
  uint64_t Bytes = maskTrailingOnes<uint64_t>(A.Size) << shiftOf(A.Kind);
  Value *Pointer = IRB.CreatePtrToInt(A.Address, IRB.getInt64Ty());
  Value *Needed;
  if (Place.isConstant()) {
    uint64_t P = Place.getConstant().getZExtValue();
    if (P % A.Size != 0)
      return nullptr;
    Needed = IRB.getInt64(SegmentBits | Bytes << P);
  } else {
    if (Aligned < A.Size)
      return nullptr;
    Value *P = IRB.CreateAnd(Pointer, IRB.getInt64(GranuleBytes - Aligned));
    Needed = IRB.CreateAlignedLoad(
        IRB.getInt64Ty(),
        IRB.CreateInBoundsGEP(
            IRB.getInt64Ty(),
            Runtime.neededBits(A.Size, A.Kind == AccessKind::Read), P),
        Align(8));
    cast<LoadInst>(Needed)->setMetadata(LLVMContext::MD_invariant_load,
                                        MDNode::get(IRB.getContext(), {}));
  }
  return IRB.CreateAnd(difference(IRB, shadowAddress(IRB, Pointer)), Needed);
}

/// Whole granules.
Value *CheckEmitter::missingInGranules(IRBuilderBase &IRB, const Access &A) {
  if (A.Size % GranuleBytes != 0 || A.Size > MaxInlineBytes ||
      A.Alignment.value() < GranuleBytes)
    return nullptr;
  Value *Pointer = IRB.CreatePtrToInt(A.Address, IRB.getInt64Ty());
  Value *Shadow = shadowAddress(IRB, Pointer);
  Value *Different = difference(IRB, Shadow);
  for (uint64_t Offset = GranuleBytes; Offset < A.Size; Offset += GranuleBytes)
    Different = IRB.CreateOr(Different, difference(IRB, Shadow, Offset));
  return IRB.CreateAnd(Different,
                       IRB.getInt64(SegmentBits | 0xFFull << shiftOf(A.Kind)));
}

/// A multiple of the granule's size at any place, as vectors of small elements
/// are: part of the first granule, whole ones, and the rest of the last.
Value *CheckEmitter::missingUnaligned(IRBuilderBase &IRB, const Access &A) {
  if (A.Size % GranuleBytes != 0 || A.Size > MaxInlineBytes)
    return nullptr;
  unsigned Shift = shiftOf(A.Kind);
  Value *Segment = IRB.getInt64(SegmentBits);
  Value *Pointer = IRB.CreatePtrToInt(A.Address, IRB.getInt64Ty());
  Value *Place = IRB.CreateAnd(Pointer, IRB.getInt64(GranuleBytes - 1));
  // Bytes up to the first granule's end, and their complement. If the access
  // is aligned after all, the granule of its last byte is a whole one, and
  // asked about twice.
  Value *All = IRB.getInt64(0xFFull << Shift);
  Value *First = IRB.CreateAnd(IRB.CreateShl(All, Place), All);
  Value *Last = IRB.CreateXor(First, All);
  Value *Shadow = shadowAddress(IRB, Pointer);
  Value *LastShadow =
      shadowAddress(IRB, IRB.CreateAdd(Pointer, IRB.getInt64(A.Size - 1)));
  Value *Missing =
      IRB.CreateAnd(difference(IRB, Shadow), IRB.CreateOr(First, Segment));
  for (uint64_t Offset = GranuleBytes; Offset < A.Size; Offset += GranuleBytes)
    Missing = IRB.CreateOr(
        Missing, IRB.CreateAnd(difference(IRB, Shadow, Offset),
                               IRB.getInt64(SegmentBits | 0xFFull << Shift)));
  return IRB.CreateOr(Missing, IRB.CreateAnd(difference(IRB, LastShadow),
                                             IRB.CreateOr(Last, Segment)));
}

void CheckEmitter::emit(const Access &A) {
  InstrumentationBuilder IRB(A.Where);
  Value *Missing = missingInGranule(IRB, A);
  bool HasCallback = Missing != nullptr;
  if (!Missing) {
    Missing = missingInGranules(IRB, A);
    HasCallback = Missing && A.Size == 2 * GranuleBytes;
  }
  if (!Missing)
    Missing = missingUnaligned(IRB, A);
  if (!Missing)
    return callSlowPath(IRB, A, false);

  DebugLoc Line = IRB.getCurrentDebugLocation();
  Instruction *Then = SplitBlockAndInsertIfThen(
      IRB.CreateIsNotNull(Missing), A.Where, /*Unreachable=*/false, Unlikely);
  if (A.VtablePointer) {
    IRB.SetInsertPoint(Then);
    LoadInst *Old =
        IRB.CreateAlignedLoad(A.VtablePointer->getType(), A.Address, Align(8));
    Old->setAtomic(AtomicOrdering::Unordered);
    Then = SplitBlockAndInsertIfThen(IRB.CreateICmpNE(Old, A.VtablePointer),
                                     Then, /*Unreachable=*/false);
  }
  IRB.SetInsertPoint(Then);
  IRB.SetCurrentDebugLocation(Line);
  callSlowPath(IRB, A, HasCallback);
}

static const char *familyOf(AccessKind Kind) {
  switch (Kind) {
  case AccessKind::Read:
    ++NumInstrumentedReads;
    return "__predrace_read";
  case AccessKind::Write:
    ++NumInstrumentedWrites;
    return "__predrace_write";
  case AccessKind::Update:
    ++NumInstrumentedUpdates;
    return "__predrace_update";
  }
  llvm_unreachable("all kinds are above");
}

void CheckEmitter::callSlowPath(IRBuilderBase &IRB, const Access &A,
                                bool HasCallback) {
  const char *Family = familyOf(A.Kind);
  if (HasCallback) {
    Runtime.call(IRB, Abi::byName(Family + Twine(A.Size)), {A.Address});
    return;
  }
  ++NumInstrumentedRanges;
  if (A.Kind != AccessKind::Write)
    Runtime.call(IRB, Callback::__predrace_read_range,
                 {A.Address, IRB.getInt64(A.Size)});
  if (A.Kind != AccessKind::Read)
    Runtime.call(IRB, Callback::__predrace_write_range,
                 {A.Address, IRB.getInt64(A.Size)});
}

void CheckEmitter::emitRange(Instruction *Where, Value *Address, Value *Size,
                             bool IsWrite) {
  InstrumentationBuilder IRB(Where);
  Runtime.call(IRB,
               IsWrite ? Callback::__predrace_write_range
                       : Callback::__predrace_read_range,
               {Address, IRB.CreateZExtOrTrunc(Size, IRB.getInt64Ty())});
  ++(IsWrite ? NumInstrumentedWrites : NumInstrumentedReads);
  ++NumInstrumentedRanges;
}

} // namespace predrace
