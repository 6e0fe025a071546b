; A vector access under a mask tells the elements that the mask selects, and no other.
; RUN: %opt -load-pass-plugin=%plugin -passes=predrace,verify -S %s | FileCheck %s
declare <2 x i64> @llvm.masked.load.v2i64.p0(ptr, i32, <2 x i1>, <2 x i64>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i32>)

define <2 x i64> @load(ptr %p, <2 x i1> %m) sanitize_thread {
; CHECK-LABEL: define <2 x i64> @load(
; CHECK: %[[FIRST:.*]] = extractelement <2 x i1> %m, i64 0
; CHECK: br i1 %[[FIRST]]
; CHECK: call preserve_mostcc void @__predrace_read8(ptr %
; CHECK: %[[SECOND:.*]] = extractelement <2 x i1> %m, i64 1
; CHECK: %[[NEXT:.*]] = getelementptr i64, ptr %p, i64 1
; CHECK: br i1 %[[SECOND]]
; CHECK: call preserve_mostcc void @__predrace_read8(ptr %[[NEXT]])
; CHECK: call <2 x i64> @llvm.masked.load
  %v = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %p, i32 8, <2 x i1> %m, <2 x i64> poison)
  ret <2 x i64> %v
}

define void @store_known(ptr %p, <4 x i32> %v) sanitize_thread {
; CHECK-LABEL: define void @store_known(
; CHECK-COUNT-2: call preserve_mostcc void @__predrace_write4(
; CHECK-NOT: call preserve_mostcc
; CHECK: ret void
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4, <4 x i1> <i1 true, i1 false, i1 false, i1 true>)
  ret void
}

define <2 x i32> @gather(<2 x ptr> %p, <2 x i1> %m) sanitize_thread {
; CHECK-LABEL: define <2 x i32> @gather(
; CHECK: %[[P:.*]] = extractelement <2 x ptr> %p, i64 0
; CHECK: call preserve_mostcc void @__predrace_read4(ptr %[[P]])
; CHECK: %[[Q:.*]] = extractelement <2 x ptr> %p, i64 1
; CHECK: call preserve_mostcc void @__predrace_read4(ptr %[[Q]])
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %p, i32 4, <2 x i1> %m, <2 x i32> poison)
  ret <2 x i32> %v
}
