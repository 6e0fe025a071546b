; Passing an object by value reads it.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
declare void @take(ptr byval([5 x i64]))

define void @pass(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @pass(
; CHECK: call preserve_mostcc void @__predrace_read_range(ptr %p, i64 40)
; CHECK: call void @take(
  call void @take(ptr byval([5 x i64]) %p)
  ret void
}

define void @pass_own_copy() sanitize_thread {
; CHECK-LABEL: define void @pass_own_copy(
; CHECK-NOT: @__predrace_read_range
; CHECK: ret void
  %a = alloca [5 x i64], align 8
  call void @take(ptr byval([5 x i64]) %a)
  ret void
}
