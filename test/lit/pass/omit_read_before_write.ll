; x++: the write tells the read as well, if nothing between them may synchronise.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace -predrace-stats -disable-output %s 2>&1 | FileCheck --check-prefix=STATS %s

declare void @any()
declare i32 @pure(i32) memory(none)

define void @increment(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @increment(
; CHECK-NOT: @__predrace_read
; CHECK: load i32, ptr %p
; CHECK: call preserve_mostcc void @__predrace_update4(ptr %p)
; CHECK: store i32
  %v = load i32, ptr %p, align 4
  %w = call i32 @pure(i32 %v)
  store i32 %w, ptr %p, align 4
  ret void
}

define void @call_between(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @call_between(
; CHECK: call preserve_mostcc void @__predrace_read4(ptr %p)
; CHECK: call void @any()
; CHECK: call preserve_mostcc void @__predrace_write4(ptr %p)
  %v = load i32, ptr %p, align 4
  call void @any()
  store i32 %v, ptr %p, align 4
  ret void
}

define void @atomic_between(ptr %p, ptr %a) sanitize_thread {
; CHECK-LABEL: define void @atomic_between(
; CHECK: call preserve_mostcc void @__predrace_read4(ptr %p)
; CHECK: call i32 @__predrace_atomic32_load(ptr %a, i32 0)
; CHECK: call preserve_mostcc void @__predrace_write4(ptr %p)
  %v = load i32, ptr %p, align 4
  %o = load atomic i32, ptr %a monotonic, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

define void @only_sometimes_written(ptr %p, i1 %c) sanitize_thread {
; The write is in another block, and may not happen: the read stays.
; CHECK-LABEL: define void @only_sometimes_written(
; CHECK: call preserve_mostcc void @__predrace_read4(ptr %p)
; CHECK: call preserve_mostcc void @__predrace_write4(ptr %p)
  %v = load i32, ptr %p, align 4
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p, align 4
  br label %no
no:
  ret void
}

define void @other_size(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @other_size(
; CHECK: call preserve_mostcc void @__predrace_read8(ptr %p)
; CHECK: call preserve_mostcc void @__predrace_write4(ptr %p)
  %v = load i64, ptr %p, align 8
  store i32 1, ptr %p, align 8
  ret void
}

; STATS: 4 predrace - reads instrumented
; STATS: 4 predrace - writes instrumented
; STATS: 1 predrace - reads and writes instrumented as one update
; STATS: 1 predrace - reads before a write of the same bytes omitted
