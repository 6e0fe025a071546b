// Response files: @file arguments replaced by the arguments inside, as clang does it.
#ifndef PREDRACE_TOOLS_DRIVER_RESPONSE_FILE_H
#define PREDRACE_TOOLS_DRIVER_RESPONSE_FILE_H

#include <string>
#include <string_view>
#include <vector>

namespace predrace {

// The words of a response file: separated by white space, with quotes and backslashes as in a shell
// (a backslash also counts inside double quotes).
std::vector<std::string> splitWords(std::string_view text);

// The inverse: a text that splits into these words.
std::string joinWords(const std::vector<std::string>& words);

// Files name further files relative to the working directory. An @file that cannot be read stays an argument
// (clang then says so), and so does one nested deeper than any sane use: it includes itself.
std::vector<std::string> expandResponseFiles(const std::vector<std::string>& arguments);

}  // namespace predrace

#endif  // PREDRACE_TOOLS_DRIVER_RESPONSE_FILE_H
