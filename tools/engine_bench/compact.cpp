#include "tools/engine_bench/compact.h"

namespace predrace {
namespace {

constexpr uint8_t kOpMask = 0x1f, kSameThread = 0x20;
static_assert(static_cast<uint8_t>(Op::Inner) <= kOpMask);

constexpr uint32_t zigzag(uint32_t n) { return n << 1 ^ (0 - (n >> 31)); }
constexpr uint32_t unzigzag(uint32_t n) { return n >> 1 ^ (0 - (n & 1)); }
static_assert(unzigzag(zigzag(0u - 5)) == 0u - 5 && zigzag(0u - 1) == 1);

inline uint32_t number(const uint8_t*& at) {
  uint32_t n = *at++;
  if (n < 0x80) [[likely]]
    return n;
  n &= 0x7f;
  for (unsigned shift = 7;; shift += 7) {
    uint32_t byte = *at++;
    n |= (byte & 0x7f) << shift;
    if (byte < 0x80) return n;
  }
}

}  // namespace

void CompactEncoder::number(uint32_t n) {
  for (; n >= 0x80; n >>= 7) bytes_.push_back(static_cast<uint8_t>(n | 0x80));
  bytes_.push_back(static_cast<uint8_t>(n));
}

void CompactEncoder::add(const Event& e) {
  bool same = e.thread == thread_;
  bytes_.push_back(static_cast<uint8_t>(static_cast<uint8_t>(e.op) | (same ? kSameThread : 0)));
  if (!same) number(e.thread);
  number(e.target);
  number(zigzag(e.site - site_));
  thread_ = e.thread;
  site_ = e.site;
  ++events_;
}

size_t CompactDecoder::next(std::span<Event> out) {
  const uint8_t* at = at_;
  uint32_t thread = thread_, site = site_;
  size_t n = 0;
  for (; n < out.size() && at < end_; ++n) {
    uint8_t head = *at++;
    if (!(head & kSameThread)) thread = number(at);
    uint32_t target = number(at);
    site += unzigzag(number(at));
    out[n] = {static_cast<Op>(head & kOpMask), thread, target, site, index_ + n};
  }
  at_ = at;
  index_ += n;
  thread_ = thread;
  site_ = site;
  return n;
}

}  // namespace predrace
