// FakeProgram: a session and an engine process, without a program: the test
// writes the records that a runtime would.
#ifndef PREDRACE_TEST_ENGINE_PROCESS_FAKE_PROGRAM_H
#define PREDRACE_TEST_ENGINE_PROCESS_FAKE_PROGRAM_H

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "runtime/wire/session.h"

namespace predrace {

class FakeProgram {
 public:
  explicit FakeProgram(const std::string& options = "");
  ~FakeProgram();
  FakeProgram(const FakeProgram&) = delete;

  Session* session() { return session_; }
  // Starts the engine; its output is kept for end().
  void startEngine();
  // What the engine holds when it starts, for tests that change it first.
  void setVersion(uint32_t version) { session_->version = version; }

  // Tells the events of .std text, with tickets: threads T1, T2, ... are forked by
  // the main thread, 0, as they come, each line's third field is its site.
  void tell(const std::string& std_text);
  void tellFile(const std::string& path);
  void push(uint32_t ring, Slot s);
  void push(uint32_t ring, Slot s, Slot more);
  uint32_t ticket(uint32_t object) { return tickets_[object]++; }

  // Says that the program ends, waits for the engine's verdict.
  void finish();
  // Closes the program's end of the pipe: the program is gone.
  void die();
  // Waits until the engine process is gone and gives all it printed.
  std::string output();
  int exitStatus() const { return status_; }
  int writeEnd() const { return programPipe_[1]; }

 private:
  uint32_t threadOf(const std::string& name);
  uint32_t objectOf(const std::string& name);

  Session* session_;
  int memfd_, programPipe_[2], enginePipe_[2], outputPipe_[2];
  pid_t engine_ = -1;
  int status_ = -1;
  std::map<std::string, uint32_t> threads_, objects_, variables_;
  std::map<uint32_t, uint32_t> tickets_;
  std::vector<RingWriter> writers_;
};

}  // namespace predrace

#endif  // PREDRACE_TEST_ENGINE_PROCESS_FAKE_PROGRAM_H
