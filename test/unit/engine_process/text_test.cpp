#include "runtime/report/text.h"

#include <gtest/gtest.h>

namespace predrace {
namespace {

Frame frame(const char* function, int line, uint64_t offset) {
  Frame f;
  f.pc = 0x400000 + offset;
  f.function = function;
  f.file = "/src/app.cc";
  f.line = line;
  f.column = 3;
  f.module = "/bin/app";
  f.offset = offset;
  return f;
}

Report predicted() {
  Report r;
  r.kind = Report::Kind::PredictedDataRace;
  r.pid = 17;
  r.second = {.write = true,
              .atomic = false,
              .address = 0x601040,
              .size = 4,
              .thread = 2,
              .threadIsMain = false,
              .held = {{0, false}, {3, true}},
              .stack = {frame("second()", 12, 0x1010), frame("run()", 40, 0x1020)}};
  r.first = {.write = false,
             .atomic = true,
             .address = 0x601040,
             .size = 4,
             .thread = 0,
             .threadIsMain = true,
             .held = {},
             .stack = {frame("main", 20, 0x1030)}};
  r.handOver = ReportHandOver{.mutex = 1,
                              .from = 0,
                              .to = 2,
                              .fromIsMain = true,
                              .toIsMain = false,
                              .release = {frame("main", 22, 0x1040)},
                              .acquire = {frame("second()", 10, 0x1050)}};
  r.location.kind = ReportLocation::Kind::Global;
  r.location.name = "x";
  r.location.module = "/bin/app";
  r.location.offset = 0x1040;
  r.location.address = 0x601040;
  r.location.size = 4;
  r.mutexes = {{0, 0x602000, {frame("main", 5, 0x1060)}}, {1, 0x602040, {}}};
  ReportThread t;
  t.id = 2;
  t.creator = 0;
  t.creatorIsMain = true;
  t.creation = {frame("main", 18, 0x1070)};
  r.threads = {t};
  return r;
}

TEST(Text, PredictedDataRace) {
  EXPECT_EQ(renderText(predicted(), {}),
            R"(==================
WARNING: PredRace: predicted data race (pid=17)
  Write of size 4 at 0x000000601040 by thread T2 (mutexes: write M0, read M3):
    #0 second() /src/app.cc:12:3 (app+0x1010)
    #1 run() /src/app.cc:40:3 (app+0x1020)

  Previous atomic read of size 4 at 0x000000601040 by main thread:
    #0 main /src/app.cc:20:3 (app+0x1030)

  In this run the two were ordered only because the main thread released mutex M1 before T2 acquired it:
    The main thread released it here:
      #0 main /src/app.cc:22:3 (app+0x1040)

    T2 acquired it here:
      #0 second() /src/app.cc:10:3 (app+0x1050)

  Another schedule of the same run executes them at the same time.

  Location is global 'x' of size 4 at 0x000000601040 (app+0x1040)

  Mutex M0 (0x000000602000) created at:
    #0 main /src/app.cc:5:3 (app+0x1060)

  Mutex M1 (0x000000602040)

  Thread T2 (running) created by main thread at:
    #0 main /src/app.cc:18:3 (app+0x1070)

SUMMARY: PredRace: predicted data race /src/app.cc:12:3 in second()
==================
)");
}

TEST(Text, DataRaceOnTheHeapWithoutSymbols) {
  Report r;
  r.pid = 1;
  Frame bare;
  bare.pc = 0x401234;
  bare.module = "/bin/app";
  bare.offset = 0x1234;
  Frame unknown;
  unknown.pc = 0x99;
  r.second.write = true;
  r.second.address = 0x10;
  r.second.size = 8;
  r.second.thread = 1;
  r.second.stack = {bare, unknown};
  r.first = r.second;
  r.first.thread = 5;
  r.location.kind = ReportLocation::Kind::Heap;
  r.location.address = 0x8;
  r.location.size = 64;
  r.location.thread = 1;
  r.location.allocation = {bare};
  ReportThread t;
  t.id = 1;
  t.finished = true;
  r.threads = {t};
  EXPECT_EQ(renderText(r, {}),
            R"(==================
WARNING: PredRace: data race (pid=1)
  Write of size 8 at 0x000000000010 by thread T1:
    #0 <null> <null> (app+0x1234)
    #1 <null> <null> (0x000000000099)

  Previous write of size 8 at 0x000000000010 by thread T5:
    #0 <null> <null> (app+0x1234)
    #1 <null> <null> (0x000000000099)

  Location is heap block of size 64 at 0x000000000008 allocated by thread T1:
    #0 <null> <null> (app+0x1234)

  Thread T1 (finished)

SUMMARY: PredRace: data race (/bin/app+0x1234)
==================
)");
}

TEST(Text, StyleIsHonoured) {
  TextStyle style;
  style.summary = false;
  style.frameFormat = "    %n|%f|%s:%l";
  style.stripPathPrefix = "/src/";
  std::string text = renderText(predicted(), style);
  EXPECT_EQ(text.find("SUMMARY"), std::string::npos);
  EXPECT_NE(text.find("\n    0|second()|app.cc:12\n"), std::string::npos) << text;
  style.colour = true;
  EXPECT_NE(renderText(predicted(), style).find("\033["), std::string::npos);
  EXPECT_EQ(text.find("\033["), std::string::npos);
}

TEST(Text, PredictedWithoutKnownHandOver) {
  Report r = predicted();
  r.handOver.reset();
  EXPECT_NE(
      renderText(r, {}).find("  In this run the two were ordered by lock hand-overs; another schedule of the "
                             "same run executes them at the same time.\n"),
      std::string::npos);
}

}  // namespace
}  // namespace predrace
