// Variables against a model that keeps a number for every byte.
#include "tools/engine/variables.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace predrace {
namespace {

constexpr uint64_t kBase = 0x7f1234560000;
constexpr unsigned kBytes = 192;  // three lines

// Follows every byte through splits and forgotten numbers.
class Model final : public Engine {
 public:
  void on(const Event&) override {}
  void finish() override {}
  void splitVariable(uint32_t from, uint32_t to) override {
    forBytes(to, [&](unsigned at) {
      EXPECT_EQ(of.at(at), from);
      of[at] = to;
    });
    forBytes(from, [&](unsigned at) { EXPECT_EQ(of.at(at), from); });
  }
  void forgetVariable(uint32_t v) override {
    forBytes(v, [&](unsigned at) {
      EXPECT_EQ(of.at(at), v);
      of.erase(at);
    });
  }
  void forgetChannel(uint32_t) override {}
  void forgetLock(uint32_t) override {}
  void forgetObject(uint32_t) override {}
  size_t memoryBytes() const override { return 0; }
  uint64_t fold(size_t) override { return 0; }

  template <class Use>
  void forBytes(uint32_t v, Use&& use) {
    Bytes bytes = variables->bytesOf(v);
    EXPECT_NE(bytes.mask, 0);
    for (unsigned bit = 0; bit < 8u * bytes.granules; ++bit) {
      if (bytes.mask >> bit % 8 & 1) use(static_cast<unsigned>((bytes.granule << 3) - kBase + bit));
    }
  }

  const Variables* variables = nullptr;
  std::map<unsigned, uint32_t> of;  // by byte
};

class VariablesTest : public testing::Test {
 protected:
  VariablesTest() { model_.variables = &variables_; }

  // The variable is part of an access of bytes [begin, end).
  void use(uint32_t v, unsigned begin, unsigned end, bool mayBeNew) {
    model_.forBytes(v, [&](unsigned at) {
      EXPECT_TRUE(at >= begin && at < end) << "byte " << at << " is not part of the access";
      EXPECT_TRUE(covered_.insert(at).second) << "byte " << at << " twice";
      auto [known, fresh] = model_.of.try_emplace(at, v);
      EXPECT_TRUE(!fresh || mayBeNew);
      EXPECT_EQ(known->second, v) << "byte " << at << " changed its history";
    });
  }

  Model model_;
  Emitter emitter_{model_};
  Variables variables_{emitter_};
  std::set<unsigned> covered_;
};

TEST_F(VariablesTest, RandomAccessesAgreeWithBytes) {
  std::mt19937 random(7);
  for (int step = 0; step < 200'000; ++step) {
    unsigned size = random() % 3 ? 1u << random() % 7 : 1 + random() % 80;
    unsigned begin = random() % 3 ? random() % kBytes / size * size : random() % kBytes;
    unsigned end = std::min(begin + size, kBytes);
    if (begin >= end) continue;
    switch (random() % 8) {
      case 0:
        variables_.forget(kBase + begin, end - begin);
        for (unsigned at = begin; at < end; ++at) EXPECT_FALSE(model_.of.contains(at));
        break;
      case 1: {
        size_t expected = 0;
        for (unsigned at = begin; at < end; ++at) expected += model_.of.contains(at);
        variables_.existing(kBase + begin, end - begin, [&](uint32_t v) { use(v, begin, end, false); });
        ASSERT_EQ(covered_.size(), expected);
        break;
      }
      default:
        variables_.accessRange(kBase + begin, end - begin, [&](uint32_t v) { use(v, begin, end, true); });
        ASSERT_EQ(covered_.size(), end - begin);
    }
    covered_.clear();
    if (HasFailure()) FAIL() << "step " << step;
  }
  variables_.forget(kBase, kBytes);
  EXPECT_TRUE(model_.of.empty());
  EXPECT_EQ(variables_.live(), 0u);
}

}  // namespace
}  // namespace predrace
