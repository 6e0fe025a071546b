#include "tools/driver/response_file.h"

#include <fstream>
#include <iterator>
#include <optional>

namespace predrace {

namespace {

constexpr int kMaxDepth = 20;

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

std::optional<std::string> readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return std::nullopt;
  return text;
}

void expandInto(const std::vector<std::string>& arguments, int depth, std::vector<std::string>& out) {
  for (const std::string& argument : arguments) {
    std::optional<std::string> text;
    if (depth < kMaxDepth && argument.size() > 1 && argument[0] == '@') text = readFile(argument.substr(1));
    if (text)
      expandInto(splitWords(*text), depth + 1, out);
    else
      out.push_back(argument);
  }
}

}  // namespace

std::vector<std::string> splitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      inWord = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inWord = true;
    } else if (!isSpace(c)) {
      word += c;
      inWord = true;
    } else if (inWord) {
      words.push_back(std::move(word));
      word.clear();
      inWord = false;
    }
  }
  if (inWord) words.push_back(std::move(word));
  return words;
}

std::string joinWords(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += '"';
    for (char c : word) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  return text;
}

std::vector<std::string> expandResponseFiles(const std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  expandInto(arguments, 0, out);
  return out;
}

}  // namespace predrace
