#include "runtime/trace/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace predrace {
namespace {

class FileInput final : public Input {
 public:
  FileInput(int descriptor, uint64_t size) : descriptor_(descriptor), size_(size) {}
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;
  ~FileInput() override {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
  }
  size_t read(char* to, size_t room) override {
    for (;;) {
      ssize_t got = ::read(descriptor_, to, room);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno == EINTR) continue;
      error_ = std::strerror(errno);
      return 0;
    }
  }
  uint64_t size() const override { return size_; }

 private:
  int descriptor_;
  uint64_t size_;
};

class StreamInput final : public Input {
 public:
  explicit StreamInput(std::istream& stream) : stream_(stream) {}
  size_t read(char* to, size_t room) override {
    std::streambuf* bytes = stream_.rdbuf();
    std::streamsize got = bytes ? bytes->sgetn(to, static_cast<std::streamsize>(room)) : 0;
    return got > 0 ? static_cast<size_t>(got) : 0;
  }

 private:
  std::istream& stream_;
};

}  // namespace

std::unique_ptr<Input> openInput(const std::string& path, std::string* error) {
  int descriptor = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about{};
  if (descriptor < 0 || fstat(descriptor, &about) != 0) {
    *error = std::strerror(errno);
    return nullptr;
  }
  auto input = std::make_unique<FileInput>(descriptor,
                                           S_ISREG(about.st_mode) ? static_cast<uint64_t>(about.st_size) : 0);
  if (!S_ISDIR(about.st_mode)) return input;
  *error = "it is a directory";
  return nullptr;
}

std::unique_ptr<Input> streamInput(std::istream& stream) { return std::make_unique<StreamInput>(stream); }

}  // namespace predrace
