; What is never written cannot race.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace -predrace-stats -disable-output %s 2>&1 | FileCheck --check-prefix=STATS %s

@constant = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@variable = global i32 0

define i32 @constant_global(i64 %i) sanitize_thread {
; CHECK-LABEL: define i32 @constant_global(
; CHECK-NOT: predrace
; CHECK: ret i32
  %p = getelementptr [4 x i32], ptr @constant, i64 0, i64 %i
  %v = load i32, ptr %p, align 4
  ret i32 %v
}

define i32 @invariant(ptr %p) sanitize_thread {
; CHECK-LABEL: define i32 @invariant(
; CHECK-NOT: predrace
; CHECK: ret i32
  %v = load i32, ptr %p, align 4, !invariant.load !0
  ret i32 %v
}

define i32 @variable_global() sanitize_thread {
; CHECK-LABEL: define i32 @variable_global(
; CHECK: call preserve_mostcc void @__predrace_read4(ptr @variable)
  %v = load i32, ptr @variable, align 4
  ret i32 %v
}

!0 = !{}
; STATS: 1 predrace - reads instrumented
; STATS: 2 predrace - reads of constant memory omitted
