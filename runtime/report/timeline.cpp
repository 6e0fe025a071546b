#include "runtime/report/timeline.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/report/short_function.h"

namespace predrace {
namespace {

constexpr size_t kLine = 120, kIndent = 4, kGutter = 4;
constexpr size_t kFunction = 40;  // a longer name is shortened
constexpr size_t kAlign = 32;     // places are aligned behind texts of up to this width
constexpr size_t kStep = 48;      // a longer step on the left does not push the right column away
constexpr size_t kLeft = 40;      // the left column can have this much, however wide the right one is

struct Cell {
  std::string what, where;
  size_t align = 0;  // at least so much for `what`

  size_t width() const {
    return where.empty() ? what.size() : std::max(what.size(), align) + 2 + where.size();
  }
};

std::string threadName(uint32_t id, bool main) { return main ? "main thread" : absl::StrCat("T", id); }

std::string baseName(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string placeOf(const Frame& f) {
  std::string at;
  if (!f.file.empty()) {
    at = f.line == 0 ? baseName(f.file) : absl::StrCat(baseName(f.file), ":", f.line);
  } else if (!f.module.empty()) {
    at = absl::StrCat(baseName(f.module), "+0x", absl::Hex(f.offset));
  } else if (f.pc != 0) {
    at = absl::StrCat("0x", absl::Hex(f.pc, absl::kZeroPad12));
  }
  if (f.function.empty()) return at;
  return absl::StrCat(shortFunction(f.function, kFunction), at.empty() ? "" : " ", at);
}

Cell accessCell(const ReportAccess& a, const ReportLocation& l) {
  bool named = l.kind == ReportLocation::Kind::Global && !l.name.empty();
  std::string object =
      named ? absl::StrCat("'", l.name, "'") : absl::StrCat("0x", absl::Hex(a.address, absl::kZeroPad12));
  return {absl::StrCat(a.atomic ? "atomically " : "", a.write ? "writes " : "reads ", object),
          a.stack.empty() ? "" : placeOf(a.stack.front())};
}

std::string steps(uint64_t n) { return absl::StrCat(n, n == 1 ? " step" : " steps"); }

class Timeline {
 public:
  explicit Timeline(const Report& r)
      : schedule_(*r.schedule),
        leftName_(threadName(r.first.thread, r.first.threadIsMain)),
        rightName_(threadName(r.second.thread, r.second.threadIsMain)),
        left_(accessCell(r.first, r.location)),
        right_(accessCell(r.second, r.location)) {
    for (const ReportStep& s : schedule_.steps) {
      Lane lane = s.thread == r.first.thread ? Left : s.thread == r.second.thread ? Right : Other;
      std::string name = lane == Other ? threadName(s.thread, s.threadIsMain) + ": " : "";
      rows_.push_back({lane, {name + s.what, placeOf(s.where)}, s.skipped});
    }
    arrange();
  }

  std::string render() {
    line(kIndent, padded(leftName_, column_ - kIndent) + rightName_);
    if (schedule_.before != 0) line(kIndent, absl::StrCat("(", steps(schedule_.before), " as in this run)"));
    for (const Row& row : rows_) {
      size_t column = row.lane == Right ? column_ : kIndent;
      skipped(row.skipped);
      line(column, text(row.cell, column));
    }
    skipped(schedule_.skipped);
    std::string left = text(left_, kIndent), right = text(right_, column_);
    size_t gutter = column_ - kGutter;
    if (kIndent + left_.width() <= gutter) {
      line(kIndent, absl::StrCat(padded(left, gutter - kIndent), " || ", right));
    } else {
      line(kIndent, absl::StrCat(left, " ||"));
      line(gutter, absl::StrCat(" || ", right));
    }
    return std::move(out_);
  }

 private:
  enum Lane { Left, Right, Other };
  struct Row {
    Lane lane;
    Cell cell;
    uint64_t skipped;  // before it
  };

  // Decides where the places of a lane's steps and where the right column start.
  void arrange() {
    for (Lane lane : {Left, Right, Other}) {
      size_t most = 0;
      for (const Row& row : rows_) {
        if (row.lane == lane && row.cell.what.size() <= kAlign) most = std::max(most, row.cell.what.size());
      }
      for (Row& row : rows_) {
        if (row.lane == lane) row.cell.align = most;
      }
    }
    size_t left = std::max(leftName_.size(), left_.width());
    size_t right = std::max(rightName_.size(), right_.width());
    for (const Row& row : rows_) {
      if (row.lane == Left) left = std::max(left, std::min(row.cell.width(), kStep));
      if (row.lane == Right) right = std::max(right, row.cell.width());
    }
    size_t room = kLine - kIndent - kGutter;
    column_ = kIndent + std::min(left, right + kLeft < room ? room - right : kLeft) + kGutter;
  }

  static std::string padded(std::string s, size_t width) {
    s.resize(std::max(s.size(), width), ' ');
    return s;
  }

  // A cell that starts at `column`.
  static std::string text(const Cell& c, size_t column) {
    if (c.where.empty()) return c.what;
    if (column + c.width() > kLine) return absl::StrCat(c.what, "\n", std::string(column + 2, ' '), c.where);
    return absl::StrCat(padded(c.what, c.align), "  ", c.where);
  }

  void skipped(uint64_t n) {
    if (n != 0) line(kIndent, absl::StrCat("(", n, n == 1 ? " more step)" : " more steps)"));
  }

  void line(size_t column, absl::string_view text) {
    absl::StrAppend(&out_, std::string(column, ' '), text, "\n");
  }

  const ReportSchedule& schedule_;
  std::string leftName_, rightName_;
  Cell left_, right_;  // the accesses
  std::vector<Row> rows_;
  size_t column_ = 0;  // where the right one starts
  std::string out_;
};

}  // namespace

std::string renderTimeline(const Report& report) { return Timeline(report).render(); }

}  // namespace predrace
