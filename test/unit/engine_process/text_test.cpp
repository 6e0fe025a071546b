#include "runtime/report/text.h"

#include <gtest/gtest.h>

#include <algorithm>

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

ReportStep step(uint32_t thread, const char* what, const char* function, int line) {
  return {thread, thread == 0, what, frame(function, line, 0)};
}

// T1 writes 'shared', then holds M0 for a moment; T2 holds it, then writes 'shared'.
Report witnessed() {
  Report r = predicted();
  r.first = {.write = true,
             .atomic = false,
             .address = 0x601040,
             .size = 4,
             .thread = 1,
             .threadIsMain = false,
             .held = {},
             .stack = {frame("first()", 24, 0x1030)}};
  r.second.held = {};
  r.second.stack = {frame("second()", 36, 0x1010)};
  r.handOver = ReportHandOver{.mutex = 0,
                              .from = 1,
                              .to = 2,
                              .fromIsMain = false,
                              .toIsMain = false,
                              .release = {frame("first()", 27, 0x1040)},
                              .acquire = {frame("second()", 33, 0x1050)}};
  r.location.name = "shared";
  r.mutexes = {{0, 0x602000, {frame("main", 5, 0x1060)}, "stats_mutex"}};
  r.schedule = ReportSchedule{.before = 17,
                              .steps = {step(2, "acquires 'stats_mutex' (M0)", "second()", 33),
                                        step(2, "writes 'two'", "second()", 34),
                                        step(2, "releases 'stats_mutex' (M0)", "second()", 35)},
                              .skipped = 3};
  return r;
}

// What stands between the stacks of the accesses and the location.
std::string explanation(const Report& report) {
  std::string text = renderText(report, {});
  size_t from = text.find("  In this run");
  if (from == std::string::npos) from = text.find("  In this schedule");
  return text.substr(from, std::min(text.find("  Location is"), text.find("  Mutex M")) - from);
}

std::string timeline(const Report& report) {
  std::string text = explanation(report);
  return text.substr(text.find(":\n", text.find("In this schedule")) + 2);
}

TEST(Text, Schedule) {
  EXPECT_EQ(renderText(witnessed(), {}), R"(==================
WARNING: PredRace: predicted data race (pid=17)
  Write of size 4 at 0x000000601040 by thread T2:
    #0 second() /src/app.cc:36:3 (app+0x1010)

  Previous write of size 4 at 0x000000601040 by thread T1:
    #0 first() /src/app.cc:24:3 (app+0x1030)

  In this run the two were ordered only because T1 released mutex M0 before T2 acquired it:
    T1 released it here:
      #0 first() /src/app.cc:27:3 (app+0x1040)

    T2 acquired it here:
      #0 second() /src/app.cc:33:3 (app+0x1050)

  T2 can take 'stats_mutex' (M0) before T1 does. In this schedule of the same run, which was checked, the two are next to each other:
    T1                                    T2
    (17 steps as in this run)
                                          acquires 'stats_mutex' (M0)  second() app.cc:33
                                          writes 'two'                 second() app.cc:34
                                          releases 'stats_mutex' (M0)  second() app.cc:35
    (3 more steps)
    writes 'shared'  first() app.cc:24 || writes 'shared'  second() app.cc:36

  Location is global 'shared' of size 4 at 0x000000601040 (app+0x1040)

  Mutex M0 (0x000000602000) created at:
    #0 main /src/app.cc:5:3 (app+0x1060)

  Thread T2 (running) created by main thread at:
    #0 main /src/app.cc:18:3 (app+0x1070)

SUMMARY: PredRace: predicted data race /src/app.cc:36:3 in second()
==================
)");
}

TEST(Text, ScheduleWithUnnamedMutexAndTheMainThread) {
  Report r = witnessed();
  r.mutexes[0].name.clear();
  r.first.thread = r.handOver->from = 0;
  r.first.threadIsMain = r.handOver->fromIsMain = true;
  r.first.atomic = true;
  r.location = {};
  r.schedule->before = 1;
  r.schedule->skipped = 1;
  r.schedule->steps = {step(0, "starts T2", "main", 18), step(2, "acquires M0", "second()", 33),
                       step(2, "releases M0", "second()", 35)};
  r.schedule->steps[2].where = {};
  EXPECT_EQ(
      explanation(r),
      R"(  In this run the two were ordered only because the main thread released mutex M0 before T2 acquired it:
    The main thread released it here:
      #0 first() /src/app.cc:27:3 (app+0x1040)

    T2 acquired it here:
      #0 second() /src/app.cc:33:3 (app+0x1050)

  T2 can take M0 before the main thread does. In this schedule of the same run, which was checked, the two are next to each other:
    main thread                                            T2
    (1 step as in this run)
    starts T2  main app.cc:18
                                                           acquires M0  second() app.cc:33
                                                           releases M0
    (1 more step)
    atomically writes 0x000000601040  first() app.cc:24 || writes 0x000000601040  second() app.cc:36

)");
}

TEST(Text, ScheduleWithoutHandOver) {
  Report r = witnessed();
  r.handOver.reset();
  r.schedule->steps.clear();
  EXPECT_EQ(explanation(r),
            R"(  In this schedule of the same run, which was checked, the two are next to each other:
    T1                                    T2
    (17 steps as in this run)
    (3 more steps)
    writes 'shared'  first() app.cc:24 || writes 'shared'  second() app.cc:36

)");
}

TEST(Text, ScheduleWithStepsOfOtherThreads) {
  Report r = witnessed();
  r.schedule = ReportSchedule{
      .before = 0,
      .steps = {step(0, "starts T3", "main", 60), step(3, "acquires M1", "third(int, char const*)", 50),
                step(1, "reads 'ready'", "first()", 22),
                step(3, "releases M1", "third(int, char const*)", 52),
                step(2, "acquires M1", "second()", 33)},
      .skipped = 0};
  EXPECT_EQ(timeline(r), R"(    T1                                    T2
    main thread: starts T3  main app.cc:60
    T3: acquires M1         third() app.cc:50
    reads 'ready'  first() app.cc:22
    T3: releases M1         third() app.cc:52
                                          acquires M1  second() app.cc:33
    writes 'shared'  first() app.cc:24 || writes 'shared'  second() app.cc:36

)");
}

TEST(Text, ScheduleWithoutSteps) {
  Report r = witnessed();
  r.schedule = ReportSchedule{};
  EXPECT_EQ(timeline(r), R"(    T1                                    T2
    writes 'shared'  first() app.cc:24 || writes 'shared'  second() app.cc:36

)");
  r.first.stack.clear();
  r.second.stack[0].file.clear();
  EXPECT_EQ(timeline(r), R"(    T1                 T2
    writes 'shared' || writes 'shared'  second() app+0x1010

)");
  r.second.stack[0].function.clear();
  EXPECT_EQ(timeline(r), R"(    T1                 T2
    writes 'shared' || writes 'shared'  app+0x1010

)");
}

TEST(Text, ScheduleWithWideCells) {
  Report r = witnessed();
  r.location.name = "(anonymous namespace)::statistics_of_everything";
  r.first.stack[0].function =
      "void store::Index<std::string, std::vector<int>>::insert(std::string const&, int)";
  r.second.stack[0].function =
      "store::(anonymous namespace)::Compactor::mergeAdjacentSegments(unsigned long)";
  r.schedule->steps.insert(r.schedule->steps.begin(),
                           step(1, "acquires 'store::(anonymous namespace)::registry_of_indices' (M1)",
                                "store::Registry::lookUp(std::string const&) const", 11));
  r.schedule->steps.push_back(step(2, "writes '(anonymous namespace)::statistics_of_everything'",
                                   "store::(anonymous namespace)::Compactor::countOneMore()", 7));
  EXPECT_EQ(timeline(r), R"(    T1                                          T2
    (17 steps as in this run)
    acquires 'store::(anonymous namespace)::registry_of_indices' (M1)  store::Registry::lookUp() app.cc:11
                                                acquires 'stats_mutex' (M0)  second() app.cc:33
                                                writes 'two'                 second() app.cc:34
                                                releases 'stats_mutex' (M0)  second() app.cc:35
                                                writes '(anonymous namespace)::statistics_of_everything'
                                                  store::Compactor::countOneMore() app.cc:7
    (3 more steps)
    writes '(anonymous namespace)::statistics_of_everything'  store::Index<>::insert() app.cc:24 ||
                                             || writes '(anonymous namespace)::statistics_of_everything'
                                                  ...::Compactor::mergeAdjacentSegments() app.cc:36

)");
}

TEST(Text, Unwitnessed) {
  Report r = witnessed();
  r.schedule.reset();
  r.unwitnessed = true;
  std::string text = renderText(r, {});
  EXPECT_NE(text.find("\nWARNING: PredRace: predicted data race (unwitnessed) (pid=17)\n"),
            std::string::npos);
  EXPECT_NE(
      text.find("\nSUMMARY: PredRace: predicted data race (unwitnessed) /src/app.cc:36:3 in second()\n"),
      std::string::npos);
  EXPECT_EQ(explanation(r),
            R"(  In this run the two were ordered only because T1 released mutex M0 before T2 acquired it:
    T1 released it here:
      #0 first() /src/app.cc:27:3 (app+0x1040)

    T2 acquired it here:
      #0 second() /src/app.cc:33:3 (app+0x1050)

  No other schedule of the same run was found that brings the two together, so this may not be a race.

)");
  r.handOver.reset();
  EXPECT_EQ(explanation(r), R"(  In this run the two were ordered by lock hand-overs.
  No other schedule of the same run was found that brings the two together, so this may not be a race.

)");
}

}  // namespace
}  // namespace predrace
