// predrace analyze: runs engines over recorded traces, and says what they found.
#include <algorithm>
#include <string>
#include <vector>

#include "runtime/trace/formats.h"
#include "tools/predrace/analysis.h"
#include "tools/predrace/arguments.h"
#include "tools/predrace/commands.h"
#include "tools/predrace/findings_output.h"
#include "tools/predrace/progress.h"

namespace predrace {
namespace {

struct Options {
  AnalysisOptions analysis;
  bool json = false;
};

std::string setEngines(std::string_view list, std::vector<const EngineRow*>* chosen) {
  chosen->clear();
  auto choose = [chosen](const EngineRow& row) {
    if (std::ranges::find(*chosen, &row) == chosen->end()) chosen->push_back(&row);
  };
  for (size_t from = 0; from <= list.size();) {
    std::string_view name = list.substr(from, list.find(',', from) - from);
    from += name.size() + 1;
    if (const EngineRow* row = findEngine(name)) {
      choose(*row);
    } else if (name == "all") {
      for (const EngineRow& row : engines()) choose(row);
    } else {
      std::string error = "unknown engine '" + std::string(name) + "', expected all or some of:";
      for (const EngineRow& row : engines()) error += " " + std::string(row.name);
      return error;
    }
  }
  return "";
}

std::string setWitnesses(std::string_view which, Witnesses* to) {
  if (which == "all")
    *to = Witnesses::All;
  else if (which == "first")
    *to = Witnesses::First;
  else if (which == "none")
    *to = Witnesses::None;
  else
    return "unknown choice '" + std::string(which) + "', expected all, first or none";
  return "";
}

std::string engineTable() {
  std::string out = "\nEngines:\n";
  for (const EngineRow& row : engines()) {
    std::string name(row.name);
    name.resize(std::max<size_t>(name.size(), 10), ' ');
    out += "  " + name + " " + std::string(row.reports) + "\n             " + std::string(row.paper) + "; " +
           (row.mode == Mode::Online     ? "event by event"
            : row.mode == Mode::Windowed ? "keeps the last events"
                                         : "needs the whole trace in memory") +
           "; certain to be real: " + std::string(row.sound) + "\n";
  }
  out += "\nFormats, by the end of a file's name (otherwise the first):\n";
  for (const Format& f : formats()) out += std::string(f.help);
  return out;
}

Command commandFor(Options* o) {
  return {
      .usage = "analyze [OPTION...] TRACE...",
      .about =
          "Finds the races of recorded traces; - is stdin. All engines work in one pass over a trace.\n"
          "Exit code 0: no race, 66: races, 1: bad usage or unreadable input.\n",
      .options = {{"--engine", "E[,E...]|all", "engines to run (default cp)",
                   [o](std::string_view v) { return setEngines(v, &o->analysis.engines); }},
                  {"--format", "text|json",
                   "one line per race, or one JSON object per engine and trace; seconds are\n"
                   "                         those in the engine, without reading",
                   [o](std::string_view v) { return setFormat(v, &o->json); }},
                  {"--jobs", "N",
                   "threads that engines run in, beside the one that reads (default 1: all in one)",
                   [o](std::string_view v) { return setNumber(v, 1, &o->analysis.jobs); }},
                  {"--window", "N",
                   "leave out races whose accesses are more than N events apart; online keeps so many\n"
                   "                         (default: as many as a live run)",
                   [o](std::string_view v) { return setNumber(v, 1, &o->analysis.window); }},
                  {"--witnesses", "all|first|none",
                   "schedules that show a race, from engines that have them: of every race,\n"
                   "                         of the first on each variable (default), of none; all are "
                   "checked, and there\n"
                   "                         are at most 10,000,000 steps of them per engine and trace",
                   [o](std::string_view v) { return setWitnesses(v, &o->analysis.witnesses); }}},
      .fewest = 1,
      .most = ~size_t{0},
      .expected = "a trace",
      .epilogue = engineTable(),
  };
}

// What there is to say about the schedules that are not printed.
void warn(const Findings& f, const std::string& trace) {
  std::string head = trace + ": " + std::string(f.engine->name) + ": ";
  if (f.rejected)
    complain(head + std::to_string(f.rejected) +
             " schedules were not accepted by the checker, and are not shown");
  if (f.unmade)
    complain(head + "no schedules for " + std::to_string(f.unmade) +
             " races: those before them have nearly " + std::to_string(kWitnessSteps) + " steps already");
}

int analyzeTrace(const std::string& trace, const Options& options) {
  std::string error;
  std::unique_ptr<TraceReader> reader = openTrace(trace, &error);
  if (!reader) return complain(error);
  Progress progress(trace, *reader);
  std::vector<Findings> all = analyze(*reader, options.analysis, [&progress] { progress.update(); });
  progress.clear();
  if (!reader->error().empty()) return complain(reader->error());
  bool racy = false;
  for (const Findings& f : all) {
    racy |= !f.races.empty();
    warn(f, trace);
    (options.json ? printJson : printText)(f, trace, *reader);
  }
  return endOutput(racy ? kRaces : kFine);
}

}  // namespace

std::string setFormat(std::string_view value, bool* json) {
  *json = value == "json";
  if (*json || value == "text") return "";
  return "unknown format '" + std::string(value) + "', expected text or json";
}

int analyze(std::span<const std::string_view> arguments) {
  Options options;
  setEngines("cp", &options.analysis.engines);
  std::vector<std::string> traces;
  if (auto done = parseArguments(commandFor(&options), arguments, &traces)) return *done;
  options.analysis.handOvers = !options.json;
  int worst = kFine;
  for (const std::string& trace : traces) {
    int code = analyzeTrace(trace, options);
    if (code == kUsage || worst == kFine) worst = code;
  }
  return worst;
}

}  // namespace predrace
