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

// In byDecimal_. False: it would be much too large for the names there are.
bool Names::makePlace(uint32_t decimal) {
  if (decimal / kSparse >= size() + 64) return false;
  size_t before = byDecimal_.size();
  byDecimal_.resize(std::bit_ceil(decimal + 1), kUnknown);
  for (uint32_t i = 0; i < size(); ++i)
    if (spellings_[i] >= before && spellings_[i] < byDecimal_.size()) byDecimal_[spellings_[i]] = i;
  return true;
}

void Names::spellOut(std::string_view name) {
  spellings_.push_back(kSpelledOut | static_cast<uint32_t>(ends_.size()));
  text_ += name;
  ends_.push_back(text_.size());
}

uint32_t Names::numberOf(std::string_view name) {
  if (name.size() >= kOverread) {
    auto [at, added] = long_.try_emplace(name, size());
    if (added) spellOut(name);
    return at->second;
  }
  Padded padded(name);
  return numberOf(padded.text, name.size(), decimalOf(padded.text, name.size()));
}

uint32_t Names::numberOfOther(const char* name, size_t length, uint32_t decimal) {
  if (length >= kOverread) return numberOf({name, length});
  if (uint32_t found = find(name, length, decimal); found != kUnknown) return found;
  if (letter_ == 0 && decimal != kNotDecimal) letter_ = *name;
  bool ours = *name == letter_ && letter_ != 0 && decimal != kNotDecimal;
  if (ours && makePlace(decimal)) return numberOf(name, length, decimal);
  uint32_t number = size();
  if (length < 8)
    short_.insert(shortKey(name, length), number);
  else
    medium_.insert(mediumKey(name, length), number);
  if (ours)
    spellings_.push_back(decimal);
  else
    spellOut({name, length});
  return number;
}

std::string Names::nameOf(uint32_t number) const {
  uint32_t spelling = spellings_[number];
  if (spelling < kSpelledOut) return letter_ + std::to_string(spelling);
  uint32_t i = spelling - kSpelledOut;
  size_t begin = i == 0 ? 0 : ends_[i - 1];
  return text_.substr(begin, ends_[i] - begin);
}

uint32_t Sites::numberOf(std::string_view site) {
  uint32_t found = find(Padded(site).text, site.size());
  if (found != Names::kUnknown) return found;
  return kNamed | names_.numberOf(site);
}

std::string Sites::nameOf(uint32_t number) const {
  return number < kNamed ? std::to_string(number) : names_.nameOf(number - kNamed);
}

}  // namespace predrace
