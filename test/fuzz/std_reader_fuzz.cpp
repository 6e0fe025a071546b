// Any bytes: the .std reader ends with events or with one line that says where and why; what it
// accepts, written again, reads as the same; and blocks of any size give the same events.
//
// Built with the option PREDRACE_FUZZ, for libFuzzer. The test `fuzz_corpus` runs the seeds.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/trace/std_format.h"

namespace predrace {
namespace {

// A few bytes at a time: lines lie across the ends of blocks.
class Trickle final : public Input {
 public:
  Trickle(std::string_view text, size_t step) : text_(text), step_(step) {}
  size_t read(char* to, size_t room) override {
    size_t n = std::min({room, step_, text_.size()});
    text_.copy(to, n);
    text_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view text_;
  size_t step_;
};

struct Reading {
  std::string text;  // the events as StdWriter writes them
  std::string error;
  uint64_t events = 0;
};

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::string targetOf(const TraceNames& n, Op op, uint32_t target) {
  const Names* families[] = {&n.variables, &n.locks, &n.threads, &n.channels, &n.objects};
  return familyOf(op) == Family::None ? "" : families[static_cast<size_t>(familyOf(op))]->nameOf(target);
}

Reading read(std::string_view text, size_t step) {
  StdReader reader(std::make_unique<Trickle>(text, step), "f");
  std::ostringstream out;
  StdWriter writer(out);
  Reading r;
  for (std::span<const Event> batch; !(batch = reader.read()).empty();)
    for (const Event& e : batch) {
      expect(e.index == r.events++, "indices do not count from 0");
      const TraceNames& n = reader.names();
      Op op = reader.written(e);
      writer.write(n.threads.nameOf(e.thread), op, targetOf(n, op, e.target), n.sites.nameOf(e.site));
    }
  r.text = out.str();
  r.error = reader.error();
  return r;
}

}  // namespace
}  // namespace predrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace predrace;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Reading whole = read(text, ~size_t{0}), pieces = read(text, 1 + size % 17);
  expect(whole.text == pieces.text && whole.error == pieces.error, "blocks matter");
  expect(whole.error.empty() || (whole.error.starts_with("f:") &&
                                 whole.error.find('\n') == std::string::npos && whole.error.size() < 1000),
         "a bad message");
  Reading again = read(whole.text, ~size_t{0});
  expect(again.error.empty() && again.text == whole.text, "written and read again it is another trace");
  return 0;
}
