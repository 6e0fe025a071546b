// predrace convert: a trace in another format, or in operations that other tools know.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "runtime/trace/formats.h"
#include "runtime/trace/rapid.h"
#include "tools/predrace/arguments.h"
#include "tools/predrace/commands.h"
#include "tools/predrace/progress.h"

namespace predrace {
namespace {

std::string targetOf(const Event& e, Op op, const TraceNames& n) {
  switch (familyOf(op)) {
    case Family::Variable:
      return n.variables.nameOf(e.target);
    case Family::Lock:
      return n.locks.nameOf(e.target);
    case Family::Thread:
      return n.threads.nameOf(e.target);
    case Family::Channel:
      return n.channels.nameOf(e.target);
    case Family::Object:
      return n.objects.nameOf(e.target);
    case Family::None:
      return "";
  }
  return "";
}

constexpr auto kNothing = [](const TraceReader&) {};

// Gives each event to visit(reader, event), as long as they can be written, and then calls
// end(reader). Returns what is wrong with the trace, or "".
template <class Visit, class End = decltype(kNothing)>
std::string readAll(const std::string& in, TraceReader& reader, const std::ostream& out, Visit visit,
                    End end = kNothing) {
  Progress progress(in, reader);
  for (std::span<const Event> batch; out.good() && !(batch = reader.read()).empty(); progress.update())
    for (const Event& e : batch) visit(reader, e);
  end(reader);
  return reader.error();
}

std::string copy(const std::string& in, TraceReader& from, std::ostream& out, TraceWriter& writer) {
  return readAll(in, from, out, [&writer](const TraceReader& reader, const Event& e) {
    const TraceNames& n = reader.names();
    Op op = reader.written(e);
    writer.write(n.threads.nameOf(e.thread), op, targetOf(e, op, n), n.sites.nameOf(e.site));
  });
}

std::string copyRapid(const std::string& in, TraceReader& from, std::ostream& out, TraceWriter& writer) {
  RapidText rapid;
  std::string error = readAll(
      in, from, out, [&rapid](const TraceReader&, const Event& e) { rapid.note(e); },
      [&rapid](const TraceReader& reader) { rapid.noted(reader.names()); });
  if (!error.empty()) return error;
  std::unique_ptr<TraceReader> again = openTrace(in, &error);
  if (!again) return error;
  return readAll(in, *again, out,
                 [&](const TraceReader& reader, const Event& e) { rapid.write(e, reader.names(), &writer); });
}

// Not what is there already: reading and writing the same file would empty it.
std::string refuse(const std::string& in, const std::string& out, bool rapid) {
  std::error_code ignored;
  if (rapid &&
      (in == "-" || (std::filesystem::exists(in, ignored) && !std::filesystem::is_regular_file(in, ignored))))
    return "--rapid reads the trace twice, so it must be a file";
  if (in != "-" && out != "-" && std::filesystem::equivalent(in, out, ignored))
    return in + " and " + out + " are the same file";
  if (out != "-" && !formatOf(out) && std::filesystem::path(out).has_extension()) {
    std::string error = "cannot write " + out + ": no format has that ending, expected one of:";
    for (const Format& f : formats()) error += " " + std::string(f.extension);
    return error;
  }
  return "";
}

}  // namespace

int convert(std::span<const std::string_view> arguments) {
  bool rapid = false;
  std::string formatHelp = "\nFormats, by the end of a file's name (otherwise the first):\n";
  for (const Format& f : formats()) formatHelp += std::string(f.help);
  Command command = {
      .usage = "convert [--rapid] IN OUT",
      .about =
          "Writes the trace IN as OUT, in the format that OUT's name ends with; - is stdin or stdout.\n"
          "Exit code 0: done, 1: bad usage, unreadable input, or no room for the output.\n",
      .options = {{"--rapid", "",
                   "only operations that RAPID and other tools know; hard and kept order, atomic\n"
                   "                         accesses and shared sections become small critical sections",
                   [&rapid](std::string_view) { return rapid = true, std::string(); }}},
      .fewest = 2,
      .most = 2,
      .expected = "two traces, IN and OUT",
      .epilogue = formatHelp,
  };
  std::vector<std::string> operands;
  if (auto done = parseArguments(command, arguments, &operands)) return *done;
  const std::string &in = operands[0], &out = operands[1];
  if (std::string error = refuse(in, out, rapid); !error.empty()) return complain("convert: " + error);
  std::string error;
  std::unique_ptr<TraceReader> reader = openTrace(in, &error);  // before OUT is touched
  if (!reader) return complain(error);

  std::ofstream file;
  errno = 0;
  if (out != "-") file.open(out, std::ios::binary);
  std::ostream& to = out == "-" ? std::cout : file;
  const Format* format = formatOf(out);
  if (to.good()) {
    std::unique_ptr<TraceWriter> writer = (format ? *format : formats()[0]).writer(to);
    error = (rapid ? copyRapid : copy)(in, *reader, to, *writer);
  }
  if (to.good()) to.flush();
  if (!to.good()) return complain("cannot write " + out + ": " + std::strerror(errno ? errno : EIO));
  return error.empty() ? kFine : complain(error);
}

}  // namespace predrace
