#include "runtime/trace/std_format.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace predrace {
namespace {

struct Read {
  std::vector<Event> events;
  std::string error;
  uint64_t count;
};

Read read(const std::string& text) {
  std::istringstream in(text);
  StdReader reader(in, "f.std");
  Read out;
  for (Event e; reader.next(&e);) out.events.push_back(e);
  out.error = reader.error();
  out.count = reader.events();
  return out;
}

TEST(StdReader, WholeDialect) {
  std::istringstream in(
      "# a comment\n"
      "T1|begin|0\n"
      "T1|fork(T2)|1\n\n"
      "  T2|r(x)|a.c:7  \r\n"
      "T2|w(y)\n"
      "T2|ar(x)|3\nT2|aw(x)|3\nT2|au(x)|3\n"
      "T1|acq(m)|4\nT1|rel(m)|5\nT1|racq(k)|6\nT1|rrel(k)|7\n"
      "T1|snd(c)|8\nT2|rcv(c)|9\nT2|at(o)|10\nT2|branch|11\nT2|end|12\nT1|join(T2)|13");
  StdReader reader(in, "f.std");
  std::vector<Event> events;
  for (Event e; reader.next(&e);) events.push_back(e);
  EXPECT_EQ(reader.error(), "");
  ASSERT_EQ(events.size(), 17u);
  EXPECT_EQ(events[2].op, Op::Read);
  EXPECT_EQ(events[2].index, 2u);
  EXPECT_EQ(reader.names().threads.nameOf(events[2].thread), "T2");
  EXPECT_EQ(reader.names().variables.nameOf(events[2].target), "x");
  EXPECT_EQ(reader.names().sites.nameOf(events[2].site), "a.c:7");
  EXPECT_EQ(reader.names().sites.nameOf(events[3].site), "");
  EXPECT_EQ(events[4].target, events[2].target);
  EXPECT_EQ(reader.names().variables.size(), 2u);
  EXPECT_EQ(reader.names().locks.size(), 2u);
  EXPECT_EQ(events.back().op, Op::Join);
}

TEST(StdReader, ReentrantSectionsAreFlattened) {
  Read r = read(
      "T1|acq(m)\nT1|acq(m)\nT1|w(x)\nT1|rel(m)\nT1|rel(m)\nT1|racq(m)\nT1|racq(m)\nT1|rrel(m)\nT1|rrel(m)"
      "\n");
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.count, 9u);
  ASSERT_EQ(r.events.size(), 9u);
  EXPECT_EQ(r.events[0].op, Op::Acquire);
  EXPECT_EQ(r.events[1].op, Op::Inner);
  EXPECT_EQ(r.events[3].op, Op::Inner);
  EXPECT_EQ(r.events[4].op, Op::Release);
  EXPECT_EQ(r.events[6].op, Op::Inner);
  EXPECT_EQ(r.events[8].op, Op::SharedRelease);
}

TEST(StdReader, SaysWhereAndWhy) {
  EXPECT_EQ(read("T1|w(x)\nhello\n").error, "f.std:2: expected THREAD|OPERATION|LOCATION, found no '|'");
  EXPECT_EQ(read("T1|write(x)\n").error, "f.std:1: unknown operation 'write'");
  EXPECT_EQ(read("T1|(x)\n").error, "f.std:1: unknown operation ''");
  EXPECT_EQ(read("|w(x)\n").error, "f.std:1: expected a thread's name before '|'");
  EXPECT_EQ(read("T1|w(x\n").error, "f.std:1: expected ')' after 'w('");
  EXPECT_EQ(read("T1|w\n").error, "f.std:1: expected w(...): it needs a target");
  EXPECT_EQ(read("T1|w(x)y|3\n").error, "f.std:1: expected '|' or the end after the operation, found 'y|3'");
  EXPECT_EQ(read("T1|acq(m)\nT2|acq(m)\n").error, "f.std:2: lock m is held by T1");
  EXPECT_EQ(read("T1|acq(m)\nT2|racq(m)\n").error, "f.std:2: lock m is held by T1");
  EXPECT_EQ(read("T1|racq(m)\nT2|acq(m)\n").error, "f.std:2: lock m is held shared by T1");
  EXPECT_EQ(read("T1|acq(m)\nT1|racq(m)\n").error, "f.std:2: lock m is held exclusively by T1 itself");
  EXPECT_EQ(read("T1|rel(m)\n").error, "f.std:1: lock m is not held by T1");
  EXPECT_EQ(read("T1|rrel(m)\n").error, "f.std:1: lock m is not held shared by T1");
  EXPECT_EQ(read("T1|join(T2)\nT2|w(x)\n").error, "f.std:2: thread T2 has been joined");
  EXPECT_EQ(read("T1|end\nT1|w(x)\n").error, "f.std:2: thread T1 has ended");
  EXPECT_EQ(read("T2|w(x)\nT1|fork(T2)\n").error, "f.std:2: thread T2 was running before its fork");
  EXPECT_EQ(read("T1|join(T1)\n").error, "f.std:1: thread T1 joins itself");
}

// As `read`, and every name: what tells two readings apart.
std::string everything(const std::string& text) {
  std::istringstream in(text);
  StdReader reader(in, "f.std");
  std::string out;
  for (Event e; reader.next(&e);) {
    out += std::to_string(static_cast<int>(e.op)) + " " + std::to_string(e.thread) + " ";
    out += std::to_string(e.target) + " " + reader.names().sites.nameOf(e.site) + "\n";
  }
  for (uint32_t i = 0; i < reader.names().variables.size(); ++i)
    out += reader.names().variables.nameOf(i) + "\n";
  return out + reader.error();
}

TEST(StdReader, TheFastWayAgreesWithTheSlowOne) {
  std::string fast, slow;  // a blank at the end of a line makes it an unusual one
  auto both = [&](const std::string& line) {
    fast += line + "\n";
    slow += line + " \n";
  };
  for (int i = 0; i < 20000; ++i) {
    std::string n = std::to_string(i % 5000);
    both("T" + std::to_string(i % 7) + "|w(x" + n + ")|" + n);
    both("T1|acq(m" + std::to_string(i % 3) + ")|0" + n);
    both("T1|rel(m" + std::to_string(i % 3) + ")|" + std::string(static_cast<size_t>(i % 20), '9'));
    both("T2|r(0x7ffc" + n + ")|a.c:" + n);
    both("thread of a long name|au(a variable of a long name " + n + ")|0");
    both(std::string("T3|r(x") + '\0' + ")|00000000");
    both("#T1|w(not a variable)|1");
    both("T4|r(x0" + n + ")|1");                                    // not what x<number> is
    both("T4|w(x" + std::to_string(i * 7919 % 100000007) + ")|2");  // many are much larger than the family
    both("T4|w(y" + n + ")|3");
  }
  EXPECT_EQ(everything(fast), everything(slow));
  both("T2|acq(m1)|1");
  both("T3|acq(m1)|1");
  EXPECT_EQ(everything(fast), everything(slow));
}

// The fast way looks at 64 bytes.
TEST(StdReader, DelimitersAnywhere) {
  std::string known;  // names, so that what follows could be taken fast
  for (int i = 0; i < 200; ++i) known += "T1|w(x)|1\n";
  for (size_t n = 1; n < 150; ++n) {
    std::string name(n, 'y');
    EXPECT_EQ(read(known + "T1|w(" + name + ")|7\n").error, "") << n;
    EXPECT_EQ(read(known + "T1|w(" + name + "|7\n").error, "f.std:201: expected ')' after 'w('") << n;
    EXPECT_EQ(read(known + "T1|w" + name + ")|7\n").error.substr(0, 27), "f.std:201: unknown operatio") << n;
    EXPECT_EQ(read(known + "T1" + name + "(x)7\n").error.substr(0, 18), "f.std:201: expecte") << n;
  }
}

TEST(StdReader, TheEmptyNameIsNoName) {
  EXPECT_EQ(read("T1|w(x)|1\nT1|w()|1\n").error, "f.std:2: expected w(...): it needs a target");
}

TEST(StdReader, BatchesHaveAllEventsOnceAndWhatWasWritten) {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += "T1|acq(m)|1\nT1|acq(m)|2\nT1|rel(m)|3\nT1|rel(m)|4\n";
  std::istringstream in(text);
  StdReader reader(in, "f.std");
  uint64_t events = 0, batches = 0;
  for (std::span<const Event> batch; !(batch = reader.read()).empty(); ++batches)
    for (const Event& e : batch) {
      ASSERT_EQ(e.index, events++);
      ASSERT_EQ(reader.written(e), e.index % 4 < 2 ? Op::Acquire : Op::Release);
    }
  EXPECT_EQ(events, 120000u);
  EXPECT_GT(batches, 1u);
}

TEST(StdReader, LinesOfAllLengths) {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += "T1|w(x)|" + std::string(static_cast<size_t>(i % 50), 's') + "\n";
  text += "T1|r(" + std::string(StdReader::kLongestLine - 6, 'y') + ")";
  Read r = read(text);
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.count, 60001u);
  EXPECT_EQ(read(text + "|\n").error, "f.std:60001: the line is longer than 64 KiB: is this a text file?");
  EXPECT_EQ(read(std::string(3000000, ' ')).error,
            "f.std:1: the line is longer than 64 KiB: is this a text file?");
}

TEST(Sites, LineNumbersAreTheirOwnNumbers) {
  Sites sites;
  for (std::string_view site :
       {"0", "7", "10", "12345678", "123456789", "", "007", "a.c:1", "12a", "99999999"})
    EXPECT_EQ(sites.nameOf(sites.numberOf(site)), site);
  EXPECT_EQ(sites.numberOf("12345678"), 12345678u);
  EXPECT_NE(sites.numberOf("007"), sites.numberOf("7"));
}

TEST(StdWriter, WritesWhatTheReaderReads) {
  std::ostringstream out;
  StdWriter writer(out);
  writer.write("T1", Op::Write, "x", "12");
  writer.write("T1", Op::SharedAcquire, "m", "a.c:3");
  writer.write("T1", Op::Begin, "", "");
  EXPECT_EQ(out.str(), "T1|w(x)|12\nT1|racq(m)|a.c:3\nT1|begin|\n");
  EXPECT_EQ(read(out.str()).error, "");
}

}  // namespace
}  // namespace predrace
