#include "tools/predrace/findings_output.h"

#include <sys/resource.h>

#include <cinttypes>
#include <cstdio>

#include "runtime/trace/printable.h"

namespace predrace {
namespace {

const char* kindOf(const EngineRow& engine, const Race& r) {
  if (engine.finding == Finding::LocksetViolation) return "lockset violation";
  return r.unordered ? "data race" : "predicted data race";
}

void print(std::string_view s) { std::fwrite(s.data(), 1, s.size(), stdout); }

// The length of the UTF-8 sequence that s begins with; 0: it is none.
size_t sequenceLength(std::string_view s) {
  auto byte = [s](size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  unsigned lead = byte(0);
  size_t length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : (lead & 0xf0) == 0xe0 ? 3 : 4;
  if (length == 4 && (lead < 0xf0 || lead > 0xf4)) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Too long a form, a surrogate, beyond the last character.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f))
    return 0;
  return length;
}

std::string jsonIndices(std::span<const uint64_t> indices) {
  std::string out = "[";
  for (uint64_t i : indices) {
    if (out.size() > 1) out += ',';
    out += std::to_string(i);
  }
  return out + "]";
}

std::string jsonRace(const FoundRace& f, const EngineRow& engine, const TraceNames& n) {
  const Race& r = f.race;
  return "{\"first\":" + std::to_string(r.first.index) + ",\"second\":" + std::to_string(r.second.index) +
         ",\"variable\":" + jsonString(n.variables.nameOf(r.variable)) + ",\"loc\":[" +
         jsonString(n.sites.nameOf(r.first.site)) + "," + jsonString(n.sites.nameOf(r.second.site)) +
         "],\"kind\":" + jsonString(kindOf(engine, r)) +
         ",\"witness\":" + (f.witnessed ? jsonIndices(f.schedule) : "null") + "}";
}

std::string describe(const RacingAccess& a, const TraceNames& n) {
  std::string out =
      printable(n.threads.nameOf(a.thread)) + " " + textOf(a.op) + ", event " + std::to_string(a.index);
  if (std::string site = n.sites.nameOf(a.site); !site.empty()) out += " at " + printable(site);
  return out;
}

std::string handOver(const HandOver& h, const TraceNames& n) {
  if (h.lock == kNone) return "";
  return " (ordered in this run by lock " + printable(n.locks.nameOf(h.lock)) + ", from " +
         printable(n.threads.nameOf(h.fromThread)) + " to " + printable(n.threads.nameOf(h.toThread)) + ")";
}

}  // namespace

std::string jsonString(std::string_view s) {
  std::string out = "\"";
  while (!s.empty()) {
    size_t length = sequenceLength(s);
    unsigned char c = static_cast<unsigned char>(s.front());
    if (length == 0) {
      out += "\xef\xbf\xbd";
      length = 1;
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
    } else {
      out += s.substr(0, length);
    }
    s.remove_prefix(length);
  }
  return out + '"';
}

void printJson(const Findings& findings, const std::string& trace, const TraceReader& reader) {
  const TraceNames& n = reader.names();
  std::vector<uint64_t> racy;
  for (const FoundRace& f : findings.races)
    if (racy.empty() || racy.back() != f.race.second.index) racy.push_back(f.race.second.index);
  print("{\"engine\":" + jsonString(findings.engine->name) + ",\"trace\":" + jsonString(trace) +
        ",\"events\":" + std::to_string(reader.events()) +
        ",\"threads\":" + std::to_string(n.threads.size()) + ",\"locks\":" + std::to_string(n.locks.size()) +
        ",\"variables\":" + std::to_string(n.variables.size()) + ",\"racy_events\":" + jsonIndices(racy) +
        ",\"races\":[");
  const char* comma = "";
  for (const FoundRace& f : findings.races) {
    print(comma + jsonRace(f, *findings.engine, n));
    comma = ",";
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("],\"seconds\":%.6f,\"peak_rss_kb\":%ld}\n", findings.seconds, usage.ru_maxrss);
}

void printText(const Findings& findings, const std::string& trace, const TraceReader& reader) {
  const TraceNames& n = reader.names();
  std::string head = trace + ": " + std::string(findings.engine->name) + ": ";
  for (const FoundRace& f : findings.races) {
    const Race& r = f.race;
    print(head + kindOf(*findings.engine, r) + " on " + printable(n.variables.nameOf(r.variable)) + ": " +
          describe(r.first, n) + ", and " + describe(r.second, n) + handOver(r.handOver, n) + "\n");
    if (!f.witnessed) continue;
    print("    both are next after these " + std::to_string(f.schedule.size()) + " events:");
    for (uint64_t i : f.schedule) print(" " + std::to_string(i));
    print("\n");
  }
  std::printf("%s%zu racing pairs in %" PRIu64 " events (%u threads, %u locks, %u variables), %.3f s\n",
              head.c_str(), findings.races.size(), reader.events(), n.threads.size(), n.locks.size(),
              n.variables.size(), findings.seconds);
  if (!findings.notes.empty()) print(head + findings.notes + "\n");
}

}  // namespace predrace
