; Which functions are instrumented.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s

@indirect = ifunc void (), ptr @resolver

define void @no_sanitize(ptr %p, ptr %a) {
; no_sanitize: no plain access is told. Synchronisation is, or others would be reported falsely.
; CHECK-LABEL: define void @no_sanitize(
; CHECK: store i32 1, ptr %p
; CHECK-NOT: preserve_mostcc
; CHECK: call void @__predrace_atomic32_store(ptr %a, i32 1, i32 3)
; CHECK: ret void
  store i32 1, ptr %p, align 4
  store atomic i32 1, ptr %a release, align 4
  ret void
}

define void @disabled(ptr %p) sanitize_thread disable_sanitizer_instrumentation {
; CHECK-LABEL: define void @disabled(
; CHECK-NEXT: store atomic i32 1, ptr %p release
; CHECK-NEXT: ret void
  store atomic i32 1, ptr %p release, align 4
  ret void
}

define void @naked(ptr %p) sanitize_thread naked {
; CHECK-LABEL: define void @naked(
; CHECK-NEXT: call void asm
; CHECK-NEXT: unreachable
  call void asm sideeffect "ret", ""()
  unreachable
}

define available_externally void @elsewhere(ptr %p) sanitize_thread {
; CHECK-LABEL: define available_externally void @elsewhere(
; CHECK-NEXT: store i32 1
; CHECK-NEXT: ret void
  store i32 1, ptr %p, align 4
  ret void
}

define ptr @resolver() sanitize_thread {
; Runs while the program is being relocated.
; CHECK-LABEL: define ptr @resolver(
; CHECK-NEXT: call void @disabled(ptr null)
; CHECK-NEXT: ret ptr
  call void @disabled(ptr null)
  ret ptr @disabled
}

define i32 @inferred(ptr readonly %p) sanitize_thread memory(argmem: read) {
; What was inferred about memory no longer holds.
; CHECK-LABEL: define i32 @inferred(
; CHECK-SAME: ptr %p) #[[INFERRED:[0-9]+]]
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
; CHECK: attributes #[[INFERRED]] = { noinline sanitize_thread }
