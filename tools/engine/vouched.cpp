#include "tools/engine/vouched.h"

#include <algorithm>
#include <utility>

namespace predrace {

Vouched::Vouched(const EngineRow& row, RaceSink sink)
    : sink_(std::move(sink)), engine_(row.make([this](const Race& race) { found_.push_back(race); })) {}

void Vouched::on(const Event& e) {
  if (isAccess(e.op)) return access(e);
  synchronise(e);
  engine_->on(e);
  ask(false);
  ask(true);
  tell();
}

// An update conflicts with an earlier read only by its write, which comes after what it reads.
void Vouched::access(const Event& e) {
  bool atomic = isAtomic(e.op);
  if (atomic) must_.keep(e.thread, e.target, e.index);
  engine_->on(e);
  ask(false);
  if (e.op != Op::Update) ask(true);
  if (reads(e.op)) must_.read(e.thread, e.target, e.index, atomic);
  if (e.op == Op::Update) ask(true);
  if (writes(e.op)) must_.write(e.thread, e.target, e.index, atomic);
  tell();
}

void Vouched::synchronise(const Event& e) {
  uint64_t member = uint64_t{e.target} << 1 | (e.op == Op::SharedAcquire || e.op == Op::SharedRelease);
  switch (e.op) {
    case Op::Fork:
      return must_.fork(e.thread, e.target, e.index);
    case Op::Join:
      return must_.join(e.thread, e.target, e.index);
    case Op::Send:
      return must_.send(e.thread, e.target, e.index);
    case Op::Receive:
      return must_.receive(e.thread, e.target, e.index);
    case Op::At:
      return must_.at(e.thread, e.target, e.index);
    case Op::End:
      if (e.thread < held_.size()) held_[e.thread].clear();
      return must_.end(e.thread, e.index);
    case Op::Acquire:
    case Op::SharedAcquire:
      if (e.thread >= held_.size()) held_.resize(e.thread + 1);
      held_[e.thread].push_back(member);
      return;
    case Op::Release:
    case Op::SharedRelease: {
      if (e.thread >= held_.size()) return;
      std::vector<uint64_t>& held = held_[e.thread];
      auto at = std::find(held.rbegin(), held.rend(), member);
      if (at == held.rend()) return;
      if (at != held.rbegin()) wellNested_ = false;
      held.erase(std::next(at).base());
      return;
    }
    default:
      return;
  }
}

void Vouched::ask(bool ofReads) {
  for (Race& r : found_)
    if (writes(r.first.op) != ofReads)
      r.mustOrdered = must_.orderedBefore(r.first.thread, r.first.index, r.second.thread);
}

void Vouched::tell() {
  for (const Race& r : found_) sink_(r);
  found_.clear();
}

void Vouched::finish() {
  engine_->finish();
  ask(false);
  ask(true);
  tell();
}

void Vouched::expect(const Event& e) {
  engine_->expect(e);
  if (isAccess(e.op)) must_.expect(e.target);
}

void Vouched::splitVariable(uint32_t from, uint32_t to) {
  engine_->splitVariable(from, to);
  must_.splitVariable(from, to);
}
void Vouched::forgetVariable(uint32_t variable) {
  engine_->forgetVariable(variable);
  must_.forgetVariable(variable);
}
void Vouched::forgetChannel(uint32_t channel) {
  engine_->forgetChannel(channel);
  must_.forgetChannel(channel);
}
void Vouched::forgetObject(uint32_t object) {
  engine_->forgetObject(object);
  must_.forgetObject(object);
}

uint64_t Vouched::fold(size_t targetBytes) {
  uint64_t folded = engine_->fold(targetBytes);
  if (memoryBytes() > targetBytes) must_.fold();
  return folded;
}

}  // namespace predrace
