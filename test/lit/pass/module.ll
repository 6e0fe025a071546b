; What an instrumented module brings along, once.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,predrace,verify -S %s | FileCheck %s

; The constructor runs before all others.
; CHECK-DAG: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @predrace.module_ctor, ptr null }]
; CHECK-DAG: @__ehdr_start = external hidden global i8
; CHECK-DAG: @__predrace_engine_path = weak_odr constant [{{[0-9]+}} x i8] c"/{{.*}}/bin/predrace-engine\00", comdat
; CHECK-DAG: @__predrace_symbolizer_path = weak_odr constant [{{[0-9]+}} x i8] c"/{{.*}}/llvm-symbolizer\00", comdat

; Code for executables reaches the runtime directly (module_shared.ll is the other case).
; CHECK-DAG: @__predrace_thread = external dso_local thread_local(localexec) global { i64, ptr, ptr, i64 }

; CHECK-LABEL: define i32 @f(
; CHECK: call preserve_mostcc void @__predrace_read4(ptr %p)
; CHECK-NOT: call preserve_mostcc
define i32 @f(ptr %p) sanitize_thread {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}

; CHECK-LABEL: define internal void @predrace.module_ctor(
; CHECK-NEXT: call void @__predrace_module_init(ptr @__ehdr_start)
; CHECK-NEXT: ret void
