; A constructor or destructor that stores the virtual table pointer that is already there changes nothing
; that another thread could see; one that stores another pointer does.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s

define void @destructor(ptr %object, ptr %table) sanitize_thread {
; CHECK-LABEL: define void @destructor(
; CHECK: br i1 {{.*}}, label %[[MISSING:.*]], label %[[GO:[^,]*]], !prof
; CHECK: [[MISSING]]:
; CHECK-NEXT: [[OLD:%.*]] = load atomic ptr, ptr %object unordered, align 8
; CHECK-NEXT: [[CHANGES:%.*]] = icmp ne ptr [[OLD]], %table
; CHECK-NEXT: br i1 [[CHANGES]], label %[[TELL:.*]], label
; CHECK: [[TELL]]:
; CHECK-NEXT: call preserve_mostcc void @__predrace_write8(ptr %object)
  store ptr %table, ptr %object, align 8, !tbaa !0
  ret void
}

define ptr @not_told_for_sure(ptr %object, ptr %table) sanitize_thread {
; So what follows cannot count on it.
; CHECK-LABEL: define ptr @not_told_for_sure(
; CHECK: call preserve_mostcc void @__predrace_write8(ptr %object)
; CHECK: call preserve_mostcc void @__predrace_read8(ptr %object)
  store ptr %table, ptr %object, align 8, !tbaa !0
  %v = load ptr, ptr %object, align 8, !tbaa !0
  ret ptr %v
}

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
