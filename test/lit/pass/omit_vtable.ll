; Virtual tables are constant; the pointer to one, in the object, is not.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace -predrace-stats -disable-output %s 2>&1 | FileCheck --check-prefix=STATS %s

define void @virtual_call(ptr %object) sanitize_thread {
; CHECK-LABEL: define void @virtual_call(
; CHECK: call preserve_mostcc void @__predrace_read8(ptr %object)
; CHECK-NOT: call preserve_mostcc
; CHECK: ret void
  %table = load ptr, ptr %object, align 8, !tbaa !0
  %slot = getelementptr inbounds ptr, ptr %table, i64 2
  %f = load ptr, ptr %slot, align 8
  call void %f(ptr %object)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
; STATS: 1 predrace - reads instrumented
; STATS: 1 predrace - reads of virtual tables omitted
