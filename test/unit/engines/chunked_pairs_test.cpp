// ChunkedPairs: second elements come without loss of the first ones, and only where asked for.
#include "runtime/engines/chunked_pairs.h"

#include <gtest/gtest.h>

namespace predrace {
namespace {

struct Line {
  uint64_t value = 7;
  uint64_t rest[7] = {};
};
using Lines = ChunkedPairs<Line, Line, 4>;

TEST(ChunkedPairs, FirstElementsSurviveTheSecond) {
  Lines lines;
  for (uint32_t i = 0; i < 32; ++i) lines.first(i).value = i;
  lines.pair(3).second.value = 100;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(lines.first(i).value, i);
  EXPECT_EQ(lines.findSecond(3)->value, 100u);
  EXPECT_EQ(lines.findSecond(4)->value, 7u);
}

TEST(ChunkedPairs, OnlyChunksThatWereAskedHaveSeconds) {
  Lines lines;
  lines.first(0);
  lines.first(16);
  size_t before = lines.memoryBytes();
  lines.pair(1);
  EXPECT_EQ(lines.memoryBytes(), before + Lines::kChunk * sizeof(Line));
  EXPECT_EQ(lines.findSecond(16), nullptr);
  EXPECT_EQ(lines.findFirst(32), nullptr);
}

}  // namespace
}  // namespace predrace
