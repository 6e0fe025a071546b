; An aligned access of 1, 2, 4 or 8 bytes: one look at the shadow word, and a call only if that has news.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s

; By place in the granule: the segment, and the bytes that must be accessed (bits 8..15) or written (0..7).
; CHECK-DAG: @__predrace_read1_bits = linkonce_odr hidden constant [8 x i64] [i64 -65280, i64 -65024, i64 -64512, i64 -63488, i64 -61440, i64 -57344, i64 -49152, i64 -32768], comdat, align 64
; CHECK-DAG: @__predrace_write4_bits = linkonce_odr hidden constant [8 x i64] [i64 -65521, i64 -65506, i64 -65476, i64 -65416, i64 -65296, i64 -65312, i64 -65344, i64 -65408], comdat, align 64

define i8 @read1(ptr %p) sanitize_thread {
; CHECK-LABEL: define i8 @read1(
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr %p to i64
; CHECK: [[PLACE:%.*]] = and i64 [[ADDRESS]], 7
; CHECK: [[ENTRY:%.*]] = getelementptr inbounds i64, ptr @__predrace_read1_bits, i64 [[PLACE]]
; CHECK: [[NEEDED:%.*]] = load i64, ptr [[ENTRY]], align 8, !invariant.load
; CHECK: [[MASK_AT:%.*]] = getelementptr inbounds i8, ptr {{.*}}, i64 24
; CHECK: [[MASK:%.*]] = load i64, ptr [[MASK_AT]], align 8, !invariant.load
; CHECK: [[MASKED:%.*]] = and i64 [[ADDRESS]], [[MASK]]
; CHECK: [[OFFSET:%.*]] = shl i64 [[MASKED]], 1
; CHECK: [[BASE_AT:%.*]] = getelementptr inbounds i8, ptr {{.*}}, i64 16
; CHECK: [[BASE:%.*]] = load ptr, ptr [[BASE_AT]], align 8, !invariant.load
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
; CHECK: getelementptr inbounds i64, ptr @__predrace_read2_bits, i64 [[PLACE]]
; CHECK: call preserve_mostcc void @__predrace_read2(ptr %p)
  %v = load i16, ptr %p, align 2
  ret i16 %v
}

define void @write4(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @write4(
; CHECK: [[PLACE:%.*]] = and i64 {{.*}}, 4
; CHECK: getelementptr inbounds i64, ptr @__predrace_write4_bits, i64 [[PLACE]]
; CHECK: call preserve_mostcc void @__predrace_write4(ptr %p)
; CHECK: store float
  store float 1.0, ptr %p, align 4
  ret void
}

define ptr @read8(ptr %p) sanitize_thread {
; The place in the granule is known: a constant mask.
; CHECK-LABEL: define ptr @read8(
; CHECK-NOT: _bits
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
; CHECK-NOT: _bits
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
