; Function entry and exit.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace -predrace-stats -disable-output %s 2>&1 | FileCheck --check-prefix=STATS %s

declare void @any()
declare i32 @pure(i32) memory(none)
declare i32 @setjmp(ptr) returns_twice
declare i32 @__gxx_personality_v0(...)

define i32 @called(i32 %x) sanitize_thread {
; Top moves before the frame is written.
; CHECK-LABEL: define i32 @called(
; CHECK: [[THREAD:%.*]] = call ptr @llvm.threadlocal.address.p0(ptr @__predrace_thread)
; CHECK: [[TOP:%.*]] = getelementptr inbounds i8, ptr [[THREAD]], i64 8
; CHECK: %predrace.frame = load ptr, ptr [[TOP]], align 8
; CHECK: %predrace.top = getelementptr inbounds i8, ptr %predrace.frame, i64 16
; CHECK: store ptr %predrace.top, ptr
; CHECK: [[CALLER:%.*]] = call ptr @llvm.returnaddress(i32 0)
; CHECK: [[RETURN:%.*]] = ptrtoint ptr [[CALLER]] to i64
; CHECK: [[PC:%.*]] = sub i64 [[RETURN]], 1
; CHECK: store i64 [[PC]], ptr %predrace.frame, align 8
; CHECK: [[CONTEXT:%.*]] = getelementptr inbounds i8, ptr %predrace.frame, i64 8
; CHECK: store i64 0, ptr [[CONTEXT]], align 8
; CHECK: call void @any()
; CHECK: store ptr %predrace.frame, ptr
; CHECK-NEXT: ret i32 %x
  call void @any()
  ret i32 %x
}

define i32 @nothing_to_report(i32 %x) sanitize_thread {
; CHECK-LABEL: define i32 @nothing_to_report(
; CHECK-NOT: predrace
; CHECK: ret i32
  %y = call i32 @pure(i32 %x)
  ret i32 %y
}

define void @tail() sanitize_thread {
; The callee takes our place: our frame goes first.
; CHECK-LABEL: define void @tail(
; CHECK: store ptr %predrace.frame, ptr
; CHECK-NEXT: musttail call void @any()
; CHECK-NEXT: ret void
  musttail call void @any()
  ret void
}

define i32 @twice(ptr %buffer) sanitize_thread {
; CHECK-LABEL: define i32 @twice(
; CHECK: call i32 @setjmp(
; CHECK: store ptr %predrace.top, ptr
; CHECK: call void @any()
; CHECK: store ptr %predrace.frame, ptr
; CHECK: ret i32
  %r = call i32 @setjmp(ptr %buffer) returns_twice
  call void @any()
  ret i32 %r
}

define void @cleanup() sanitize_thread personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define void @cleanup(
; CHECK: landingpad
; CHECK: store ptr %predrace.top, ptr
; CHECK: store ptr %predrace.frame, ptr
; CHECK-NEXT: resume
  invoke void @any() to label %ok unwind label %pad
ok:
  ret void
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

define void @allocates() sanitize_thread {
; Allocas stay first, and static.
; CHECK-LABEL: define void @allocates(
; CHECK-NEXT: %a = alloca
; CHECK: %predrace.frame
  %a = alloca i32
  call void @any()
  ret void
}

; STATS: 5 predrace - functions with entry and exit instrumented
; Link-time inlining would make the return address another one.
; CHECK: attributes #{{.*}} = { noinline sanitize_thread }
