// ChainOrder against the plain transitive closure of the same inserts.
#include "runtime/engines/m2_order.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

namespace predrace::m2 {
namespace {

constexpr uint32_t kChains = 4, kLength = 7, kNodes = kChains * kLength;

Node nodeOf(uint32_t n) { return {n / kLength, n % kLength}; }
uint32_t numberOf(Node n) { return n.chain * kLength + n.place; }

// Who is before whom, in a table of all pairs.
class PlainOrder {
 public:
  PlainOrder() : before_(kNodes, std::vector<bool>(kNodes)) {
    for (uint32_t a = 0; a < kNodes; ++a)
      for (uint32_t b = a + 1; b < kNodes && b / kLength == a / kLength; ++b) before_[a][b] = true;
  }
  bool before(uint32_t a, uint32_t b) const { return before_[a][b]; }
  // The pairs that are new.
  std::set<std::pair<uint32_t, uint32_t>> insert(uint32_t a, uint32_t b) {
    std::set<std::pair<uint32_t, uint32_t>> added;
    for (uint32_t c = 0; c < kNodes; ++c)
      for (uint32_t d = 0; d < kNodes; ++d)
        if ((c == a || before_[c][a]) && (d == b || before_[b][d]) && !before_[c][d]) added.emplace(c, d);
    for (auto [c, d] : added) before_[c][d] = true;
    return added;
  }

 private:
  std::vector<std::vector<bool>> before_;
};

class RandomInserts : public testing::TestWithParam<uint32_t> {
 protected:
  // Calls check() after each insert: whether it was accepted, and what it added.
  template <class Check>
  void run(Check check) {
    std::mt19937 random(GetParam());
    order.reset(kChains);
    for (int k = 0; k < 60; ++k) {
      uint32_t a = random() % kNodes, b = random() % kNodes;
      std::vector<Added> added;
      bool cyclic = a == b || plain.before(b, a);
      std::set<std::pair<uint32_t, uint32_t>> fresh;
      if (!cyclic) fresh = plain.insert(a, b);
      check(order.insert(nodeOf(a), nodeOf(b), added), !cyclic, added, fresh);
    }
  }
  PlainOrder plain;
  ChainOrder order;
};

TEST_P(RandomInserts, OrdersWhatFollowsAndRefusesCycles) {
  run([&](bool accepted, bool acyclic, const auto&, const auto&) {
    ASSERT_EQ(accepted, acyclic);
    for (uint32_t c = 0; c < kNodes; ++c)
      for (uint32_t d = 0; d < kNodes; ++d) ASSERT_EQ(order.before(nodeOf(c), nodeOf(d)), plain.before(c, d));
  });
}

TEST_P(RandomInserts, NeighboursInOtherChains) {
  run([&](bool, bool, const auto&, const auto&) {
    for (uint32_t n = 0; n < kNodes; ++n) {
      for (uint32_t chain = 0; chain < kChains; ++chain) {
        if (chain == n / kLength) continue;
        uint32_t first = kNone, count = 0;
        for (uint32_t place = kLength; place-- > 0;)
          if (plain.before(n, chain * kLength + place)) first = place;
        while (count < kLength && plain.before(chain * kLength + count, n)) ++count;
        ASSERT_EQ(order.firstAfter(nodeOf(n), chain), first);
        ASSERT_EQ(order.countBefore(nodeOf(n), chain), count);
      }
    }
  });
}

// Each new pair is above and below one of what was added, and nothing else is claimed to be new.
TEST_P(RandomInserts, TellsWhatIsNew) {
  run([&](bool, bool, const std::vector<Added>& added, const auto& fresh) {
    for (const Added& x : added)
      for (uint32_t place = x.since; place <= x.from.place; ++place)
        ASSERT_TRUE(fresh.contains({numberOf({x.from.chain, place}), numberOf(x.to)}));
    for (auto [c, d] : fresh) {
      bool told = false;
      for (const Added& x : added)
        told |= x.from.chain == c / kLength && x.to.chain == d / kLength && x.since <= c % kLength &&
                c % kLength <= x.from.place && x.to.place <= d % kLength;
      ASSERT_TRUE(told) << c << " " << d;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomInserts, testing::Range(0u, 40u));

TEST(ChainOrder, StartsAgainEmpty) {
  ChainOrder order;
  std::vector<Added> added;
  order.reset(3);
  ASSERT_TRUE(order.insert({0, 1}, {2, 1}, added));
  order.reset(2);
  EXPECT_FALSE(order.before({0, 0}, {1, 5}));
  EXPECT_TRUE(order.insert({1, 1}, {0, 1}, added));
}

}  // namespace
}  // namespace predrace::m2
