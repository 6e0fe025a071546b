; Accesses of more than a granule, or across granules.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace -predrace-stats -disable-output %s 2>&1 | FileCheck --check-prefix=STATS %s

define <2 x i64> @sixteen(ptr %p) sanitize_thread {
; Two words, one branch.
; CHECK-LABEL: define <2 x i64> @sixteen(
; CHECK: [[FIRST:%.*]] = load atomic i64, ptr [[SHADOW:%.*]] unordered
; CHECK: [[NEXT:%.*]] = getelementptr i8, ptr [[SHADOW]], i64 16
; CHECK: load atomic i64, ptr [[NEXT]] unordered
; CHECK: [[BOTH:%.*]] = or i64
; CHECK: and i64 [[BOTH]], -256
; CHECK: br i1
; CHECK-NOT: br i1
; CHECK: call preserve_mostcc void @__predrace_read16(ptr %p)
  %v = load <2 x i64>, ptr %p, align 8
  ret <2 x i64> %v
}

define void @sixteen_update(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @sixteen_update(
; CHECK-NOT: @__predrace_read
; CHECK: and i64 {{.*}}, -65281
; CHECK: call preserve_mostcc void @__predrace_update16(ptr %p)
  %v = load i128, ptr %p, align 16
  %w = add i128 %v, 1
  store i128 %w, ptr %p, align 16
  ret void
}

define void @sixteen_unaligned(ptr %p, <4 x i32> %v) sanitize_thread {
; Three words: what is in the first, a whole one, what is in the last.
; CHECK-LABEL: define void @sixteen_unaligned(
; CHECK: [[PLACE:%.*]] = and i64 {{.*}}, 7
; CHECK: [[SHIFTED:%.*]] = shl i64 255, [[PLACE]]
; CHECK: [[FIRST:%.*]] = and i64 [[SHIFTED]], 255
; CHECK: xor i64 [[FIRST]], 255
; CHECK-COUNT-3: load atomic i64
; CHECK: call preserve_mostcc void @__predrace_write_range(ptr %p, i64 16)
  store <4 x i32> %v, ptr %p, align 4
  ret void
}

define void @eight_unaligned(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @eight_unaligned(
; CHECK-COUNT-2: load atomic i64
; CHECK: call preserve_mostcc void @__predrace_write_range(ptr %p, i64 8)
  store i64 1, ptr %p, align 1
  ret void
}

define <8 x i32> @thirty_two(ptr %p) sanitize_thread {
; CHECK-LABEL: define <8 x i32> @thirty_two(
; CHECK-COUNT-4: load atomic i64
; CHECK-NOT: load atomic
; CHECK: call preserve_mostcc void @__predrace_read_range(ptr %p, i64 32)
  %v = load <8 x i32>, ptr %p, align 32
  ret <8 x i32> %v
}

define void @unaligned_update(ptr %p) sanitize_thread {
; No callback tells both: two calls.
; CHECK-LABEL: define void @unaligned_update(
; CHECK: call preserve_mostcc void @__predrace_read_range(ptr %p, i64 8)
; CHECK-NEXT: call preserve_mostcc void @__predrace_write_range(ptr %p, i64 8)
  %v = load i64, ptr %p, align 4
  %w = add i64 %v, 1
  store i64 %w, ptr %p, align 4
  ret void
}

define <16 x i32> @sixty_four(ptr %p) sanitize_thread {
; CHECK-LABEL: define <16 x i32> @sixty_four(
; CHECK-NOT: load atomic
; CHECK: call preserve_mostcc void @__predrace_read_range(ptr %p, i64 64)
  %v = load <16 x i32>, ptr %p, align 64
  ret <16 x i32> %v
}

define x86_fp80 @long_double(ptr %p) sanitize_thread {
; CHECK-LABEL: define x86_fp80 @long_double(
; CHECK: call preserve_mostcc void @__predrace_read_range(ptr %p, i64 10)
  %v = load x86_fp80, ptr %p, align 16
  ret x86_fp80 %v
}

define void @odd(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @odd(
; CHECK: call preserve_mostcc void @__predrace_write_range(ptr %p, i64 3)
  store i24 1, ptr %p, align 4
  ret void
}

define i32 @four_unaligned(ptr %p) sanitize_thread {
; CHECK-LABEL: define i32 @four_unaligned(
; CHECK-NOT: load atomic
; CHECK: call preserve_mostcc void @__predrace_read_range(ptr %p, i64 4)
  %v = load i32, ptr %p, align 2
  ret i32 %v
}

; STATS: 5 predrace - reads instrumented
; STATS: 3 predrace - writes instrumented
; STATS: 2 predrace - reads and writes instrumented as one update
; STATS: 8 predrace - of these, instrumented as byte ranges
