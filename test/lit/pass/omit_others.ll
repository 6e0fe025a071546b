; Memory that is not shared by plain pointers, or that the program did not write.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace -predrace-stats -disable-output %s 2>&1 | FileCheck --check-prefix=STATS %s

@__profc_main = private global [1 x i64] zeroinitializer
@__llvm_gcov_ctr = internal global [1 x i64] zeroinitializer

define i32 @address_space(ptr addrspace(257) %p) sanitize_thread {
; CHECK-LABEL: define i32 @address_space(
; CHECK-NOT: predrace
; CHECK: ret i32
  %v = load i32, ptr addrspace(257) %p, align 4
  ret i32 %v
}

define void @swift_error(ptr swifterror %p) sanitize_thread {
; CHECK-LABEL: define void @swift_error(
; CHECK-NOT: predrace
; CHECK: ret void
  store ptr null, ptr %p, align 8
  ret void
}

define void @profiling() sanitize_thread {
; CHECK-LABEL: define void @profiling(
; CHECK-NOT: predrace
; CHECK: ret void
  %v = load i64, ptr @__profc_main, align 8
  %w = add i64 %v, 1
  store i64 %w, ptr @__profc_main, align 8
  %x = load i64, ptr @__llvm_gcov_ctr, align 8
  ret void
}

define <vscale x 4 x i32> @scalable(ptr %p) sanitize_thread {
; CHECK-LABEL: define <vscale x 4 x i32> @scalable(
; CHECK-NOT: predrace
; CHECK: ret
  %v = load <vscale x 4 x i32>, ptr %p, align 16
  ret <vscale x 4 x i32> %v
}

define i32 @single_thread(ptr %p) sanitize_thread {
; CHECK-LABEL: define i32 @single_thread(
; CHECK-NOT: predrace
; CHECK: ret i32
  fence syncscope("singlethread") seq_cst
  %v = load atomic i32, ptr %p syncscope("singlethread") seq_cst, align 4
  ret i32 %v
}

define i32 @library_atomic(ptr %p) sanitize_thread {
; CHECK-LABEL: define i32 @library_atomic(
; CHECK-NOT: predrace
; CHECK: ret i32
  %v = load atomic i32, ptr %p seq_cst, align 1
  ret i32 %v
}

; STATS-NOT: instrumented
; STATS: 1 predrace - accesses outside address space 0 omitted
; STATS: 1 predrace - accesses to swifterror values omitted
; STATS: 3 predrace - accesses to profiling counters omitted
; STATS: 1 predrace - accesses of scalable size omitted
; STATS: 2 predrace - atomic operations of one thread's scope omitted
; STATS: 1 predrace - atomic operations left to library calls omitted
