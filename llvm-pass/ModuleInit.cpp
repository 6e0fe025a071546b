//===- ModuleInit.cpp - What each instrumented module tells the runtime ---===//
//
// A program finds the engine of the toolchain that built it by an absolute path
// that this plugin computes from the place of its own file:
//   <prefix>/lib/predrace/PredRacePass.so   ->   <prefix>/bin/predrace-engine
// so that a build tree, an install tree and a moved install tree all work.
//
//===----------------------------------------------------------------------===//

#include "ModuleInit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <dlfcn.h>

using namespace llvm;

namespace predrace {

static const char ConstructorName[] = "predrace.module_ctor";

bool isInstrumentedModule(const Module &M) {
  return M.getFunction(ConstructorName) != nullptr;
}

static std::string enginePath() {
  static const char Here = 0;
  Dl_info Info;
  SmallString<256> Path;
  if (dladdr(&Here, &Info) == 0 || sys::fs::real_path(Info.dli_fname, Path))
    return "";
  for (int I = 0; I < 3; ++I) // the file, predrace, lib
    sys::path::remove_filename(Path);
  sys::path::append(Path, "bin", "predrace-engine");
  return std::string(Path);
}

/// One definition in the program, whichever module's: weak_odr rather than
/// linkonce_odr because nothing in the module itself refers to it.
static void defineText(Module &M, StringRef Name, StringRef Text) {
  if (M.getNamedGlobal(Name))
    return;
  Constant *Value = ConstantDataArray::getString(M.getContext(), Text);
  auto *G = new GlobalVariable(M, Value->getType(), true,
                               GlobalValue::WeakODRLinkage, Value, Name);
  G->setComdat(M.getOrInsertComdat(Name));
}

void instrumentModule(Module &M, Abi &A) {
  LLVMContext &C = M.getContext();
  auto *Constructor = Function::createWithDefaultAttr(
      FunctionType::get(Type::getVoidTy(C), false),
      GlobalValue::InternalLinkage, 0, ConstructorName, &M);
  Constructor->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> IRB(
      ReturnInst::Create(C, BasicBlock::Create(C, "", Constructor)));
  // Where this module (executable or shared object) is loaded: the linker
  // defines it, hidden, in each.
  auto *Header = cast<GlobalVariable>(
      M.getOrInsertGlobal("__ehdr_start", IRB.getInt8Ty()));
  Header->setVisibility(GlobalValue::HiddenVisibility);
  A.call(IRB, Callback::__predrace_module_init, {Header});
  appendToGlobalCtors(M, Constructor, /*Priority=*/0);

  defineText(M, "__predrace_engine_path", enginePath());
  defineText(M, "__predrace_symbolizer_path", PREDRACE_SYMBOLIZER);
}

} // namespace predrace
