//===- Masked.cpp - Vector accesses under a mask --------------------------===//

#include "Masked.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace predrace {

std::optional<MaskedAccess> asMaskedAccess(Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return std::nullopt;
  // Operands: load, gather (address, alignment, mask, rest of the result);
  // store, scatter (value, address, alignment, mask).
  unsigned First;
  AccessKind Kind;
  Type *Ty;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    First = 0;
    Kind = AccessKind::Read;
    Ty = Call->getType();
    break;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    First = 1;
    Kind = AccessKind::Write;
    Ty = Call->getArgOperand(0)->getType();
    break;
  default:
    return std::nullopt;
  }
  auto *Vector = dyn_cast<FixedVectorType>(Ty);
  if (!Vector)
    return std::nullopt;
  auto *Alignment = cast<ConstantInt>(Call->getArgOperand(First + 1));
  return MaskedAccess{Call,
                      Call->getArgOperand(First),
                      Call->getArgOperand(First + 2),
                      Vector,
                      Alignment->getMaybeAlignValue().valueOrOne(),
                      Kind};
}

void instrumentMasked(const MaskedAccess &M, CheckEmitter &Checks) {
  const DataLayout &DL = M.I->getDataLayout();
  Type *Element = M.Type->getElementType();
  uint64_t Size = DL.getTypeStoreSize(Element).getFixedValue();
  for (unsigned Lane = 0; Lane < M.Type->getNumElements(); ++Lane) {
    InstrumentationBuilder IRB(M.I);
    Value *IsSelected = IRB.CreateExtractElement(M.Mask, Lane);
    if (auto *Known = dyn_cast<ConstantInt>(IsSelected);
        Known && Known->isZero())
      continue;
    Value *Address;
    Align Alignment = M.Alignment;
    if (M.Address->getType()->isVectorTy()) {
      Address = IRB.CreateExtractElement(M.Address, Lane);
    } else {
      Address = IRB.CreateConstGEP1_64(Element, M.Address, Lane);
      Alignment = commonAlignment(Alignment, Lane * Size);
    }
    Instruction *Then =
        SplitBlockAndInsertIfThen(IsSelected, M.I, /*Unreachable=*/false);
    Then->setDebugLoc(IRB.getCurrentDebugLocation());
    Checks.emit({Then, Address, Size, Alignment, M.Kind, nullptr});
  }
}

} // namespace predrace
