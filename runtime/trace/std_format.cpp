#include "runtime/trace/std_format.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "runtime/trace/each_machine.h"
#include "runtime/trace/newlines.h"
#include "runtime/trace/printable.h"
#include "runtime/trace/window.h"

namespace predrace {
namespace {

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

// The operations of the fast way as one word of up to four letters, where a multiplication
// sends each to a slot of its own.
class ShortOps {
 public:
  struct Slot {
    uint32_t letters = 0;
    uint8_t length = 0;  // letters can be NUL
    Op op = Op::Inner;
    Family family = Family::None;
    FastStep step;
  };
  constexpr ShortOps() {
    for (const OpText& o : kOps) {
      if (o.text.empty() || !Admission::isFast(o.op)) continue;
      uint32_t letters = 0;
      for (size_t i = 0; i < o.text.size(); ++i)
        letters |= static_cast<uint32_t>(static_cast<uint8_t>(o.text[i])) << 8 * i;
      Slot& slot = slots_[place(letters)];
      if (slot.letters != 0) unique_ = false;
      slot = {letters, static_cast<uint8_t>(o.text.size()), o.op, o.family, Admission::stepOf(o.op)};
    }
  }
  constexpr bool unique() const { return unique_; }
  // Where the operation is, if it is one of them.
  constexpr uint32_t find(uint32_t letters) const { return place(letters); }
  constexpr const Slot& operator[](uint32_t place) const { return slots_[place]; }

 private:
  static constexpr uint32_t place(uint32_t letters) { return letters * 0x148489e1u >> 27; }
  std::array<Slot, 32> slots_{};
  bool unique_ = true;
};
constexpr ShortOps kShortOps;
static_assert(kShortOps.unique(), "choose another factor");
constexpr uint8_t kAnyOp = kShortOps.find('r');
static_assert(kShortOps[kAnyOp].letters == 'r');

constexpr size_t kBlock = 64 << 10;
// From the last line on: the names behind the last delimiter of a window.
constexpr size_t kOverread = Window::kBytes + 2 + std::max(Names::kOverread, Decimals<1>::kOverread);

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view strip(std::string_view s) {
  constexpr std::string_view kSpace = " \t\r\f\v";
  size_t from = s.find_first_not_of(kSpace);
  return from == s.npos ? std::string_view() : s.substr(from, s.find_last_not_of(kSpace) - from + 1);
}

std::string quote(std::string_view s) { return "'" + printable(s) + "'"; }

}  // namespace

const char kStdDialect[] =
    ".std text, one event per line: THREAD|OPERATION(TARGET)|LOCATION, such as T1|w(x)|12\n"
    "  r(x) w(x)                plain accesses\n"
    "  ar(x) aw(x) au(x)        atomic accesses: read, write, update\n"
    "  acq(l) rel(l)            exclusive section of a lock\n"
    "  racq(l) rrel(l)          shared section of a lock\n"
    "  fork(T) join(T)          the thread is created, and waited for\n"
    "  snd(c) rcv(c)            hard order: each snd comes before every later rcv\n"
    "  at(o)                    kept order: among all at(o) it never changes\n"
    "  begin end branch         without a target; only end means something (see below)\n"
    "Accepted:\n"
    "  blank lines, lines that start with #, blanks around a line and a thread's name, CRLF,\n"
    "  byte order marks; a line without its LOCATION; further | in the LOCATION; any bytes in\n"
    "  names; a last line without its newline, if it is a whole event\n"
    "  re-entrant sections: the inner acquire and release have no meaning\n"
    "  a thread that begins without fork or begin: it runs from the start\n"
    "  join of a thread that was never forked, that has not said end, or that has no events: what\n"
    "  it did comes before\n"
    "  a thread that ends, is joined, or stops inside of a section: the section lasts to its end\n"
    "  rcv of a channel nothing was sent on\n"
    "Refused, because no run does it, and because ignoring it would lose order and make up races:\n"
    "  release of a lock that the thread does not hold: unlocked by another thread (say snd and rcv),\n"
    "  locked before the trace begins (put an acq in front), rel of a shared or rrel of an exclusive\n"
    "  section\n"
    "  acquire of a lock that another thread holds, or that the thread holds in the other mode\n"
    "  fork of a thread that has events or was forked before; a thread that joins itself\n"
    "  events of a thread after its end or its join\n"
    "  an unknown operation, a missing target, a line of more than 64 KiB\n";

StdReader::StdReader(std::unique_ptr<Input> in, std::string file)
    : in_(std::move(in)),
      file_(std::move(file)),
      buffer_(std::make_unique_for_overwrite<char[]>(kLongestLine + kBlock + kOverread)),
      newlines_(std::make_unique_for_overwrite<uint32_t[]>(kLongestLine + kBlock + kNewlinesOverwrite)),
      families_{&names_.variables, &names_.locks,   &names_.threads,
                &names_.channels,  &names_.objects, nullptr},
      admission_(names_) {}

bool StdReader::fail(const std::string& reason) {
  error_ = file_ + ":" + std::to_string(line_) + ": " + reason;
  return false;
}

void StdReader::fill() {
  while (batch_.empty() && error_.empty() && readBlock()) parseBlock();
}

// Until there is a whole line, whose end is made up if it is the last one's. False: there is none.
bool StdReader::readBlock() {
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  while (!ended_) {
    if (end_ > kLongestLine) {
      ++line_;
      return fail("the line is longer than " + std::to_string(kLongestLine >> 10) +
                  " KiB: is this a text file?");
    }
    size_t got = in_->read(buffer_.get() + end_, kBlock - 1);
    if (!in_->error().empty()) {
      error_ = "cannot read " + file_ + ": " + in_->error();
      return false;
    }
    bytes_ += got;
    bool whole = std::memchr(buffer_.get() + end_, '\n', got);
    end_ += got;
    if (got == 0) {
      ended_ = true;
      if (end_ > begin_) buffer_[end_++] = '\n';
    } else if (whole) {
      return true;
    }
  }
  return end_ > begin_;
}

// In groups of lines, and each group in short steps: what a step does for one line does not depend
// on the other lines, so the processor does several at once, and waits for many tables' entries at
// a time. Measured: a third faster than line by line; and two loops in place of one take a tenth
// less where the one is long, since fewer lines of it are under way at a time.
void StdReader::parseBlock() {
  const char* block = buffer_.get() + begin_;
  size_t count = findNewlines(block, end_ - begin_, newlines_.get());
  begin_ += newlines_[count - 1] + 1;
  for (size_t first = 0; first < count; first += kGroup) {
    size_t n = std::min(kGroup, count - first);
    splitLines(block, first, n);
    findNames(n);
    for (size_t i = 0; i < n; ++i) {
      ++line_;
      if (takeFast(i)) [[likely]]
        continue;
      if (!parseSlow({lines_[i].begin, lines_[i].end})) return;
    }
  }
}

// n lines of the block into lines_.
PREDRACE_EACH_MACHINE void StdReader::splitLines(const char* block, size_t first, size_t n) {
  const uint32_t* newlines = newlines_.get() + first;
  const char* begin = first == 0 ? block : block + newlines[-1] + 1;
  for (size_t i = 0; i < n; ++i) {
    lines_[i].begin = begin;
    lines_[i].end = block + newlines[i];
    begin = lines_[i].end + 1;
    Window window(lines_[i].begin);
    lines_[i].bar = static_cast<uint8_t>(window.first('|'));
    lines_[i].open = static_cast<uint8_t>(window.first('('));
    lines_[i].close = static_cast<uint8_t>(window.first(')'));
  }
  for (size_t i = 0; i < n; ++i) {
    if (!splitFast(i)) [[unlikely]] {
      lines_[i].bar = 0;
      lines_[i].op = kAnyOp;
      threads_.set(i, begin, 0);
    }
  }
}

// Is all of the line as usual?
[[gnu::always_inline]] inline bool StdReader::splitFast(size_t i) {
  Line& l = lines_[i];
  const char* line = l.begin;
  size_t bar = l.bar, open = l.open, close = l.close, end = static_cast<size_t>(l.end - line);
  size_t letters = open - bar - 1, target = close - open - 1, site = end - close - 2;
  uint32_t word;
  std::memcpy(&word, line + bar + 1, sizeof word);
  word &= ~0u >> ((32 - 8 * letters) & 31);
  uint32_t op = kShortOps.find(word);
  const ShortOps::Slot& slot = kShortOps[op];
  // In another order of the delimiters one of the lengths is wrong, or less than nothing. So it is if
  // one is not in the window, but for the `)`.
  size_t odd = (slot.letters ^ word) | (slot.length ^ letters) | static_cast<size_t>(line[close + 1] ^ '|');
  if ((odd != 0) | (close == Window::kBytes) | (target - 1 >= Window::kBytes) | (site >= Window::kBytes))
    return false;
  l.targetLength = static_cast<uint8_t>(target);
  l.siteLength = static_cast<uint8_t>(site);
  l.op = static_cast<uint8_t>(op);
  threads_.set(i, line + 1, bar - 1);
  targets_.set(i, line + open + 2, target - 1);
  sites_.set(i, line + close + 2, site);
  return true;
}

[[gnu::always_inline]] inline Names& StdReader::familyOf(const Line& l) {
  return *families_[static_cast<size_t>(kShortOps[l.op].family)];
}

// Of the first n lines.
PREDRACE_EACH_MACHINE void StdReader::findNames(size_t n) {
  threads_.parse();
  targets_.parse();
  sites_.parse();
  for (size_t i = 0; i < n; ++i) {
    Line& l = lines_[i];
    l.number = familyOf(l).find(l.begin + l.open + 1, l.targetLength, targets_[i]);
  }
  for (size_t i = 0; i < n; ++i) {
    Line& l = lines_[i];
    l.thread = names_.threads.find(l.begin, l.bar, threads_[i]);
    l.where = names_.sites.find(l.begin + l.close + 2, l.siteLength, sites_[i]);
  }
}

// False: nothing was done, take the slow way.
inline bool StdReader::takeFast(size_t i) {
  const Line& l = lines_[i];
  if (l.thread == Names::kUnknown || l.where == Names::kUnknown) return false;
  const ShortOps::Slot& op = kShortOps[l.op];
  Event e{op.op, l.thread, l.number, l.where, events_};
  if (e.target == Names::kUnknown) {
    if (!admission_.runs(e.thread)) return false;
    e.target = familyOf(l).numberOf(l.begin + l.open + 1, l.targetLength, targets_[i]);
    admission_.grow();
  }
  if (!admission_.admitFast(e, op.step)) return false;
  ++events_;
  add(e);
  return true;
}

bool StdReader::parseSlow(std::string_view line) {
  if (line.size() > kLongestLine)
    return fail("the line is longer than " + std::to_string(kLongestLine >> 10) +
                " KiB: is this a text file?");
  line = strip(line);
  // Of the first line, or of any: files are put together.
  while (line.starts_with(kByteOrderMark)) line = strip(line.substr(kByteOrderMark.size()));
  if (line.empty() || line.front() == '#') return true;
  Event e;
  if (!parseEvent(line, &e)) return false;
  admission_.grow();
  Op written = e.op;
  if (std::string reason = admission_.admit(&e); !reason.empty()) return fail(reason);
  if (e.op != written) inner_.emplace_back(e.index, written);
  ++events_;
  add(e);
  return true;
}

bool StdReader::parseEvent(std::string_view line, Event* e) {
  size_t bar = line.find('|');
  if (bar == std::string_view::npos) return fail("expected THREAD|OPERATION|LOCATION, found no '|'");
  std::string_view thread = strip(line.substr(0, bar));
  if (thread.empty()) return fail("expected a thread's name before '|'");
  std::string_view rest = line.substr(bar + 1);
  size_t n = 0;
  while (n < rest.size() && rest[n] >= 'a' && rest[n] <= 'z') ++n;
  const OpText* op = findOp(rest.substr(0, n));
  if (!op) return fail("unknown operation " + quote(rest.substr(0, rest.find_first_of("(|"))));
  std::string_view target;
  rest.remove_prefix(n);
  if (!rest.empty() && rest.front() == '(') {
    size_t close = rest.find(')');
    if (close == std::string_view::npos) return fail("expected ')' after '" + std::string(op->text) + "('");
    target = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
  }
  if (!rest.empty() && rest.front() != '|')
    return fail("expected '|' or the end after the operation, found " + quote(rest));
  if (target.empty() && op->family != Family::None)
    return fail("expected " + std::string(op->text) + "(...): it needs a target");

  Names* family = families_[static_cast<size_t>(op->family)];
  e->op = op->op;
  e->thread = names_.threads.numberOf(thread);
  e->target = family ? family->numberOf(target) : 0;
  e->site = names_.sites.numberOf(rest.empty() ? rest : rest.substr(1));
  e->index = events_;
  return true;
}

void StdWriter::write(std::string_view thread, Op op, std::string_view target, std::string_view site) {
  out_ << thread << '|' << textOf(op);
  if (op < Op::Begin) out_ << '(' << target << ')';
  out_ << '|' << site << '\n';
}

}  // namespace predrace
