// Service: the engine process's life, from the session to the last report.
//
// Single-threaded. Drains the rings while the program runs; sleeps on the
// session's doorbell when there is nothing; ends when the program says so
// (phase Finishing) or is gone (end of the program pipe), whichever comes first,
// and then within a time bounded by what is in the rings at that moment.
#ifndef PREDRACE_TOOLS_ENGINE_SERVICE_H
#define PREDRACE_TOOLS_ENGINE_SERVICE_H

#include "runtime/wire/session.h"
#include "tools/engine/merger.h"
#include "tools/engine/output.h"
#include "tools/engine/pipeline.h"

namespace predrace {

class Service {
 public:
  Service(Session* session, int programPipe, Pipeline& pipeline, Output& output);

  // Returns when everything is analysed and reported.
  void run();
  // Lets the program go on to its end.
  void sayFinished();

 private:
  uint64_t drain(uint64_t budget);
  void addRings();
  bool programEnded();
  bool programHasSession() const;
  void sleep();
  void watchForStall();
  void giveUp(absl::string_view why);
  void finish();

  Session* session_;
  int programEnd_;               // readable when the program is gone: its pipe, or itself
  bool watchesProcess_ = false;  // programEnd_ is the process
  Pipeline& pipeline_;
  Output& output_;
  Merger merger_;
  bool broken_ = false;  // nothing is analysed any more, only thrown away
  int64_t stalled_ = 0;  // seconds on the clock when a writer was first seen held up; 0: none is
  unsigned idle_ = 0;    // rounds without a record
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_SERVICE_H
