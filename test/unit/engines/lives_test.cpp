#include "runtime/engines/lives.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace predrace {
namespace {

TEST(Lives, IdentitiesComeInTheOrderOfFirstMention) {
  Lives lives;
  EXPECT_EQ(lives.of(1000), 0u);
  EXPECT_EQ(lives.of(3), 1u);
  EXPECT_EQ(lives.of(1000), 0u);
  EXPECT_EQ(lives.count(), 2u);
  EXPECT_EQ(lives.numberOf(0), 1000u);
  EXPECT_EQ(lives.numberOf(1), 3u);
}

TEST(Lives, ANumberThatComesBackIsAnother) {
  Lives lives;
  lives.of(3);
  lives.of(4);
  lives.forget(3);
  lives.forget(3);
  lives.forget(5000);  // never mentioned
  EXPECT_EQ(lives.count(), 2u) << "a new life begins when it is mentioned";
  EXPECT_EQ(lives.of(3), 2u);
  EXPECT_EQ(lives.of(4), 1u);
  EXPECT_EQ(lives.numberOf(0), 3u);
  EXPECT_EQ(lives.numberOf(2), 3u);
}

std::set<std::pair<uint32_t, uint32_t>> leavesOf(const VariableLives& lives, uint32_t identity) {
  std::set<std::pair<uint32_t, uint32_t>> out;
  size_t calls = 0;
  lives.leaves(identity, [&](uint32_t leaf) {
    ++calls;
    EXPECT_TRUE(lives.isLeaf(leaf));
    out.emplace(leaf, lives.numberOf(leaf));
  });
  EXPECT_EQ(out.size(), calls) << "a leaf twice";
  return out;
}
using Leaves = std::set<std::pair<uint32_t, uint32_t>>;  // identity, number

TEST(VariableLives, AVariableIsItsOnlyLeaf) {
  VariableLives lives;
  lives.of(7);
  EXPECT_TRUE(lives.isLeaf(0));
  EXPECT_EQ(leavesOf(lives, 0), (Leaves{{0, 7}}));
}

TEST(VariableLives, ASplitMakesTwoOfOne) {
  VariableLives lives;
  lives.of(7);
  lives.split(7, 8);
  EXPECT_FALSE(lives.isLeaf(0));
  EXPECT_EQ(leavesOf(lives, 0), (Leaves{{1, 7}, {2, 8}}));
  EXPECT_EQ(lives.of(7), 1u);
  EXPECT_EQ(lives.of(8), 2u);
  EXPECT_EQ(lives.count(), 3u);
}

TEST(VariableLives, PartsAreSplitAgain) {
  VariableLives lives;
  lives.of(7);
  lives.split(7, 8);
  lives.split(8, 9);  // the part that got a new number
  lives.split(7, 6);  // the one that kept it
  EXPECT_EQ(leavesOf(lives, 0),
            (Leaves{{lives.of(6), 6}, {lives.of(7), 7}, {lives.of(8), 8}, {lives.of(9), 9}}));
  EXPECT_EQ(leavesOf(lives, 1), (Leaves{{lives.of(6), 6}, {lives.of(7), 7}}));
  EXPECT_EQ(leavesOf(lives, 2), (Leaves{{lives.of(8), 8}, {lives.of(9), 9}}));
  EXPECT_EQ(lives.count(), 7u);
}

TEST(VariableLives, PartsOfDeadVariablesAreOnlyTheirs) {
  VariableLives lives;
  lives.of(7);
  lives.split(7, 8);
  lives.forget(7);
  lives.forget(8);
  uint32_t reborn = lives.of(7);
  lives.split(7, 8);
  EXPECT_EQ(leavesOf(lives, 0), (Leaves{{1, 7}, {2, 8}}));
  EXPECT_EQ(leavesOf(lives, reborn), (Leaves{{lives.of(7), 7}, {lives.of(8), 8}}));
}

TEST(VariableLives, WhatWasNeverMentionedCanBeSplit) {
  VariableLives lives;
  lives.split(7, 8);
  EXPECT_EQ(leavesOf(lives, 0), (Leaves{{1, 7}, {2, 8}}));
}

}  // namespace
}  // namespace predrace
