; The runtime performs atomic operations; orders are numbered as in C++.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s

define i8 @load8(ptr %p) sanitize_thread {
; CHECK-LABEL: define i8 @load8(
; CHECK: %[[V:.*]] = call zeroext i8 @__predrace_atomic8_load(ptr %p, i32 5)
; CHECK-NOT: load atomic
; CHECK: ret i8 %[[V]]
  %v = load atomic i8, ptr %p seq_cst, align 1
  ret i8 %v
}

define i16 @unordered16(ptr %p) sanitize_thread {
; CHECK-LABEL: define i16 @unordered16(
; CHECK: call zeroext i16 @__predrace_atomic16_load(ptr %p, i32 0)
  %v = load atomic i16, ptr %p unordered, align 2
  ret i16 %v
}

define ptr @acquire_pointer(ptr %p) sanitize_thread {
; CHECK-LABEL: define ptr @acquire_pointer(
; CHECK: %[[V:.*]] = call i64 @__predrace_atomic64_load(ptr %p, i32 2)
; CHECK: inttoptr i64 %[[V]] to ptr
  %v = load atomic ptr, ptr %p acquire, align 8
  ret ptr %v
}

define void @release_float(ptr %p, float %f) sanitize_thread {
; CHECK-LABEL: define void @release_float(
; CHECK: %[[V:.*]] = bitcast float %f to i32
; CHECK: call void @__predrace_atomic32_store(ptr %p, i32 %[[V]], i32 3)
; CHECK-NOT: store atomic
  store atomic float %f, ptr %p release, align 4
  ret void
}

define void @store8(ptr %p, i8 %v) sanitize_thread {
; CHECK-LABEL: define void @store8(
; CHECK: call void @__predrace_atomic8_store(ptr %p, i8 zeroext %v, i32 0)
  store atomic i8 %v, ptr %p monotonic, align 1
  ret void
}

define i64 @updates(ptr %p, i64 %v) sanitize_thread {
; CHECK-LABEL: define i64 @updates(
; CHECK: call i64 @__predrace_atomic64_exchange(ptr %p, i64 %v, i32 2)
; CHECK: call i64 @__predrace_atomic64_fetch_add(ptr %p, i64 %v, i32 0)
; CHECK: call i64 @__predrace_atomic64_fetch_sub(ptr %p, i64 %v, i32 3)
; CHECK: call i64 @__predrace_atomic64_fetch_and(ptr %p, i64 %v, i32 4)
; CHECK: call i64 @__predrace_atomic64_fetch_or(ptr %p, i64 %v, i32 5)
; CHECK: call i64 @__predrace_atomic64_fetch_xor(ptr %p, i64 %v, i32 5)
; CHECK: call i64 @__predrace_atomic64_fetch_nand(ptr %p, i64 %v, i32 5)
; CHECK-NOT: atomicrmw
  %a = atomicrmw xchg ptr %p, i64 %v acquire
  %b = atomicrmw add ptr %p, i64 %v monotonic
  %c = atomicrmw sub ptr %p, i64 %v release
  %d = atomicrmw and ptr %p, i64 %v acq_rel
  %e = atomicrmw or ptr %p, i64 %v seq_cst
  %f = atomicrmw xor ptr %p, i64 %v seq_cst
  %g = atomicrmw nand ptr %p, i64 %v seq_cst
  ret i64 %g
}

define ptr @exchange_pointer(ptr %p, ptr %v) sanitize_thread {
; CHECK-LABEL: define ptr @exchange_pointer(
; CHECK: %[[V:.*]] = ptrtoint ptr %v to i64
; CHECK: %[[OLD:.*]] = call i64 @__predrace_atomic64_exchange(ptr %p, i64 %[[V]], i32 4)
; CHECK: inttoptr i64 %[[OLD]] to ptr
  %o = atomicrmw xchg ptr %p, ptr %v acq_rel
  ret ptr %o
}

define { i32, i1 } @compare_exchange(ptr %p, i32 %e, i32 %d) sanitize_thread {
; CHECK-LABEL: define { i32, i1 } @compare_exchange(
; CHECK: %[[OLD:.*]] = call i32 @__predrace_atomic32_compare_exchange(ptr %p, i32 %e, i32 %d, i32 4, i32 2)
; CHECK: %[[OK:.*]] = icmp eq i32 %[[OLD]], %e
; CHECK: %[[HALF:.*]] = insertvalue { i32, i1 } poison, i32 %[[OLD]], 0
; CHECK: %[[PAIR:.*]] = insertvalue { i32, i1 } %[[HALF]], i1 %[[OK]], 1
; CHECK: ret { i32, i1 } %[[PAIR]]
  %r = cmpxchg weak ptr %p, i32 %e, i32 %d acq_rel acquire
  ret { i32, i1 } %r
}

define i128 @wide(ptr %p, i128 %v) sanitize_thread {
; CHECK-LABEL: define i128 @wide(
; CHECK: call i128 @__predrace_atomic128_fetch_add(ptr %p, i128 %v, i32 5)
  %o = atomicrmw add ptr %p, i128 %v seq_cst
  ret i128 %o
}

define double @update_loop(ptr %p, double %v) sanitize_thread {
; Operations that have no callback of their own.
; CHECK-LABEL: define double @update_loop(
; CHECK: %[[GUESS:.*]] = load atomic i64, ptr %p monotonic, align 8
; CHECK: br label %[[LOOP:.*]]
; CHECK: [[LOOP]]:
; CHECK: %[[EXPECTED:.*]] = phi i64 [ %[[GUESS]], {{.*}} ], [ %[[FOUND:.*]], %[[LOOP]] ]
; CHECK: %[[OLD:.*]] = bitcast i64 %[[EXPECTED]] to double
; CHECK: %[[SUM:.*]] = fadd double %[[OLD]], %v
; CHECK: %[[NEW:.*]] = bitcast double %[[SUM]] to i64
; CHECK: %[[FOUND]] = call i64 @__predrace_atomic64_compare_exchange(ptr %p, i64 %[[EXPECTED]], i64 %[[NEW]], i32 4, i32 2)
; CHECK: %[[DONE:.*]] = icmp eq i64 %[[FOUND]], %[[EXPECTED]]
; CHECK: br i1 %[[DONE]], label %{{.*}}, label %[[LOOP]]
; CHECK: ret double %[[OLD]]
  %o = atomicrmw fadd ptr %p, double %v acq_rel
  ret double %o
}

define i32 @maximum(ptr %p, i32 %v) sanitize_thread {
; CHECK-LABEL: define i32 @maximum(
; CHECK: call i32 @__predrace_atomic32_compare_exchange(
; CHECK-NOT: atomicrmw
  %o = atomicrmw umax ptr %p, i32 %v monotonic
  ret i32 %o
}

define void @fences() sanitize_thread {
; CHECK-LABEL: define void @fences(
; CHECK: call void @__predrace_atomic_fence(i32 2)
; CHECK: call void @__predrace_atomic_fence(i32 3)
; CHECK: call void @__predrace_atomic_fence(i32 4)
; CHECK: call void @__predrace_atomic_fence(i32 5)
; CHECK-NOT: {{^ *fence }}
  fence acquire
  fence release
  fence acq_rel
  fence seq_cst
  ret void
}
