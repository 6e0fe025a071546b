#include "runtime/trace/formats.h"

#include "runtime/trace/std_format.h"

namespace predrace {
namespace {

template <class Reader>
std::unique_ptr<TraceReader> makeReader(std::unique_ptr<Input> in, std::string file) {
  return std::make_unique<Reader>(std::move(in), std::move(file));
}
template <class Writer>
std::unique_ptr<TraceWriter> makeWriter(std::ostream& out) {
  return std::make_unique<Writer>(out);
}

const Format kFormats[] = {
    {"std", ".std", makeReader<StdReader>, makeWriter<StdWriter>, kStdDialect},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* formatOf(std::string_view path) {
  for (const Format& f : kFormats)
    if (path.ends_with(f.extension)) return &f;
  return nullptr;
}

std::unique_ptr<TraceReader> openTrace(const std::string& path, std::string* error) {
  std::unique_ptr<Input> in = openInput(path, error);
  if (!in) {
    *error = "cannot read " + path + ": " + *error;
    return nullptr;
  }
  const Format* format = formatOf(path);
  return (format ? *format : kFormats[0]).reader(std::move(in), path == "-" ? "<stdin>" : path);
}

}  // namespace predrace
