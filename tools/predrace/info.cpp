// predrace info: what is in a trace.
#include <array>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "runtime/trace/formats.h"
#include "tools/predrace/arguments.h"
#include "tools/predrace/commands.h"
#include "tools/predrace/findings_output.h"
#include "tools/predrace/progress.h"

namespace predrace {
namespace {

struct Contents {
  std::array<uint64_t, static_cast<size_t>(Op::Inner) + 1> operations{};  // as the file has them
  uint64_t inner = 0;                                                     // re-entrant ones among them
};

struct Row {
  const char* name;
  uint64_t count;
};

std::vector<Row> rowsOf(const TraceReader& reader, const Contents& c) {
  const TraceNames& n = reader.names();
  return {{"bytes", reader.bytes()},         {"events", reader.events()},
          {"threads", n.threads.size()},     {"locks", n.locks.size()},
          {"variables", n.variables.size()}, {"channels", n.channels.size()},
          {"objects", n.objects.size()},     {"reentrant", c.inner}};
}

void print(const std::string& trace, const Format& format, const TraceReader& reader, const Contents& c,
           bool json) {
  if (json)
    std::printf("{\"trace\":%s,\"format\":\"%s\"", jsonString(trace).c_str(),
                std::string(format.name).c_str());
  else
    std::printf("%s: format %s\n", trace.c_str(), std::string(format.name).c_str());
  for (const Row& r : rowsOf(reader, c))
    std::printf(json ? ",\"%s\":%" PRIu64 : "  %-10s %12" PRIu64 "\n", r.name, r.count);
  if (json) std::printf(",\"operations\":{");
  const char* comma = "";
  for (size_t i = 0; i < c.operations.size(); ++i) {
    if (c.operations[i] == 0) continue;
    const char* text = textOf(static_cast<Op>(i));
    if (json)
      std::printf("%s\"%s\":%" PRIu64, comma, text, c.operations[i]);
    else
      std::printf("    %-8s %12" PRIu64 "\n", text, c.operations[i]);
    comma = ",";
  }
  if (json) std::printf("}}\n");
}

int infoOf(const std::string& trace, bool json) {
  std::string error;
  std::unique_ptr<TraceReader> reader = openTrace(trace, &error);
  if (!reader) return complain(error);
  Contents contents;
  {
    Progress progress(trace, *reader);
    for (std::span<const Event> batch; !(batch = reader->read()).empty(); progress.update())
      for (const Event& e : batch) {
        ++contents.operations[static_cast<size_t>(reader->written(e))];
        contents.inner += e.op == Op::Inner;
      }
  }
  if (!reader->error().empty()) return complain(reader->error());
  const Format* format = formatOf(trace);
  print(trace, format ? *format : formats()[0], *reader, contents, json);
  return endOutput(kFine);
}

}  // namespace

int info(std::span<const std::string_view> arguments) {
  bool json = false;
  Command command = {
      .usage = "info [--format=text|json] TRACE...",
      .about =
          "Says what is in a trace: how many events, threads, locks, variables, and of which operations;\n"
          "- is stdin. Exit code 0: done, 1: bad usage or unreadable input.\n",
      .options = {{"--format", "text|json", "a table, or one JSON object per trace",
                   [&json](std::string_view v) { return setFormat(v, &json); }}},
      .fewest = 1,
      .most = ~size_t{0},
      .expected = "a trace",
      .epilogue = "",
  };
  std::vector<std::string> traces;
  if (auto done = parseArguments(command, arguments, &traces)) return *done;
  int worst = kFine;
  for (const std::string& trace : traces)
    if (int code = infoOf(trace, json); code != kFine) worst = code;
  return worst;
}

}  // namespace predrace
