#include "runtime/trace/std_format.h"

#include <cstring>
#include <utility>

namespace predrace {
namespace {

enum class Family { Variable, Lock, Thread, Channel, Object, None };

struct OpText {
  std::string_view text;
  Op op;
  Family family;
};

constexpr OpText kOps[] = {
#define PREDRACE_OP(name, text, target, meaning) {text, Op::name, Family::target},
#include "runtime/engines/ops.inc"
};

const OpText* findOp(std::string_view text) {
  for (const OpText& o : kOps)
    if (o.text == text && !text.empty()) return &o;
  return nullptr;
}

constexpr size_t kBuffer = 1 << 18;

std::string_view strip(std::string_view s) {
  constexpr std::string_view kSpace = " \t\r\f\v";
  size_t from = s.find_first_not_of(kSpace);
  return from == s.npos ? std::string_view() : s.substr(from, s.find_last_not_of(kSpace) - from + 1);
}

std::string show(std::string_view s) { return std::string(s); }
std::string show(uint64_t n) { return std::to_string(n); }
template <class... Parts>
std::string text(const Parts&... parts) {
  return (std::string() + ... + show(parts));
}

}  // namespace

uint32_t Names::numberOf(std::string_view name) {
  auto found = numbers_.find(name);
  if (found == numbers_.end()) {
    found = numbers_.emplace(name, size()).first;
    names_.push_back(&found->first);
  }
  return found->second;
}

StdReader::StdReader(std::istream& in, std::string file) : in_(in), file_(std::move(file)) {
  names_.sites.numberOf("");
}

bool StdReader::fail(std::string reason) {
  error_ = text(file_, ":", line_, ": ", reason);
  return false;
}

// Without its newline. A last line without one counts.
bool StdReader::readLine(std::string_view* line) {
  for (size_t from = at_;;) {
    if (const void* end = std::memchr(buffer_.data() + from, '\n', filled_ - from)) {
      size_t stop = static_cast<size_t>(static_cast<const char*>(end) - buffer_.data());
      *line = std::string_view(buffer_).substr(at_, stop - at_);
      at_ = stop + 1;
      return true;
    }
    if (at_) {
      std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
      filled_ -= at_;
      at_ = 0;
    }
    from = filled_;
    if (buffer_.size() < filled_ + kBuffer) buffer_.resize(filled_ + kBuffer);
    std::streamsize got = in_.rdbuf() ? in_.rdbuf()->sgetn(buffer_.data() + filled_, kBuffer) : 0;
    if (got > 0) {
      filled_ += static_cast<size_t>(got);
      continue;
    }
    if (filled_ == 0) return false;
    *line = std::string_view(buffer_).substr(0, filled_);
    at_ = filled_;
    filled_ = at_ = 0;
    return true;
  }
}

bool StdReader::next(Event* e) {
  std::string_view line;
  while (error_.empty() && readLine(&line)) {
    ++line_;
    line = strip(line);
    if (line.empty() || line.front() == '#') continue;
    if (!parse(line, e)) return false;
    ++events_;
    return true;
  }
  return false;
}

bool StdReader::parse(std::string_view line, Event* e) {
  size_t bar = line.find('|');
  if (bar == std::string_view::npos) return fail("expected THREAD|OPERATION|LOCATION, found no '|'");
  std::string_view thread = strip(line.substr(0, bar));
  if (thread.empty()) return fail("expected a thread's name before '|'");
  std::string_view rest = line.substr(bar + 1);
  size_t n = 0;
  while (n < rest.size() && rest[n] >= 'a' && rest[n] <= 'z') ++n;
  const OpText* op = findOp(rest.substr(0, n));
  if (!op) return fail(text("unknown operation '", rest.substr(0, rest.find_first_of("(|")), "'"));
  std::string_view target;
  rest.remove_prefix(n);
  if (!rest.empty() && rest.front() == '(') {
    size_t close = rest.find(')');
    if (close == std::string_view::npos) return fail(text("expected ')' after '", op->text, "('"));
    target = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
  }
  if (!rest.empty() && rest.front() != '|')
    return fail(text("expected '|' or the end after the operation, found '", rest, "'"));
  if (target.empty() && op->family != Family::None)
    return fail(text("expected ", op->text, "(...): it needs a target"));

  e->op = op->op;
  e->thread = names_.threads.numberOf(thread);
  e->site = names_.sites.numberOf(rest.empty() ? rest : rest.substr(1));
  e->index = events_;
  e->target = 0;
  switch (op->family) {
    case Family::Variable:
      e->target = names_.variables.numberOf(target);
      break;
    case Family::Lock:
      e->target = names_.locks.numberOf(target);
      break;
    case Family::Thread:
      e->target = names_.threads.numberOf(target);
      break;
    case Family::Channel:
      e->target = names_.channels.numberOf(target);
      break;
    case Family::Object:
      e->target = names_.objects.numberOf(target);
      break;
    case Family::None:
      break;
  }
  written_ = e->op;
  return admit(e);
}

// Refuses what no run can contain; who asks an engine about it gets no useful answer.
bool StdReader::admit(Event* event) {
  const Event& e = *event;
  if (lives_.size() < names_.threads.size()) lives_.resize(names_.threads.size(), Life::New);
  Life& life = lives_[e.thread];
  if (life == Life::Joined) return fail(text("thread ", threadName(e.thread), " has been joined"));
  if (life == Life::Ended) return fail(text("thread ", threadName(e.thread), " has ended"));
  life = e.op == Op::End ? Life::Ended : Life::Running;
  switch (e.op) {
    case Op::Fork: {
      Life& child = lives_[e.target];
      if (child == Life::Forked) return fail(text("thread ", threadName(e.target), " was forked before"));
      if (child != Life::New)
        return fail(text("thread ", threadName(e.target), " was running before its fork"));
      child = Life::Forked;
      return true;
    }
    case Op::Join:
      if (e.target == e.thread) return fail(text("thread ", threadName(e.thread), " joins itself"));
      lives_[e.target] = Life::Joined;
      return true;
    case Op::Acquire:
    case Op::Release:
    case Op::SharedAcquire:
    case Op::SharedRelease:
      return admitLock(event);
    case Op::Read:
    case Op::Write:
    case Op::Update:
    case Op::AtomicRead:
    case Op::AtomicWrite:
    case Op::AtomicUpdate:
    case Op::Send:
    case Op::Receive:
    case Op::At:
    case Op::Begin:
    case Op::End:
    case Op::Branch:
    case Op::Inner:
      return true;
  }
  return true;
}

bool StdReader::admitLock(Event* event) {
  const Event e = *event;
  if (locks_.size() < names_.locks.size()) locks_.resize(names_.locks.size());
  LockState& l = locks_[e.target];
  auto lock = [&] { return text("lock ", names_.locks.nameOf(e.target)); };
  bool owns = l.owner == e.thread;
  auto mine = l.readers.find(e.thread);
  bool reads = mine != l.readers.end();
  switch (e.op) {
    case Op::Acquire:
    case Op::SharedAcquire: {
      bool shared = e.op == Op::SharedAcquire;
      if (l.owner != ~0u && !owns) return fail(text(lock(), " is held by ", threadName(l.owner)));
      if (owns && shared)
        return fail(text(lock(), " is held exclusively by ", threadName(e.thread), " itself"));
      if (!shared && !l.readers.empty())
        return fail(text(lock(), " is held shared by ", threadName(l.readers.begin()->first)));
      if (owns || reads) event->op = Op::Inner;
      if (shared)
        ++l.readers[e.thread];
      else
        l.owner = e.thread, ++l.depth;
      return true;
    }
    case Op::Release:
      if (!owns) return fail(text(lock(), " is not held by ", threadName(e.thread)));
      if (--l.depth > 0)
        event->op = Op::Inner;
      else
        l.owner = ~0u;
      return true;
    case Op::SharedRelease:
      if (!reads) return fail(text(lock(), " is not held shared by ", threadName(e.thread)));
      if (--mine->second > 0)
        event->op = Op::Inner;
      else
        l.readers.erase(mine);
      return true;
    default:
      return true;
  }
}

void StdWriter::write(std::string_view thread, Op op, std::string_view target, std::string_view site) {
  out_ << thread << '|' << textOf(op);
  if (op < Op::Begin) out_ << '(' << target << ')';
  out_ << '|' << site << '\n';
}

}  // namespace predrace
