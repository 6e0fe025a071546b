#include "tools/engine_bench/meter.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace predrace {
namespace {

int openInstructions() {
  perf_event_attr attributes = {};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

uint64_t cpuTime() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000 + static_cast<uint64_t>(t.tv_nsec);
}

uint64_t statusBytes(const std::string& field) {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;) {
    uint64_t kilobytes;
    if (word == field && in >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

Meter::Meter() : counter_(openInstructions()) {}

Meter::~Meter() {
  if (counter_ >= 0) close(counter_);
}

void Meter::start() {
  if (counter_ >= 0) ioctl(counter_, PERF_EVENT_IOC_ENABLE, 0);
  begun_ = cpuTime();
}

void Meter::stop() {
  nanoseconds_ += cpuTime() - begun_;
  if (counter_ >= 0) ioctl(counter_, PERF_EVENT_IOC_DISABLE, 0);
}

uint64_t Meter::instructions() const {
  uint64_t n = 0;
  return counter_ >= 0 && read(counter_, &n, sizeof n) == sizeof n ? n : 0;
}

uint64_t residentBytes() { return statusBytes("VmRSS:"); }
uint64_t peakResidentBytes() { return statusBytes("VmHWM:"); }

}  // namespace predrace
