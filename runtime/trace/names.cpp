#include "runtime/trace/names.h"

#include <algorithm>

namespace predrace {

template <size_t kWords>
void Names::Table<kWords>::place(const Key<kWords>& key, uint64_t next) {
  for (size_t i = hash(key) >> shift_;; i = (i + 1) & mask_)
    for (int way = 0; way < kWays; ++way) {
      Bucket& b = buckets_[i];
      if (b.next[way] != 0) continue;
      for (size_t w = 0; w < kWords; ++w) b.keys[w][way] = key[w];
      b.next[way] = next;
      return;
    }
}

template <size_t kWords>
void Names::Table<kWords>::insert(const Key<kWords>& key, uint32_t number) {
  if (++used_ * 2 > buckets_.size() * kWays) {
    std::vector<Bucket> old(buckets_.size() * 4);
    old.swap(buckets_);
    mask_ = buckets_.size() - 1;
    shift_ -= 2;
    for (const Bucket& b : old)
      for (int way = 0; way < kWays; ++way) {
        Key<kWords> moved;
        for (size_t w = 0; w < kWords; ++w) moved[w] = b.keys[w][way];
        if (b.next[way] != 0) place(moved, b.next[way]);
      }
  }
  place(key, uint64_t{number} + 1);
}

uint32_t Names::numberOf(std::string_view name) {
  char padded[2 * kOverread] = {};
  std::memcpy(padded, name.data(), std::min(name.size(), kOverread));
  if (uint32_t found = find(padded, name.size()); found != kUnknown) return found;
  if (name.size() >= 16)
    if (auto found = long_.find(name); found != long_.end()) return found->second;
  uint32_t number = size();
  if (name.size() < 8)
    short_.insert(shortKey(padded, name.size()), number);
  else if (name.size() < 16)
    medium_.insert(mediumKey(padded, name.size()), number);
  else
    long_.emplace(name, number);
  text_ += name;
  ends_.push_back(text_.size());
  return number;
}

uint32_t Sites::numberOf(std::string_view site) {
  char padded[2 * Names::kOverread] = {};
  std::memcpy(padded, site.data(), std::min(site.size(), Names::kOverread));
  if (uint32_t found = find(padded, site.size()); found != Names::kUnknown) return found;
  return kNamed | names_.numberOf(site);
}

std::string Sites::nameOf(uint32_t number) const {
  return number < kNamed ? std::to_string(number) : std::string(names_.nameOf(number - kNamed));
}

}  // namespace predrace
