; Nothing to instrument, nothing added.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
; CHECK-NOT: {{@__predrace|predrace.module}}
@data = global i32 1
define i32 @f(i32 %x) sanitize_thread {
  ret i32 %x
}
; CHECK: define i32 @f(
; CHECK-NOT: {{@__predrace|predrace.module}}
