//===- Frames.cpp - Function entry and exit -------------------------------===//
//
// An instrumented function keeps its caller's address on the thread's frame
// stack, so that any event can name its whole call context.
//
// Invariants
//  (1) Between entry and exit, whenever the function's own code runs, top is
//      its frame + 1. Callees restore what they found. Those that do not come
//      back through their exits are caught where control arrives instead: at
//      landing pads and after calls that return twice.
//  (2) top moves before the frame is written. A signal handler in between
//      pushes above us; in the other order it would overwrite our frame.
//
//===----------------------------------------------------------------------===//

#include "Frames.h"
#include "Statistics.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace predrace {

static constexpr uint64_t FrameBytes = 16;

bool mayCallInstrumented(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    // A callee that touches no memory has no access to report.
    if (Call && !isa<IntrinsicInst>(Call) && !Call->isInlineAsm() &&
        !Call->doesNotAccessMemory())
      return true;
  }
  return false;
}

/// Places where control comes back without passing our callees' exits.
static SmallVector<Instruction *, 4> findReentries(Function &F) {
  SmallVector<Instruction *, 4> Places;
  for (BasicBlock &BB : F) {
    if (BB.isLandingPad())
      Places.push_back(&*BB.getFirstInsertionPt());
    for (Instruction &I : BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !Call->hasFnAttr(Attribute::ReturnsTwice))
        continue;
      if (auto *Invoke = dyn_cast<InvokeInst>(Call))
        Places.push_back(&*Invoke->getNormalDest()->getFirstInsertionPt());
      else
        Places.push_back(Call->getNextNonDebugInstruction());
    }
  }
  return Places;
}

static SmallVector<Instruction *, 4> findExits(Function &F) {
  SmallVector<Instruction *, 4> Exits;
  for (BasicBlock &BB : F) {
    Instruction *Last = BB.getTerminator();
    if (!isa<ReturnInst>(Last) && !isa<ResumeInst>(Last))
      continue;
    // Nothing may stand between a musttail call and its return; the callee
    // takes our place on the stack, so our frame goes first.
    if (CallInst *Tail = BB.getTerminatingMustTailCall())
      Last = Tail;
    Exits.push_back(Last);
  }
  return Exits;
}

void instrumentFrame(Function &F, Abi &A) {
  SmallVector<Instruction *, 4> Reentries = findReentries(F);
  SmallVector<Instruction *, 4> Exits = findExits(F);

  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> IRB(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  IRB.SetCurrentDebugLocation(DebugLoc());
  Value *Frame = IRB.CreateAlignedLoad(IRB.getPtrTy(), A.topAddress(IRB),
                                       Align(8), "predrace.frame");
  Value *Top = IRB.CreateConstInBoundsGEP1_64(IRB.getInt8Ty(), Frame,
                                              FrameBytes, "predrace.top");
  IRB.CreateAlignedStore(Top, A.topAddress(IRB), Align(8));
  Value *Caller = IRB.CreatePtrToInt(
      IRB.CreateIntrinsic(Intrinsic::returnaddress, {}, {IRB.getInt32(0)}),
      IRB.getInt64Ty());
  // An address inside the call instruction, as all pcs of contexts are.
  Value *Call = IRB.CreateSub(Caller, IRB.getInt64(1));
  IRB.CreateAlignedStore(Call, Frame, Align(8));
  IRB.CreateAlignedStore(
      IRB.getInt64(0),
      IRB.CreateConstInBoundsGEP1_64(IRB.getInt8Ty(), Frame, 8), Align(8));

  for (Instruction *I : Reentries) {
    IRBuilder<> Here(I);
    Here.CreateAlignedStore(Top, A.topAddress(Here), Align(8));
  }
  for (Instruction *I : Exits) {
    IRBuilder<> Here(I);
    Here.CreateAlignedStore(Frame, A.topAddress(Here), Align(8));
  }

  // Inlining at link time would make llvm.returnaddress name the wrong caller.
  // (Whatever could be inlined before this pass already is.)
  if (!F.hasFnAttribute(Attribute::AlwaysInline))
    F.addFnAttr(Attribute::NoInline);
  ++NumInstrumentedFunctions;
}

} // namespace predrace
