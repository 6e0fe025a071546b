#include "runtime/report/suppress.h"

#include <gtest/gtest.h>

namespace predrace {
namespace {

Report report() {
  Report r;
  Frame inner, outer;
  inner.function = "Cache::get(int)";
  inner.file = "/src/cache.cc";
  inner.module = "/usr/lib/libcache.so";
  outer.function = "main";
  r.second.stack = {inner, outer};
  r.first.stack = {outer};
  return r;
}

bool suppressed(const std::string& text) {
  Suppressions s;
  EXPECT_EQ(s.parse(text, "file"), "");
  return s.matches(report());
}

TEST(Suppress, MatchesFunctionFileAndModule) {
  EXPECT_TRUE(suppressed("race:Cache::get"));
  EXPECT_TRUE(suppressed("# a comment\n\nrace:cache.cc\n"));
  EXPECT_TRUE(suppressed("race:^*libcache.so$"));
  EXPECT_TRUE(suppressed("race:^main$"));
  EXPECT_FALSE(suppressed("race:Cache::put"));
  EXPECT_FALSE(suppressed(""));
}

TEST(Suppress, OtherTypesHaveNoEffect) {
  EXPECT_FALSE(suppressed("deadlock:Cache::get\nmutex:main"));
  EXPECT_TRUE(suppressed("race_top:Cache::get"));
  EXPECT_FALSE(suppressed("race_top:nowhere"));
}

TEST(Suppress, CountsWhatMatched) {
  Suppressions s;
  ASSERT_EQ(s.parse("race:Cache\nrace:nothing\n", "file"), "");
  EXPECT_TRUE(s.matches(report()));
  EXPECT_TRUE(s.matches(report()));
  ASSERT_EQ(s.matched().size(), 1u);
  EXPECT_EQ(s.matched()[0].first, "race:Cache");
  EXPECT_EQ(s.matched()[0].second, 2u);
}

TEST(Suppress, BadInputIsToldWithItsLine) {
  Suppressions s;
  EXPECT_EQ(s.parse("race:x\nnonsense\n", "file"),
            "file:2: expected a suppression like 'race:pattern', found 'nonsense'");
  EXPECT_NE(
      s.parseFile("/does/not/exist").find("cannot read suppressions file '/does/not/exist': No such file"),
      std::string::npos);
}

}  // namespace
}  // namespace predrace
