#include "runtime/trace/names.h"

#include <algorithm>
#include <utility>

namespace predrace {
namespace {

// The begin of a name, with as much behind it as is read.
struct Padded {
  explicit Padded(std::string_view name) {
    std::memcpy(text, name.data(), std::min(name.size(), sizeof text));
  }
  char text[Names::kOverread] = {};
};

}  // namespace

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

// False: the array would be much too large for the names there are.
bool Names::placeByDecimal(char letter, uint32_t decimal, uint32_t number) {
  if (decimal == kNotDecimal || letter == 0) return false;
  if (letter_ == 0) letter_ = letter;
  if (letter != letter_) return false;
  size_t before = byDecimal_.size();
  if (decimal >= before) {
    if (decimal / kSparse >= size() + 64) return false;
    byDecimal_.resize(std::bit_ceil(decimal + 1), kUnknown);
    for (uint32_t i = 0; i < number; ++i) {
      std::string_view name = nameOf(i);
      uint32_t d = name.starts_with(letter) ? decimalOf(Padded(name).text, name.size()) : kNotDecimal;
      if (d >= before && d < byDecimal_.size()) byDecimal_[d] = i;
    }
  }
  byDecimal_[decimal] = number;
  return true;
}

uint32_t Names::numberOf(std::string_view name) {
  if (name.size() >= kOverread) {
    auto [at, added] = long_.try_emplace(name, size());
    if (added) append(name);
    return at->second;
  }
  Padded padded(name);
  return numberOf(padded.text, name.size(), decimalOf(padded.text, name.size()));
}

uint32_t Names::numberOf(const char* name, size_t length, uint32_t decimal) {
  if (length >= kOverread) return numberOf({name, length});
  if (uint32_t found = find(name, length, decimal); found != kUnknown) return found;
  uint32_t number = size();
  if (placeByDecimal(*name, decimal, number)) {
  } else if (length < 8) {
    short_.insert(shortKey(name, length), number);
  } else {
    medium_.insert(mediumKey(name, length), number);
  }
  append({name, length});
  return number;
}

uint32_t Sites::numberOf(std::string_view site) {
  uint32_t found = find(Padded(site).text, site.size());
  if (found != Names::kUnknown) return found;
  return kNamed | names_.numberOf(site);
}

std::string Sites::nameOf(uint32_t number) const {
  return number < kNamed ? std::to_string(number) : std::string(names_.nameOf(number - kNamed));
}

}  // namespace predrace
