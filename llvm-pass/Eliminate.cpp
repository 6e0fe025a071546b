//===- Eliminate.cpp - Which accesses of a function need a check ----------===//

#include "Eliminate.h"
#include "Statistics.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace predrace {

//===----------------------------------------------------------------------===//
// By what the memory is
//===----------------------------------------------------------------------===//

/// Counters that the compiler itself put there (profiles, coverage).
static bool isProfilingCounter(const Value *Object) {
  const auto *G = dyn_cast<GlobalVariable>(Object);
  if (!G || !G->hasName())
    return false;
  for (const char *Prefix :
       {"__prof", "__llvm_prof", "__llvm_gcov", "__llvm_gcda", "__sancov_gen_"})
    if (G->getName().starts_with(Prefix))
      return true;
  return false;
}

static bool isVtablePointerAccess(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  return Tag && Tag->isTBAAVtableAccess();
}

static bool isVtable(const Value *Object) {
  const auto *L = dyn_cast<LoadInst>(Object);
  return L && isVtablePointerAccess(*L);
}

namespace {
/// Whether other code may learn an address. Passing an object by value does
/// not tell where it is: the callee sees a copy.
struct EscapeTracker : CaptureTracker {
  bool Escapes = false;
  void tooManyUses() override { Escapes = true; }
  bool captured(const Use *U) override {
    const auto *Call = dyn_cast<CallBase>(U->getUser());
    if (Call && Call->isArgOperand(U) &&
        Call->isByValArgument(Call->getArgOperandNo(U)))
      return false;
    return Escapes = true;
  }
};
} // namespace

bool MemoryFilter::isPrivate(const Value *Object) {
  const auto *A = dyn_cast<Argument>(Object);
  if (!isa<AllocaInst>(Object) && !(A && A->hasByValAttr()))
    return false;
  auto [Known, New] = Private.try_emplace(Object, false);
  if (New) {
    EscapeTracker Tracker;
    PointerMayBeCaptured(Object, &Tracker);
    Known->second = !Tracker.Escapes;
  }
  return Known->second;
}

bool MemoryFilter::isOmitted(const Value *Address, bool IsWrite) {
  // Another address space is not the memory that threads share by plain
  // pointers (on x86: relative to a segment register); the shadow has none for
  // it. These accesses are not analysed at all, by any engine.
  if (Address->getType()->getPointerAddressSpace() != 0)
    return ++NumOmittedAddressSpace, true;
  // A swifterror value lives in a register; it has no address.
  if (Address->isSwiftError())
    return ++NumOmittedSwiftError, true;

  const Value *Object = getUnderlyingObject(Address, /*MaxLookup=*/0);
  // Memory that is never written in any schedule has no conflicting access.
  if (const auto *G = dyn_cast<GlobalVariable>(Object);
      G && G->isConstant() && !IsWrite)
    return ++NumOmittedConstant, true;
  if (!IsWrite && isVtable(Object))
    return ++NumOmittedVtable, true;
  // A local whose address no other code ever learns is out of the reach of
  // other threads in every schedule.
  if (isPrivate(Object))
    return ++NumOmittedLocal, true;
  // The program did not write these and cannot synchronise them; lost counts
  // are accepted by design of the profile.
  if (isProfilingCounter(Object))
    return ++NumOmittedProfiling, true;
  return false;
}

//===----------------------------------------------------------------------===//
// By what has been told already
//===----------------------------------------------------------------------===//

// Exactness of what follows, for HB, CP and every witness. Let e and e' be
// accesses of one thread to the same bytes, e' no stronger than e, with no
// synchronisation operation of the thread between them. Then any event of
// another thread is ordered alike with both by thread order, locks (the same
// critical sections are open), fork, join and hard order; hence e' races only
// if e does, and e alone is enough. (design: "What may be dropped".) Witness
// searches also need that nobody else wrote the bytes between e and e'. Such a
// write is unordered with e by happens-before: an order would need a
// synchronisation operation of our thread after e. So e races with it in this
// very run, and that is reported without a search.
namespace {

/// What the thread has told about the bytes at one address since its last
/// possible synchronisation.
struct Told {
  uint64_t Accessed = 0; ///< bytes, from the address on
  uint64_t Written = 0;
  /// Index of a read of this block that a write may still absorb; -1: none.
  int PendingRead = -1;
};
using ToldMap = SmallDenseMap<const Value *, Told, 16>;

/// Bigger tables are not handed on to successors: they are copied.
constexpr unsigned MaxInherited = 128;

class AccessFinder {
public:
  AccessFinder(Function &F, MemoryFilter &Filter)
      : F(F), DL(F.getDataLayout()), Filter(Filter) {}
  SmallVector<Access, 0> run();

private:
  void visit(Instruction &I);
  void visitAccess(Instruction &I, Value *Address, Type *Ty, Align Alignment,
                   bool IsWrite);
  bool isRepeated(const Access &A);
  void tell(Access A);

  Function &F;
  const DataLayout &DL;
  MemoryFilter &Filter;
  ToldMap Known;
  SmallVector<Access, 0> Accesses;
  SmallVector<bool, 0> Dropped; ///< by index of Accesses
};

/// Whether the instruction may synchronise (or give memory back, after which
/// the same address may be another variable).
bool maySynchronise(const Instruction &I) {
  if (isa<LifetimeIntrinsic>(I))
    return true; // the slot may be another variable from here on
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return !isa<AnyMemIntrinsic>(Call) && !isa<DbgInfoIntrinsic>(Call) &&
           !Call->doesNotAccessMemory() &&
           !(Call->hasFnAttr(Attribute::NoSync) &&
             Call->hasFnAttr(Attribute::NoFree));
  return I.isAtomic();
}

void AccessFinder::visit(Instruction &I) {
  if (maySynchronise(I)) {
    Known.clear();
    return;
  }
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    // The program promises that this memory is not written while it can be
    // read: no schedule has a conflicting access.
    if (L->hasMetadata(LLVMContext::MD_invariant_load)) {
      ++NumOmittedConstant;
      return;
    }
    visitAccess(I, L->getPointerOperand(), L->getType(), L->getAlign(), false);
  } else if (auto *S = dyn_cast<StoreInst>(&I)) {
    visitAccess(I, S->getPointerOperand(), S->getValueOperand()->getType(),
                S->getAlign(), true);
  }
}

void AccessFinder::visitAccess(Instruction &I, Value *Address, Type *Ty,
                               Align Alignment, bool IsWrite) {
  if (Filter.isOmitted(Address, IsWrite))
    return;
  TypeSize Size = DL.getTypeStoreSize(Ty);
  // No x86 code has them. Not analysed at all, by any engine.
  if (Size.isScalable()) {
    ++NumOmittedScalable;
    return;
  }
  if (Size.isZero())
    return;
  Access A = {&I, Address, Size.getFixedValue(), Alignment,
              IsWrite ? AccessKind::Write : AccessKind::Read};
  if (IsWrite && isVtablePointerAccess(I) && A.Size == 8)
    A.VtablePointer = cast<StoreInst>(I).getValueOperand();
  if (isRepeated(A))
    ++NumOmittedRepeated;
  else
    tell(A);
}

bool AccessFinder::isRepeated(const Access &A) {
  auto Found = Known.find(A.Address);
  if (Found == Known.end())
    return false;
  const Told &T = Found->second;
  return A.Size <= (A.Kind == AccessKind::Read ? T.Accessed : T.Written);
}

void AccessFinder::tell(Access A) {
  // Such a store tells nothing when it leaves the value as it was.
  if (!A.VtablePointer) {
    Told &T = Known[A.Address];
    if (A.Kind == AccessKind::Read) {
      T.PendingRead = static_cast<int>(Accesses.size());
    } else {
      // A read of the same bytes earlier in this block: the write tells both.
      // The read moves down to the write, past nothing that synchronises.
      int Read = T.PendingRead;
      if (Read >= 0 && Accesses[Read].Size == A.Size) {
        Dropped[Read] = true;
        A.Kind = AccessKind::Update;
        ++NumOmittedReadBeforeWrite;
      }
      T.PendingRead = -1;
      T.Written = std::max(T.Written, A.Size);
    }
    T.Accessed = std::max(T.Accessed, A.Size);
  }
  Accesses.push_back(A);
  Dropped.push_back(false);
}

SmallVector<Access, 0> AccessFinder::run() {
  // A block with one predecessor runs right behind it, so it starts with what
  // the predecessor told.
  DenseMap<const BasicBlock *, ToldMap> AtEnd;
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F)) {
    Known.clear();
    if (const BasicBlock *Before = BB->getSinglePredecessor())
      if (auto Found = AtEnd.find(Before); Found != AtEnd.end())
        Known = Found->second;
    for (auto &[Address, T] : Known)
      T.PendingRead = -1; // other successors still need that read
    for (Instruction &I : *BB)
      visit(I);
    if (Known.empty() || Known.size() > MaxInherited)
      continue;
    for (const BasicBlock *Next : successors(BB))
      if (Next->getSinglePredecessor() == BB) {
        AtEnd.try_emplace(BB, Known);
        break;
      }
  }
  SmallVector<Access, 0> Kept;
  for (auto [A, D] : zip(Accesses, Dropped))
    if (!D)
      Kept.push_back(A);
  return Kept;
}

} // namespace

SmallVector<Access, 0> findAccesses(Function &F, MemoryFilter &Filter) {
  return AccessFinder(F, Filter).run();
}

} // namespace predrace
