; The same or a weaker access again, with no synchronisation operation in between.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace -predrace-stats -disable-output %s 2>&1 | FileCheck --check-prefix=STATS %s

declare void @any()
declare void @harmless() nosync nofree

define void @read_read(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @read_read(
; CHECK: call preserve_mostcc void @__predrace_read8(ptr %p)
; CHECK-NOT: call preserve_mostcc
; CHECK: ret void
  %a = load i64, ptr %p, align 8
  call void @harmless()
  %b = load i32, ptr %p, align 8
  ret void
}

define void @write_read_write(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @write_read_write(
; CHECK: call preserve_mostcc void @__predrace_write4(ptr %p)
; CHECK-NOT: call preserve_mostcc
; CHECK: ret void
  store i32 1, ptr %p, align 4
  %a = load i32, ptr %p, align 4
  store i32 2, ptr %p, align 4
  ret void
}

define void @next_block(ptr %p, i1 %c) sanitize_thread {
; A block with one predecessor runs right behind it.
; CHECK-LABEL: define void @next_block(
; CHECK: call preserve_mostcc void @__predrace_write4(ptr %p)
; CHECK-NOT: call preserve_mostcc
; CHECK: ret void
  store i32 1, ptr %p, align 4
  br i1 %c, label %yes, label %no
yes:
  store i32 2, ptr %p, align 4
  br label %no
no:
  ret void
}

define void @joined_block(ptr %p, i1 %c) sanitize_thread {
; CHECK-LABEL: define void @joined_block(
; CHECK-COUNT-2: call preserve_mostcc void @__predrace_write4(ptr %p)
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p, align 4
  br label %no
no:
  store i32 2, ptr %p, align 4
  ret void
}

define void @call_between(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @call_between(
; CHECK-COUNT-2: call preserve_mostcc void @__predrace_read4(ptr %p)
  %a = load i32, ptr %p, align 4
  call void @any()
  %b = load i32, ptr %p, align 4
  ret void
}

define void @fence_between(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @fence_between(
; CHECK-COUNT-2: call preserve_mostcc void @__predrace_read4(ptr %p)
  %a = load i32, ptr %p, align 4
  fence acquire
  %b = load i32, ptr %p, align 4
  ret void
}

define void @assembly_between(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @assembly_between(
; CHECK-COUNT-2: call preserve_mostcc void @__predrace_read4(ptr %p)
  %a = load i32, ptr %p, align 4
  call void asm sideeffect "", "~{memory}"()
  %b = load i32, ptr %p, align 4
  ret void
}

define void @wider(ptr %p) sanitize_thread {
; CHECK-LABEL: define void @wider(
; CHECK: call preserve_mostcc void @__predrace_read4(ptr %p)
; CHECK: call preserve_mostcc void @__predrace_read8(ptr %p)
  %a = load i32, ptr %p, align 8
  %b = load i64, ptr %p, align 8
  ret void
}

; STATS: 4 predrace - repeated accesses omitted
