; An aligned access of 1, 2, 4 or 8 bytes: one look at the shadow word, and a call only if that has news.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s

define i8 @read1(ptr %p) sanitize_thread {
; CHECK-LABEL: define i8 @read1(
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr %p to i64
; CHECK: [[PLACE:%.*]] = and i64 [[ADDRESS]], 7
; CHECK: [[BYTES:%.*]] = shl i64 256, [[PLACE]]
; CHECK: [[NEEDED:%.*]] = or i64 [[BYTES]], -65536
; CHECK: [[MASK:%.*]] = load i64, ptr getelementptr inbounds (i8, ptr @__predrace_shadow, i64 8), align 8, !invariant.load
; CHECK: [[OFFSET:%.*]] = and i64 [[ADDRESS]], [[MASK]]
; CHECK: [[BASE:%.*]] = load ptr, ptr @__predrace_shadow, align 8, !invariant.load
; CHECK: [[SHADOW:%.*]] = getelementptr i8, ptr [[BASE]], i64 [[OFFSET]]
; CHECK: [[WORD:%.*]] = load atomic i64, ptr [[SHADOW]] unordered, align 8
; CHECK: [[THREAD:%.*]] = call ptr @llvm.threadlocal.address.p0(ptr @__predrace_thread)
; CHECK: [[SEGMENT:%.*]] = load i64, ptr [[THREAD]]
; CHECK: [[DIFFERENT:%.*]] = xor i64 [[WORD]], [[SEGMENT]]
; CHECK: [[MISSING:%.*]] = and i64 [[DIFFERENT]], [[NEEDED]]
; CHECK: [[NEWS:%.*]] = icmp ne i64 [[MISSING]], 0
; CHECK: br i1 [[NEWS]], label %[[TELL:.*]], label %[[GO:[^,]*]], !prof
; CHECK: [[TELL]]:
; CHECK-NEXT: call preserve_mostcc void @__predrace_read1(ptr %p)
; CHECK-NEXT: br label %[[GO]]
; CHECK: [[GO]]:
; CHECK: load i8, ptr %p
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i16 @read2(ptr %p) sanitize_thread {
; CHECK-LABEL: define i16 @read2(
; CHECK: [[PLACE:%.*]] = and i64 {{.*}}, 6
; CHECK: shl i64 768, [[PLACE]]
; CHECK: call preserve_mostcc void @__predrace_read2(ptr %p)
  %v = load i16, ptr %p, align 2
  ret i16 %v
}

define void @write4(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @write4(
; CHECK: [[PLACE:%.*]] = and i64 {{.*}}, 4
; CHECK: shl i64 15, [[PLACE]]
; CHECK: call preserve_mostcc void @__predrace_write4(ptr %p)
; CHECK: store float
  store float 1.0, ptr %p, align 4
  ret void
}

define ptr @read8(ptr %p) sanitize_thread {
; The place in the granule is known: a constant mask.
; CHECK-LABEL: define ptr @read8(
; CHECK-NOT: shl
; CHECK: and i64 {{.*}}, -256
; CHECK: call preserve_mostcc void @__predrace_read8(ptr %p)
  %v = load ptr, ptr %p, align 8
  ret ptr %v
}

define void @write8(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @write8(
; CHECK: and i64 {{.*}}, -65281
; CHECK: call preserve_mostcc void @__predrace_write8(ptr %p)
  store i64 1, ptr %p, align 8
  ret void
}

define i32 @known_place(ptr align 8 %p) sanitize_thread {
; CHECK-LABEL: define i32 @known_place(
; CHECK-NOT: shl
; 0xF000 and the segment
; CHECK: and i64 {{.*}}, -4096
; CHECK: call preserve_mostcc void @__predrace_read4(
  %q = getelementptr i8, ptr %p, i64 4
  %v = load i32, ptr %q, align 4
  ret i32 %v
}

define i32 @volatile(ptr %p) sanitize_thread {
; Volatile is no synchronisation: a plain access.
; CHECK-LABEL: define i32 @volatile(
; CHECK: call preserve_mostcc void @__predrace_read4(ptr %p)
; CHECK: load volatile i32
  %v = load volatile i32, ptr %p, align 4
  ret i32 %v
}

define i1 @bit(ptr %p) sanitize_thread {
; CHECK-LABEL: define i1 @bit(
; CHECK: call preserve_mostcc void @__predrace_read1(ptr %p)
  %v = load i1, ptr %p, align 1
  ret i1 %v
}

; CHECK: declare dso_local preserve_mostcc void @__predrace_read1(ptr) #[[COLD:[0-9]+]]
; Tail merging would give two accesses one program counter.
; CHECK-DAG: attributes #[[COLD]] = { cold nounwind nonlazybind }
; CHECK-DAG: attributes {{.*}} = { cold nomerge nounwind nonlazybind }
