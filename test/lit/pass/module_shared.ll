; Code for shared libraries reaches the runtime, which is in the executable, by the global offset table.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s

; CHECK-DAG: @__predrace_thread = external thread_local(initialexec) global { i64, ptr, ptr, i64 }
; CHECK-DAG: declare preserve_mostcc void @__predrace_read4(ptr)
define i32 @f(ptr %p) sanitize_thread {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}

!llvm.module.flags = !{!0}
!0 = !{i32 8, !"PIC Level", i32 2}
