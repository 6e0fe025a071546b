#include "runtime/trace/trace_reader.h"

#include <algorithm>

namespace predrace {

Op TraceReader::written(const Event& e) const {
  if (e.op != Op::Inner) return e.op;
  return std::ranges::lower_bound(inner_, e.index, {}, &std::pair<uint64_t, Op>::first)->second;
}

}  // namespace predrace
