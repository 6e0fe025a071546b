; Copies and fills become calls that tell and do them; small ones of known size stay, behind checks.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
@text = constant [64 x i8] zeroinitializer

define void @copy(ptr %d, ptr %s, i64 %n) sanitize_thread {
; CHECK-LABEL: define void @copy(
; CHECK: call ptr @__predrace_memcpy(ptr %d, ptr %s, i64 %n)
; CHECK-NOT: llvm.mem
; CHECK: ret void
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  ret void
}

define void @move(ptr %d, ptr %s, i32 %n) sanitize_thread {
; CHECK-LABEL: define void @move(
; CHECK: %[[N:.*]] = zext i32 %n to i64
; CHECK: call ptr @__predrace_memmove(ptr %d, ptr %s, i64 %[[N]])
  call void @llvm.memmove.p0.p0.i32(ptr %d, ptr %s, i32 %n, i1 false)
  ret void
}

define void @fill(ptr %d, i8 %v, i64 %n) sanitize_thread {
; CHECK-LABEL: define void @fill(
; CHECK: %[[V:.*]] = zext i8 %v to i32
; CHECK: call ptr @__predrace_memset(ptr %d, i32 %[[V]], i64 %n)
  call void @llvm.memset.p0.i64(ptr %d, i8 %v, i64 %n, i1 false)
  ret void
}

define void @small(ptr %d, ptr %s) sanitize_thread {
; CHECK-LABEL: define void @small(
; CHECK: call preserve_mostcc void @__predrace_read16(ptr %s)
; CHECK: call preserve_mostcc void @__predrace_read8(
; CHECK: call preserve_mostcc void @__predrace_write16(ptr %d)
; CHECK: call preserve_mostcc void @__predrace_write8(
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %d, ptr align 8 %s, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %d, ptr align 8 %s, i64 24, i1 false)
  ret void
}

define void @small_from_constant(ptr %d) sanitize_thread {
; CHECK-LABEL: define void @small_from_constant(
; CHECK-NOT: @__predrace_read
; CHECK: call preserve_mostcc void @__predrace_write16(ptr %d)
; CHECK: call void @llvm.memcpy
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %d, ptr align 8 @text, i64 16, i1 false)
  ret void
}

define void @local() sanitize_thread {
; CHECK-LABEL: define void @local(
; CHECK-NOT: predrace
; CHECK: ret void
  %a = alloca [64 x i8], align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @text, i64 64, i1 false)
  ret void
}

define void @inline(ptr %d, ptr %s) sanitize_thread {
; CHECK-LABEL: define void @inline(
; CHECK: call preserve_mostcc void @__predrace_read_range(ptr %s, i64 100)
; CHECK: call preserve_mostcc void @__predrace_write_range(ptr %d, i64 100)
; CHECK: call void @llvm.memcpy.inline
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %d, ptr %s, i64 100, i1 false)
  ret void
}

define void @element_wise(ptr %d, ptr %s) sanitize_thread {
; CHECK-LABEL: define void @element_wise(
; CHECK: call void @llvm.memcpy.element.unordered.atomic
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %d, ptr align 4 %s, i64 16, i32 4)
  ret void
}
