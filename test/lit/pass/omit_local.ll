; A local whose address nobody else learns.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace -predrace-stats -disable-output %s 2>&1 | FileCheck --check-prefix=STATS %s

declare void @escape(ptr)

define i32 @local() sanitize_thread {
; CHECK-LABEL: define i32 @local(
; CHECK-NOT: predrace
; CHECK: ret i32
  %a = alloca [4 x i32], align 16
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 2
  store i32 1, ptr %p, align 4
  %v = load i32, ptr %p, align 4
  ret i32 %v
}

define i32 @by_value(ptr byval(i32) %p) sanitize_thread {
; CHECK-LABEL: define i32 @by_value(
; CHECK-NOT: predrace
; CHECK: ret i32
  %v = load i32, ptr %p, align 4
  ret i32 %v
}

define i32 @escaping() sanitize_thread {
; CHECK-LABEL: define i32 @escaping(
; CHECK: call preserve_mostcc void @__predrace_write4(
; CHECK: call void @escape(
; CHECK: call preserve_mostcc void @__predrace_read4(
  %a = alloca i32, align 4
  store i32 1, ptr %a, align 4
  call void @escape(ptr %a)
  %v = load i32, ptr %a, align 4
  ret i32 %v
}

; STATS: 1 predrace - reads instrumented
; STATS: 1 predrace - writes instrumented
; STATS: 3 predrace - accesses to locals that do not escape omitted
