#include "tools/engine_bench/compact.h"

#include <gtest/gtest.h>

#include <array>

#include "tools/engine_bench/workload.h"

namespace predrace {
namespace {

void expectSame(const Event& a, const Event& b) {
  EXPECT_EQ(a.op, b.op);
  EXPECT_EQ(a.thread, b.thread);
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.site, b.site);
  EXPECT_EQ(a.index, b.index);
}

TEST(Compact, extremeNumbersComeBack) {
  const Event events[] = {{Op::Inner, ~0u, ~0u, ~0u, 0},
                          {Op::Read, 0, 0, 0, 1},
                          {Op::End, 127, 128, 0x80000000, 2},
                          {Op::AtomicUpdate, 127, 16384, 1, 3}};
  CompactEncoder encoder;
  for (const Event& e : events) encoder.add(e);
  CompactDecoder decoder(encoder.bytes());
  std::array<Event, 3> some;  // two batches
  ASSERT_EQ(decoder.next(some), 3u);
  for (int i = 0; i < 3; ++i) expectSame(some[i], events[i]);
  ASSERT_EQ(decoder.next(some), 1u);
  expectSame(some[0], events[3]);
  EXPECT_EQ(decoder.next(some), 0u);
}

TEST(Compact, workloadsComeBack) {
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.name);
    CompactEncoder encoder;
    for (Workload made(shape); encoder.events() < 5000;) encoder.add(made.next());
    CompactDecoder decoder(encoder.bytes());
    Workload again(shape);
    Event e;
    for (int i = 0; i < 5000; ++i) {
      ASSERT_EQ(decoder.next({&e, 1}), 1u);
      expectSame(e, again.next());
    }
  }
}

}  // namespace
}  // namespace predrace
