//===- Attributes.cpp - no_sanitize("predrace") ---------------------------===//
//
// A plugin of clang's front end, apart from the pass because opt must be able
// to load that. clang knows no sanitizer of our name; it keeps the attribute
// but does nothing for it. This makes no_sanitize("predrace") mean
// no_sanitize("thread"), which takes the sanitize_thread attribute away before
// any optimisation.
//
// Functions reach us one top-level declaration at a time, before code is
// generated for them, and before templates in them are instantiated (which
// copies attributes).
//
//===----------------------------------------------------------------------===//

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

using namespace clang;

namespace {

class Renamer : public RecursiveASTVisitor<Renamer> {
public:
  bool VisitFunctionDecl(FunctionDecl *F) {
    rename(F);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) {
    rename(E->getCallOperator());
    return true;
  }

private:
  void rename(FunctionDecl *F) {
    if (isNamed(F))
      F->addAttr(NoSanitizeAttr::CreateImplicit(F->getASTContext(), Thread, 1));
  }
  static bool isNamed(const FunctionDecl *F) {
    for (const auto *A : F->specific_attrs<NoSanitizeAttr>())
      for (llvm::StringRef Name : A->sanitizers())
        if (Name == "predrace")
          return true;
    return false;
  }
  llvm::StringRef Thread[1] = {"thread"};
};

class RenamingConsumer : public ASTConsumer {
public:
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      Renamer().TraverseDecl(D);
    return true;
  }
};

class RenamingAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 llvm::StringRef) override {
    return std::make_unique<RenamingConsumer>();
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

static FrontendPluginRegistry::Add<RenamingAction>
    Register("predrace-attributes", "make no_sanitize(\"predrace\") work");
