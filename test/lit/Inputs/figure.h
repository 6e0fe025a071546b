// For the programs after the papers' figures.
#ifndef PREDRACE_TEST_FIGURE_H
#define PREDRACE_TEST_FIGURE_H

#include <mutex>
#include <thread>

#include "order.h"

// An empty critical section.
inline void pass(std::mutex &m) {
  m.lock();
  m.unlock();
}

#endif
