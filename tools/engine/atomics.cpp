#include "tools/engine/atomics.h"

#include <algorithm>

namespace predrace {

void Atomics::clear(Sequence& x) {
  for (uint32_t i = 0; i < x.count; ++i) channels_.unref(x.channels[i]);
  x.count = 0;
  x.head = kNone;
  ++x.version;
}

void Atomics::add(Sequence& x, uint32_t channel) {
  x.channels[x.count++] = channel;
  ++x.version;
}

void Atomics::beforeLoad(Sequence& x, uint32_t thread, Order order, uint32_t site) {
  if (x.count == 0) return;
  if (acquires(order)) {
    if (x.received == thread && x.receivedVersion == x.version) return;
    for (uint32_t i = 0; i < x.count; ++i) channels_.receive(x.channels[i], thread, site);
    x.received = thread;
    x.receivedVersion = x.version;
    return;
  }
  Thread& t = threadOf(thread);
  for (uint32_t i = 0; i < x.count; ++i) remember(t, thread, x.channels[i], site);
}

// A later channel of one sender stands for its earlier ones: what a thread sends
// includes all it sent before.
void Atomics::remember(Thread& t, uint32_t thread, uint32_t channel, uint32_t site) {
  if (channels_.sender(channel) == thread) return;
  for (uint32_t& old : t.remembered) {
    if (old == channel || channels_.covers(old, channel)) return;
    if (!channels_.covers(channel, old)) continue;
    channels_.ref(channel);
    channels_.unref(old);
    old = channel;
    return;
  }
  if (t.remembered.size() == kRemembered) {  // receive the oldest now: only adds order
    channels_.receive(t.remembered.front(), thread, site);
    channels_.unref(t.remembered.front());
    t.remembered.erase(t.remembered.begin());
  }
  channels_.ref(channel);
  t.remembered.push_back(channel);
}

void Atomics::afterStore(Sequence& x, uint32_t thread, Order order, uint32_t site) {
  if (releases(order)) {
    // The same thread's next release store would have a channel that carries all
    // that the old one did and more: it is the old one, if nobody else has it.
    bool reuse =
        x.count == 1 && channels_.sender(x.channels[0]) == thread && channels_.refs(x.channels[0]) == 1;
    if (!reuse) {
      clear(x);
      add(x, channels_.make());
    }
    x.head = thread;
    channels_.send(x.channels[0], thread, site);
    ++x.version;
    return;
  }
  if (x.head != thread) clear(x);
  carryFence(x, thread, site);
}

void Atomics::afterUpdate(Sequence& x, uint32_t thread, Order order, uint32_t site) {
  if (releases(order)) {
    sendOn(x, thread, site);
  } else {
    carryFence(x, thread, site);
  }
}

// A relaxed write carries the thread's last release fence.
void Atomics::carryFence(Sequence& x, uint32_t thread, uint32_t site) {
  uint32_t fence = threadOf(thread).fence;
  if (fence == kNone || std::find(x.channels, x.channels + x.count, fence) != x.channels + x.count) return;
  if (x.count == Sequence::kSet) return sendOn(x, thread, site);  // from now instead of the fence
  channels_.ref(fence);
  add(x, fence);
}

// Adds what the thread did so far to the sequence, on a channel that no other
// sequence has if there is one.
void Atomics::sendOn(Sequence& x, uint32_t thread, uint32_t site) {
  uint32_t i = 0;
  while (i < x.count && channels_.isFence(x.channels[i])) ++i;
  if (i == Sequence::kSet) i = 0;
  if (i == x.count) {
    if (x.count == 0) x.head = thread;
    add(x, channels_.make());
  }
  channels_.send(x.channels[i], thread, site);
  ++x.version;
}

void Atomics::fence(uint32_t thread, Order order, uint32_t site) {
  Thread& t = threadOf(thread);
  if (acquires(order)) {
    for (uint32_t c : t.remembered) {
      channels_.receive(c, thread, site);
      channels_.unref(c);
    }
    t.remembered.clear();
  }
  if (releases(order)) {
    if (t.fence != kNone) channels_.unref(t.fence);
    t.fence = channels_.make(true);
    channels_.send(t.fence, thread, site);
  }
}

void Atomics::endThread(uint32_t thread) {
  if (thread >= threads_.size()) return;
  Thread& t = threads_[thread];
  for (uint32_t c : t.remembered) channels_.unref(c);
  if (t.fence != kNone) channels_.unref(t.fence);
  t = Thread();
}

}  // namespace predrace
