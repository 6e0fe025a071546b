// What the tests of the engine process share.
#ifndef PREDRACE_TEST_ENGINE_PROCESS_HELPERS_H
#define PREDRACE_TEST_ENGINE_PROCESS_HELPERS_H

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/engines/engine.h"
#include "runtime/wire/ring.h"

namespace predrace {

// A ring in private memory, all zero as in a fresh session.
struct FreeRing {
  void operator()(Ring* r) const { std::free(r); }
};
inline std::unique_ptr<Ring, FreeRing> makeRing() {
  void* p = std::aligned_alloc(64, sizeof(Ring));
  return std::unique_ptr<Ring, FreeRing>(new (p) Ring());
}

// An engine that only writes down what it hears: "1:w(0)" is thread 1, variable 0.
class Log final : public Engine {
 public:
  void on(const Event& e) override {
    if (e.op == Op::Begin || e.op == Op::End || e.op == Op::Branch) {
      add(absl::StrCat(e.thread, ":", textOf(e.op)));
    } else {
      add(absl::StrCat(e.thread, ":", textOf(e.op), "(", e.target, ")"));
    }
  }
  void finish() override {}
  void splitVariable(uint32_t from, uint32_t to) override { add(absl::StrCat("split(", from, ",", to, ")")); }
  void forgetVariable(uint32_t v) override { add(absl::StrCat("forget(", v, ")")); }
  void forgetChannel(uint32_t c) override { add(absl::StrCat("forgetChannel(", c, ")")); }
  void forgetLock(uint32_t l) override { add(absl::StrCat("forgetLock(", l, ")")); }
  void forgetObject(uint32_t o) override { add(absl::StrCat("forgetObject(", o, ")")); }
  size_t memoryBytes() const override { return 0; }
  uint64_t fold(size_t) override { return 0; }

  // What was heard since the last call.
  std::string take() {
    std::string result;
    result.swap(text_);
    return result;
  }

 private:
  void add(const std::string& s) { absl::StrAppend(&text_, text_.empty() ? "" : " ", s); }
  std::string text_;
};

// One access of the masked bytes, which are adjacent, of the granule at `address`.
inline Slot maskedSlot(RecordKind kind, uint64_t address, uint8_t mask, Site site) {
  unsigned size = static_cast<unsigned>(__builtin_popcount(mask));
  return accessSlot(kind, (address & ~7ull) + static_cast<unsigned>(__builtin_ctz(mask)), size,
                    static_cast<uint8_t>(size), site);
}

}  // namespace predrace

#endif  // PREDRACE_TEST_ENGINE_PROCESS_HELPERS_H
