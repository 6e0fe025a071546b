// engine_bench: what engines cost on one trace. `tools/bench engines` makes tables of it.
//
//   engine_bench [--engines A,B,...] [--workload NAME | --trace FILE] [--events N] [--reps N] [--limit S]
//   engine_bench --read FILE [--reps N]      the .std reader alone
//   engine_bench --write FILE [--workload NAME] [--events N]      the trace as .std
//   engine_bench --list
//
// The trace is held in memory as compact bytes (compact.h). Measured is, in a process of its own
// each time, decoding it in batches, the engine's run() over them, and finish(); repetitions go round
// all engines, so that a slow moment of the machine hits all of them. Besides the engines of the
// table there are `null`, which does nothing (its time is that of the decoding), and
// `cp_hand_over`, cp with the lock hand-overs that `predrace analyze` tells.
//
// Prints one JSON object per engine and line; numbers are medians. A run that fails or takes
// more than S seconds (default 300) gives "error" instead and is not repeated.
// Exit code 0, or 1 if the arguments, or the trace, are bad.
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/engines/cp.h"
#include "runtime/engines/engines.h"
#include "runtime/trace/std_format.h"
#include "tools/engine_bench/compact.h"
#include "tools/engine_bench/meter.h"
#include "tools/engine_bench/workload.h"

namespace predrace {
namespace {

constexpr size_t kBatch = 256;  // events decoded at a time: they stay in the nearest cache

class NullEngine final : public Engine {
 public:
  void on(const Event&) override {}
  void run(std::span<const Event>) override {}
  void finish() override {}
  void splitVariable(uint32_t, uint32_t) override {}
  void forgetVariable(uint32_t) override {}
  void forgetChannel(uint32_t) override {}
  void forgetLock(uint32_t) override {}
  void forgetObject(uint32_t) override {}
  size_t memoryBytes() const override { return 0; }
  uint64_t fold(size_t) override { return 0; }
};

struct Options {
  std::vector<std::string> engines;
  std::string workload = "ordinary_64", trace, read, write;
  uint64_t events = 1000000, reps = 5, limit = 300;
  bool list = false;
};

const std::string& nameOf(const Options& o) { return o.trace.empty() ? o.workload : o.trace; }

// What one run costs; plain bytes, because it comes through a pipe.
struct Cost {
  uint64_t nanoseconds = 0, instructions = 0;
  uint64_t peakBytes = 0;    // of the process, beyond the trace
  uint64_t engineBytes = 0;  // what the engine itself says, before or after finish()
  uint64_t races = 0;
};

[[noreturn]] void die(const std::string& reason) {
  std::fprintf(stderr, "engine_bench: %s\n", reason.c_str());
  std::exit(1);
}

// Null: there is none of that name.
std::unique_ptr<Engine> make(const std::string& name, RaceSink sink) {
  if (name == "null") return std::make_unique<NullEngine>();
  if (name == "cp_hand_over") return std::make_unique<CpEngine>(CpOptions(), sink);
  const EngineRow* row = findEngine(name);
  return row ? row->make(sink) : nullptr;
}

Cost measure(const std::string& name, std::span<const uint8_t> trace) {
  uint64_t before = residentBytes(), races = 0;
  Meter meter;
  meter.start();
  std::unique_ptr<Engine> engine = make(name, [&races](const Race&) { ++races; });
  CompactDecoder decoder(trace);
  std::array<Event, kBatch> batch;
  while (size_t n = decoder.next(batch)) engine->run(std::span(batch).first(n));
  meter.stop();
  uint64_t bytes = engine->memoryBytes();
  meter.start();
  engine->finish();
  meter.stop();
  bytes = std::max<uint64_t>(bytes, engine->memoryBytes());
  return {meter.nanoseconds(), meter.instructions(), peakResidentBytes() - before, bytes, races};
}

// In a child, which starts with the trace and nothing else. Returns why it failed, or "".
std::string measureApart(const std::string& name, std::span<const uint8_t> trace, uint64_t limit,
                         Cost* cost) {
  int ends[2];
  if (pipe(ends) != 0) die("no pipe");
  pid_t child = fork();
  if (child < 0) die("cannot fork");
  if (child == 0) {
    Cost c = measure(name, trace);
    _exit(write(ends[1], &c, sizeof c) == sizeof c ? 0 : 1);
  }
  close(ends[1]);
  // Not RLIMIT_CPU: with a limit set, Linux advances the process's CPU clock once per tick only.
  pollfd answer = {ends[0], POLLIN, 0};
  bool late = poll(&answer, 1, static_cast<int>(limit * 1000)) == 0;
  if (late) kill(child, SIGKILL);
  bool complete = !late && read(ends[0], cost, sizeof *cost) == sizeof *cost;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (late) return absl::StrCat("not done after ", limit, " s");
  if (WIFSIGNALED(status)) return absl::StrCat("signal ", WTERMSIG(status));
  return complete ? "" : "failed";
}

const Shape& shapeOf(const Options& options) {
  const Shape* shape = findShape(options.workload);
  if (!shape) die("no workload `" + options.workload + "`: see --list");
  return *shape;
}

// Reads all of a .std file: for each batch of events, visit().
template <class Visit>
void readTrace(const std::string& file, Visit visit) {
  std::string error;
  std::unique_ptr<Input> in = openInput(file, &error);
  if (!in) die("cannot read " + file + ": " + error);
  StdReader reader(std::move(in), file);
  for (std::span<const Event> batch; !(batch = reader.read()).empty();) visit(batch);
  if (!reader.error().empty()) die(reader.error());
}

CompactEncoder encode(const Options& options) {
  CompactEncoder out;
  if (!options.trace.empty()) {
    std::error_code unknown;
    uintmax_t size = std::filesystem::file_size(options.trace, unknown);
    if (!unknown) out.reserve(size);
    readTrace(options.trace, [&out](std::span<const Event> batch) {
      for (const Event& e : batch) out.add(e);
    });
  } else {
    constexpr size_t kEnough = 16;  // bytes per event
    out.reserve(options.events * kEnough);
    Workload workload(shapeOf(options));
    while (out.events() < options.events) out.add(workload.next());
  }
  malloc_trim(0);  // what was needed to make the trace is not to be found, free, by the engines
  return out;
}

template <class Field>
double median(const std::vector<Cost>& costs, Field field) {
  std::vector<double> values;
  for (const Cost& c : costs) values.push_back(static_cast<double>(c.*field));
  std::sort(values.begin(), values.end());
  size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

void print(const std::string& name, const Options& options, const CompactEncoder& trace,
           const std::vector<Cost>& costs, const std::string& error) {
  double events = static_cast<double>(std::max<uint64_t>(trace.events(), 1));
  std::printf("{\"engine\": \"%s\", \"trace\": \"%s\", \"events\": %" PRIu64, name.c_str(),
              nameOf(options).c_str(), trace.events());
  if (!error.empty()) {
    std::printf(", \"error\": \"%s\"}\n", error.c_str());
    return;
  }
  std::printf(", \"bytes_per_event\": %.2f, \"ns_per_event\": %.2f",
              static_cast<double>(trace.bytes().size()) / events, median(costs, &Cost::nanoseconds) / events);
  if (costs[0].instructions)
    std::printf(", \"instructions_per_event\": %.1f", median(costs, &Cost::instructions) / events);
  std::printf(", \"peak_bytes\": %.0f, \"engine_bytes\": %.0f, \"races\": %" PRIu64 "}\n",
              median(costs, &Cost::peakBytes), median(costs, &Cost::engineBytes), costs[0].races);
}

// One line that is overwritten, for whoever watches.
void progress(const std::string& text) {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

void measureAll(const Options& options) {
  CompactEncoder trace = encode(options);
  size_t n = options.engines.size();
  std::vector<std::vector<Cost>> costs(n);
  std::vector<std::string> errors(n);
  for (uint64_t rep = 0; rep < options.reps; ++rep)
    for (size_t i = 0; i < n; ++i) {
      if (!errors[i].empty()) continue;
      progress(absl::StrCat(nameOf(options), ": repetition ", rep + 1, " of ", options.reps, " (",
                            options.engines[i], ")"));
      Cost cost;
      errors[i] = measureApart(options.engines[i], trace.bytes(), options.limit, &cost);
      costs[i].push_back(cost);
    }
  progress("");
  for (size_t i = 0; i < n; ++i) print(options.engines[i], options, trace, costs[i], errors[i]);
}

void measureReader(const Options& options) {
  std::vector<Cost> costs;
  uint64_t events = 0;
  for (uint64_t rep = 0; rep < options.reps; ++rep) {
    Meter meter;
    events = 0;
    meter.start();
    readTrace(options.read, [&events](std::span<const Event> batch) { events += batch.size(); });
    meter.stop();
    costs.push_back({.nanoseconds = meter.nanoseconds()});
  }
  std::printf("{\"events\": %" PRIu64 ", \"seconds\": %.6f}\n", events,
              median(costs, &Cost::nanoseconds) * 1e-9);
}

// Of a workload, which has accesses, sections and forks.
std::string targetOf(const Event& e) {
  return absl::StrCat(isAccess(e.op) ? "x" : e.op == Op::Fork ? "T" : "m", e.target);
}

void writeTrace(const Options& options) {
  std::ofstream out(options.write, std::ios::binary);
  StdWriter writer(out);
  Workload workload(shapeOf(options));
  for (uint64_t i = 0; i < options.events; ++i) {
    Event e = workload.next();
    writer.write(absl::StrCat("T", e.thread), e.op, targetOf(e), absl::StrCat(e.site));
  }
  if (!out.flush()) die("cannot write " + options.write);
}

void list() {
  std::printf("{\"engines\": {");
  const char* separator = "";
  for (const EngineRow& row : engines()) {
    std::printf("%s\"%s\": \"%s\"", separator, std::string(row.name).c_str(),
                row.mode == Mode::Online ? "online" : "whole trace");
    separator = ", ";
  }
  std::printf("}, \"workloads\": [");
  separator = "";
  for (const Shape& s : shapes()) {
    std::printf("%s\"%s\"", separator, std::string(s.name).c_str());
    separator = ", ";
  }
  std::printf("]}\n");
}

bool parseOption(std::string_view option, const std::string& value, Options* options) {
  if (option == "--engines") {
    options->engines = absl::StrSplit(value, ',');
    return true;
  }
  for (auto [name, place] : {std::pair{"--workload", &Options::workload},
                             {"--trace", &Options::trace},
                             {"--read", &Options::read},
                             {"--write", &Options::write}})
    if (option == name) {
      options->*place = value;
      return true;
    }
  for (auto [name, place] :
       {std::pair{"--events", &Options::events}, {"--reps", &Options::reps}, {"--limit", &Options::limit}})
    if (option == name) return absl::SimpleAtoi(value, &(options->*place)) && options->*place > 0;
  return false;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    if (std::string_view(argv[i]) == "--list" && argc == 2) {
      options.list = true;
    } else if (i + 1 == argc || !parseOption(argv[i], argv[i + 1], &options)) {
      die(absl::StrCat("bad option ", argv[i], ": see the head of its source"));
    }
  }
  if (options.engines.empty()) {
    options.engines.push_back("null");
    for (const EngineRow& row : engines()) options.engines.push_back(std::string(row.name));
  }
  for (const std::string& name : options.engines)
    if (!make(name, [](const Race&) {})) die("no engine `" + name + "`: see --list");
  return options;
}

}  // namespace
}  // namespace predrace

int main(int argc, char** argv) {
  using namespace predrace;
  Options options = parse(argc, argv);
  if (options.list)
    list();
  else if (!options.read.empty())
    measureReader(options);
  else if (!options.write.empty())
    writeTrace(options);
  else
    measureAll(options);
  return 0;
}
