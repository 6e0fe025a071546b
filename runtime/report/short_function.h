// ShortFunction: a demangled name without what its reader can do without.
//
// Argument lists become "()"; the return type and what follows the arguments go. A name that is
// still longer than `most` then loses its template arguments ("<>") and anonymous namespaces, its
// outer scopes ("...::") and at last its end ("..."). Cosmetic: any text is accepted, none is
// parsed in full.
#ifndef PREDRACE_REPORT_SHORT_FUNCTION_H
#define PREDRACE_REPORT_SHORT_FUNCTION_H

#include <string>

#include "absl/strings/string_view.h"

namespace predrace {

// REQUIRES: most > 3
std::string shortFunction(absl::string_view demangled, size_t most);

}  // namespace predrace

#endif  // PREDRACE_REPORT_SHORT_FUNCTION_H
