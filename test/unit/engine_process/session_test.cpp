// The engine process as a whole: a session goes in, reports come out.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "test/unit/engine_process/fake_program.h"

namespace predrace {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

std::string figure(const char* name) { return std::string(PREDRACE_FIGURES) + "/" + name + ".std"; }

std::string readFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(SessionTest, Figure1aIsPredicted) {
  FakeProgram program("symbolize=0");
  program.startEngine();
  program.tellFile(figure("raptor_1a"));
  program.finish();
  std::string text = program.output();
  EXPECT_EQ(count(text, "WARNING: PredRace: predicted data race (pid="), 1u) << text;
  EXPECT_TRUE(contains(text, "Write of size 4 at 0x7f0000000000 by thread T2:")) << text;
  EXPECT_TRUE(contains(text, "Previous write of size 4 at 0x7f0000000000 by thread T1:")) << text;
  EXPECT_TRUE(contains(text, "ordered only because T1 released mutex M0 before T2 acquired it")) << text;
  EXPECT_TRUE(contains(text, "PredRace: reported 1 warning\n")) << text;
  EXPECT_EQ(program.session()->reports, 1u);
  EXPECT_EQ(program.session()->halt, 0u);
  EXPECT_EQ(program.exitStatus(), 0);
}

TEST(SessionTest, Figure1bIsSilentToCp) {
  FakeProgram program("symbolize=0:predict=cp");
  program.startEngine();
  program.tellFile(figure("raptor_1b"));
  program.finish();
  EXPECT_EQ(program.output(), "");
  EXPECT_EQ(program.session()->reports, 0u);
}

TEST(SessionTest, PredictionCanBeOff) {
  FakeProgram program("symbolize=0:predict=0:stats=1");
  program.startEngine();
  program.tellFile(figure("raptor_1a"));
  program.finish();
  std::string text = program.output();
  EXPECT_FALSE(contains(text, "WARNING")) << text;
  EXPECT_TRUE(contains(
      text,
      "PredRace: stats: events=12 accesses=4 threads=3 locks=1 candidates=1 data_races=0 "
      "predicted=0 lockset_violations=0 suppressed=0 witnessed=0 unwitnessed=0 undecided=0 rejected=0 "
      "windows=0 beyond_window=0 folded=0 peak_mb="))
      << text;
}

TEST(SessionTest, DataRaceOnceForAPairOfLocations) {
  FakeProgram program("symbolize=0");
  program.startEngine();
  program.tell("T1|w(x)|1\nT1|w(y)|1\nT1|w(z)|3\nT2|w(x)|2\nT2|w(y)|2\nT2|w(z)|2\n");
  program.finish();
  std::string text = program.output();
  EXPECT_EQ(count(text, "WARNING: PredRace: data race (pid="), 2u) << text;
  EXPECT_EQ(program.session()->reports, 2u);
}

TEST(SessionTest, HaltOnErrorTellsTheProgram) {
  FakeProgram program("symbolize=0:halt_on_error=1");
  program.startEngine();
  program.tell("T1|w(x)|1\nT2|w(x)|2\n");
  program.finish();
  program.output();
  EXPECT_EQ(program.session()->halt, 1u);
}

TEST(SessionTest, LogPathHasTheProgramsPid) {
  std::string path = testing::TempDir() + "predrace_session_log";
  std::string file = path + "." + std::to_string(getpid());
  unlink(file.c_str());
  FakeProgram program("symbolize=0:log_path=" + path);
  program.startEngine();
  program.tell("T1|w(x)|1\nT2|w(x)|2\n");
  program.finish();
  EXPECT_EQ(program.output(), "");
  EXPECT_TRUE(contains(readFile(file), "WARNING: PredRace: data race"));
  unlink(file.c_str());
}

TEST(SessionTest, MissingSymbolizerIsToldOnce) {
  FakeProgram program("external_symbolizer_path=/does/not/exist");
  setenv("PATH", "/nowhere", 1);
  program.startEngine();
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
  program.tell("T1|w(x)|1\nT2|w(x)|2\nT1|w(y)|3\nT2|w(y)|4\n");
  program.finish();
  std::string text = program.output();
  EXPECT_EQ(count(text, "PredRace: WARNING: no llvm-symbolizer found, reports show module offsets\n"), 1u)
      << text;
  EXPECT_EQ(count(text, "WARNING: PredRace: data race"), 2u) << text;
}

TEST(SessionTest, ProgramKilledBySigkill) {
  FakeProgram program("symbolize=0");
  program.startEngine();
  pid_t child = fork();
  if (child == 0) {
    program.tellFile(figure("raptor_1a"));
    kill(getpid(), SIGKILL);
  }
  program.die();  // the child has the last write end
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  std::string text = program.output();  // ends when the engine is gone
  EXPECT_TRUE(contains(text, "WARNING: PredRace: predicted data race")) << text;
  EXPECT_EQ(program.exitStatus(), 0);
}

TEST(SessionTest, LostTicketDoesNotHangTheEnd) {
  FakeProgram program("symbolize=0");
  program.startEngine();
  program.tell("T1|w(x)|1\nT2|w(x)|2\nT2|acq(m)|3\nT2|rel(m)|4\n");
  uint32_t lock = kMemoryObject + 3;  // m is the third object
  program.ticket(lock);               // taken by somebody, never told
  program.tell("T1|acq(m)|5\nT1|w(y)|6\nT2|w(y)|7\n");
  program.finish();
  std::string text = program.output();
  EXPECT_EQ(count(text, "WARNING"), 1u) << "what waits for the ticket is cut off: " << text;
}

TEST(SessionTest, RingsFullManyTimesOver) {
  FakeProgram program("symbolize=0:stats=1");
  program.startEngine();
  program.tell("T1|w(x)|1\nT2|r(y)|2\n");
  for (int i = 0; i < 400'000; ++i) {
    program.push(1, accessSlot(RecordKind::Write, 0x800000 + i % 5000 * 8, 8, 8, 3));
    program.push(2, accessSlot(RecordKind::Write, 0x1000000 + i % 5000 * 8, 8, 8, 4));
  }
  program.tell("T2|w(x)|5\n");
  program.finish();
  std::string text = program.output();
  EXPECT_EQ(count(text, "WARNING"), 1u) << text;
  EXPECT_TRUE(contains(text, " accesses=800003 ")) << text;
}

TEST(SessionTest, RecordsWhatItSaw) {
  std::string path = testing::TempDir() + "predrace_session_test.std";
  FakeProgram program("symbolize=0:check_online=1:record=" + path);
  program.startEngine();
  program.tellFile(figure("raptor_1a"));
  program.finish();
  std::string text = program.output();
  EXPECT_FALSE(contains(text, "INTERNAL")) << text;
  EXPECT_EQ(readFile(path),
            "T0|fork(T1)|501\nT0|fork(T2)|502\nT1|begin|0\nT1|w(0x7f0000000000)|1\nT1|acq(M0)|2\n"
            "T1|w(0x7f0000000008)|3\nT1|rel(M0)|4\nT2|begin|0\nT2|acq(M0)|5\nT2|w(0x7f0000000010)|6\n"
            "T2|rel(M0)|7\nT2|w(0x7f0000000000)|8\n");
  unlink(path.c_str());
}

TEST(SessionTest, UnwritableRecordIsToldAndTheRunGoesOn) {
  FakeProgram program("symbolize=0:record=/does/not/exist.std");
  program.startEngine();
  program.tellFile(figure("raptor_1a"));
  program.finish();
  std::string text = program.output();
  EXPECT_TRUE(contains(text, "PredRace: WARNING: record=/does/not/exist.std: No such file or directory"))
      << text;
  EXPECT_TRUE(contains(text, "predicted data race")) << text;
}

TEST(SessionTest, FullDiskIsToldAndTheRunGoesOn) {
  std::string link = testing::TempDir() + "predrace_full.std";
  unlink(link.c_str());
  ASSERT_EQ(symlink("/dev/full", link.c_str()), 0);
  FakeProgram full("symbolize=0:record=" + link);
  full.startEngine();
  full.tellFile(figure("raptor_1a"));
  full.finish();
  std::string text = full.output();
  EXPECT_TRUE(contains(text, "is not complete: No space left on device")) << text;
  EXPECT_TRUE(contains(text, "predicted data race")) << text;
  unlink(link.c_str());
}

TEST(SessionTest, OtherVersionIsRefused) {
  FakeProgram program;
  program.setVersion(kSessionVersion + 1);
  program.startEngine();
  std::string text = program.output();
  EXPECT_TRUE(contains(text, "PredRace: ERROR: this engine speaks version")) << text;
  EXPECT_EQ(count(text, "\n"), 1u);
  EXPECT_EQ(WEXITSTATUS(program.exitStatus()), 1);
}

TEST(SessionTest, NonsenseOnTheWireStopsTheAnalysisOnly) {
  FakeProgram program("symbolize=0");
  program.startEngine();
  program.tell("T1|w(x)|1\nT2|w(x)|2\n");
  program.push(1, {0xff, 0});
  for (uint64_t i = 0; i < 3 * kRingSlots; ++i)
    program.push(1, accessSlot(RecordKind::Write, 0x8000, 8, 8, 1));
  program.finish();
  std::string text = program.output();
  EXPECT_EQ(count(text, "PredRace: INTERNAL: bad data from the program"), 1u) << text;
  EXPECT_EQ(program.exitStatus(), 0);
}

TEST(SessionTest, SuppressedReportIsNotCounted) {
  std::string path = testing::TempDir() + "predrace_suppressions";
  std::ofstream(path) << "race:libapp.so\n";
  FakeProgram program("symbolize=0:suppressions=" + path);
  std::string modules = "400000 500000 400000 1 /lib/libapp.so\n";
  modules.copy(modulesOf(program.session()), modules.size());
  program.session()->modulesLength = static_cast<uint32_t>(modules.size());
  program.startEngine();
  program.tell("T1|w(x)|1\nT2|w(x)|2\n");
  program.finish();
  std::string text = program.output();
  EXPECT_EQ(text, "PredRace: matched suppression race:libapp.so (1 report)\n");
  EXPECT_EQ(program.session()->reports, 0u);
  unlink(path.c_str());
}

}  // namespace
}  // namespace predrace
