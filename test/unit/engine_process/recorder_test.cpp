#include "tools/engine/recorder.h"

#include <gtest/gtest.h>

#include "test/unit/engine_process/helpers.h"
#include "tools/engine/lowering.h"

namespace predrace {
namespace {

constexpr uint64_t kAddress = 0x7f0000001000;

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() { recorder_.setVariables(&lowering_.variables()); }

  void access(uint32_t thread, RecordKind kind, uint64_t address, uint8_t mask, Site site) {
    Slot s = maskedSlot(kind, address, mask, site);
    lowering_.take(thread, s, s);
  }
  void sync(uint32_t thread, RecordKind kind, uint32_t object, Site site, uint32_t arg = 0) {
    Slot s = syncSlot(kind, object, 0, site, arg);
    lowering_.take(thread, s, s);
  }
  std::string text() {
    std::FILE* file = std::tmpfile();
    EXPECT_EQ(recorder_.writeText(file), "");
    std::rewind(file);
    char buffer[4096];
    std::string result(buffer, std::fread(buffer, 1, sizeof(buffer), file));
    std::fclose(file);
    return result;
  }

  Recorder recorder_;
  Lowering lowering_{recorder_};
};

TEST_F(RecorderTest, EveryFamilyHasItsNames) {
  sync(0, RecordKind::Fork, 300, 1, 1);
  sync(1, RecordKind::Begin, 300, 2, 1);
  sync(1, RecordKind::Acquire, 301, 3);
  access(1, RecordKind::Update, kAddress, 0x0f, 4);
  sync(1, RecordKind::Release, 301, 5);
  sync(1, RecordKind::Order, 302, 6);
  sync(1, RecordKind::Send, 303, 7);
  sync(1, RecordKind::End, 300, 8, 1);
  sync(0, RecordKind::Join, 300, 9, 1);
  EXPECT_EQ(text(),
            "T0|fork(T1)|1\nT1|begin|2\nT1|acq(M0)|3\nT1|r(0x7f0000001000)|4\nT1|w(0x7f0000001000)|4\n"
            "T1|rel(M0)|5\nT1|at(O0)|6\nT1|snd(C0)|7\nT1|end|8\nT0|join(T1)|9\n");
}

TEST_F(RecorderTest, EarlierEventsAreOnAllLaterPieces) {
  access(1, RecordKind::Write, kAddress, 0xff, 1);
  access(2, RecordKind::Read, kAddress, 0x0f, 2);
  access(2, RecordKind::Read, kAddress, 0x03, 3);
  EXPECT_EQ(text(),
            "T1|w(0x7f0000001004)|1\nT1|w(0x7f0000001002)|1\nT1|w(0x7f0000001000)|1\n"
            "T2|r(0x7f0000001002)|2\nT2|r(0x7f0000001000)|2\nT2|r(0x7f0000001000)|3\n");
}

TEST_F(RecorderTest, ReuseHasANewGeneration) {
  access(1, RecordKind::Write, kAddress, 0xff, 1);
  lowering_.take(1, syncSlot(RecordKind::Alloc, 1, 0, 2, 0), rangeSlot(kAddress, 8));
  access(2, RecordKind::Write, kAddress, 0xff, 3);
  sync(1, RecordKind::Acquire, 301, 4);
  sync(1, RecordKind::Release, 301, 4);
  sync(1, RecordKind::Retire, 301, 4);
  sync(1, RecordKind::Acquire, 301, 5);
  EXPECT_EQ(text(),
            "T1|w(0x7f0000001000)|1\nT2|w(0x7f0000001000#1)|3\nT1|acq(M0)|4\nT1|rel(M0)|4\nT1|acq(M1)|5\n");
}

}  // namespace
}  // namespace predrace
