#include "runtime/trace/rapid.h"

#include <vector>

namespace predrace {
namespace {

bool anyStartsWith(const Names& names, std::string_view prefix) {
  for (uint32_t i = 0; i < names.size(); ++i)
    if (names.nameOf(i).starts_with(prefix)) return true;
  return false;
}

}  // namespace

void RapidText::noted(const TraceNames& names) {
  while (anyStartsWith(names.locks, prefix_) || anyStartsWith(names.variables, prefix_))
    prefix_.insert(prefix_.size() - 1, "_");
}

void RapidText::write(const Event& e, const TraceNames& names, TraceWriter* to) const {
  std::string thread(names.threads.nameOf(e.thread)), site = names.sites.nameOf(e.site);
  auto step = [&](Op op, std::string_view target) { to->write(thread, op, target, site); };
  auto section = [&](const std::string& lock, std::string_view variable, bool reads, bool writes) {
    step(Op::Acquire, lock);
    if (reads) step(Op::Read, variable);
    if (writes) step(Op::Write, variable);
    step(Op::Release, lock);
  };
  // The locks that stand for a lock: itself, and one per thread that ever shares it.
  auto locks = [&] {
    std::vector<std::string> all = {names.locks.nameOf(e.target)};
    for (auto r = readers_.lower_bound({e.target, 0}); r != readers_.end() && r->first == e.target; ++r)
      all.push_back(own("shared", all[0] + "@" + names.threads.nameOf(r->second)));
    return all;
  };
  switch (e.op) {
    case Op::Read:
    case Op::Write:
      return step(e.op, names.variables.nameOf(e.target));
    case Op::Update:
      step(Op::Read, names.variables.nameOf(e.target));
      return step(Op::Write, names.variables.nameOf(e.target));
    case Op::AtomicRead:
    case Op::AtomicWrite:
    case Op::AtomicUpdate: {
      std::string variable = names.variables.nameOf(e.target);
      return section(own("atomic", variable), variable, reads(e.op), writes(e.op));
    }
    case Op::Acquire:
      for (const std::string& lock : locks()) step(Op::Acquire, lock);
      return;
    case Op::Release: {
      std::vector<std::string> all = locks();
      for (auto lock = all.rbegin(); lock != all.rend(); ++lock) step(Op::Release, *lock);
      return;
    }
    case Op::SharedAcquire:
    case Op::SharedRelease:
      return step(e.op == Op::SharedAcquire ? Op::Acquire : Op::Release,
                  own("shared", names.locks.nameOf(e.target) + "@" + thread));
    case Op::Fork:
    case Op::Join:
      return step(e.op, names.threads.nameOf(e.target));
    case Op::Send:
    case Op::Receive: {
      std::string channel = own("channel", names.channels.nameOf(e.target));
      return section(channel, channel, e.op == Op::Receive, e.op == Op::Send);
    }
    case Op::At: {
      std::string object = own("at", names.objects.nameOf(e.target));
      return section(object, object, false, true);
    }
    case Op::Begin:
    case Op::End:
    case Op::Branch:
      return step(e.op, "");
    case Op::Inner:
      return;
  }
}

}  // namespace predrace
