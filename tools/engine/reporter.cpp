#include "tools/engine/reporter.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace predrace {

namespace {

constexpr size_t kMaxDepth = 4096;

// Frames of the C library and of the runtime that call the program's first function.
bool isStarter(const Frame& f) {
  for (const char* prefix : {"__libc_start", "_start", "start_thread", "clone", "__clone", "__predrace"}) {
    if (absl::StartsWith(f.function, prefix)) return true;
  }
  return false;
}

Report::Kind kindOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::Predicted:
      return Report::Kind::PredictedDataRace;
    case Verdict::LocksetViolation:
      return Report::Kind::LocksetViolation;
    default:
      return Report::Kind::DataRace;
  }
}

}  // namespace

Reporter::Reporter(Session* session, const Lowering& lowering, const Locksets* locksets,
                   Suppressions& suppressions, Output& output, ReporterOptions options)
    : session_(session),
      lowering_(lowering),
      locksets_(locksets),
      suppressions_(suppressions),
      output_(output),
      options_(std::move(options)),
      symbolizer_(options_.symbolizer) {}

uint64_t Reporter::pcOf(Site site) const {
  if (site == 0 || site >= __atomic_load_n(&session_->contextCount, __ATOMIC_ACQUIRE)) return 0;
  return contextsOf(session_)[site].pc;
}

const Stack& Reporter::framesOf(uint64_t pc) {
  auto [at, fresh] = frames_.try_emplace(pc);
  if (fresh) at->second = symbolizer_.symbolize(pc);
  return at->second;
}

Stack Reporter::stackOf(Site site) {
  Stack stack;
  uint32_t count = __atomic_load_n(&session_->contextCount, __ATOMIC_ACQUIRE);
  for (uint32_t node = site; node != 0 && node < count && stack.size() < kMaxDepth;
       node = contextsOf(session_)[node].parent) {
    const Stack& frames = framesOf(contextsOf(session_)[node].pc);
    stack.insert(stack.end(), frames.begin(), frames.end());
  }
  while (stack.size() > 1 && isStarter(stack.back())) stack.pop_back();
  return stack;
}

void Reporter::mention(Report& report, uint32_t thread) {
  if (isMain(thread)) return;
  for (const ReportThread& t : report.threads) {
    if (t.id == thread) return;
  }
  History::Thread known = lowering_.history().thread(thread);
  report.threads.push_back({.id = thread,
                            .main = false,
                            .finished = known.ended,
                            .creator = known.creator,
                            .creatorIsMain = isMain(known.creator),
                            .creation = stackOf(known.site)});
}

void Reporter::mentionLock(Report& report, uint32_t lock) {
  for (const ReportMutex& m : report.mutexes) {
    if (m.number == lock) return;
  }
  History::Object object = lowering_.history().object(lowering_.locks().objectOfLock(lock));
  report.mutexes.push_back({lock, object.address, stackOf(object.site)});
}

ReportAccess Reporter::accessOf(const RacingAccess& access, const Bytes& bytes, Report& report) {
  Lowering::Extent extent = lowering_.extentAt(access.site, bytes);
  ReportAccess result{.write = writes(access.op),
                      .atomic = isAtomic(access.op),
                      .address = extent.address,
                      .size = extent.size,
                      .thread = access.thread,
                      .threadIsMain = isMain(access.thread),
                      .held = {},
                      .stack = stackOf(access.site)};
  if (locksets_ && access.lockset != kNone) {
    for (uint32_t member : locksets_->locks(access.lockset)) {
      result.held.push_back({Locksets::lockOf(member), Locksets::isShared(member)});
      mentionLock(report, Locksets::lockOf(member));
    }
  }
  mention(report, access.thread);
  return result;
}

ReportLocation Reporter::locationOf(uint64_t address, uint64_t index) {
  ReportLocation location;
  if (const History::Block* block = lowering_.history().blockAt(address, index)) {
    switch (block->kind) {
      case MemoryKind::Heap:
        location.kind = ReportLocation::Kind::Heap;
        break;
      case MemoryKind::Stack:
        location.kind = ReportLocation::Kind::Stack;
        break;
      case MemoryKind::Tls:
        location.kind = ReportLocation::Kind::Tls;
        break;
      case MemoryKind::Mapping:
        location.kind = ReportLocation::Kind::Mapping;
        break;
    }
    location.address = block->address;
    location.size = block->size;
    location.thread = block->thread;
    location.threadIsMain = isMain(block->thread);
    location.allocation = stackOf(block->site);
    return location;
  }
  GlobalName global;
  if (!symbolizer_.global(address, &global)) return location;
  location.kind = ReportLocation::Kind::Global;
  location.name = global.name;
  location.module = global.module;
  location.offset = global.offset;
  location.address = global.address;
  location.size = global.size;
  return location;
}

Report Reporter::build(const Race& race, Verdict verdict) {
  symbolizer_.setModules({modulesOf(session_), __atomic_load_n(&session_->modulesLength, __ATOMIC_ACQUIRE)});
  Report report;
  report.kind = kindOf(verdict);
  report.pid = session_->pid;
  Bytes bytes = lowering_.variables().bytesAt(race.variable, race.second.index);
  report.second = accessOf(race.second, bytes, report);
  report.first = accessOf(race.first, bytes, report);
  if (verdict == Verdict::Predicted && race.handOver.lock != kNone) {
    const HandOver& h = race.handOver;
    report.handOver = ReportHandOver{.mutex = h.lock,
                                     .from = h.fromThread,
                                     .to = h.toThread,
                                     .fromIsMain = isMain(h.fromThread),
                                     .toIsMain = isMain(h.toThread),
                                     .release = stackOf(h.releaseSite),
                                     .acquire = stackOf(h.acquireSite)};
    mentionLock(report, h.lock);
    mention(report, h.fromThread);
    mention(report, h.toThread);
  }
  if (bytes.mask != 0) report.location = locationOf(bytes.address(), race.second.index);
  uint32_t maker = report.location.thread;
  bool made = report.location.kind != ReportLocation::Kind::Unknown &&
              report.location.kind != ReportLocation::Kind::Global;
  if (made) mention(report, maker);
  return report;
}

void Reporter::count(Verdict verdict) {
  switch (verdict) {
    case Verdict::DataRace:
      ++counts_.dataRaces;
      return;
    case Verdict::Predicted:
      ++counts_.predicted;
      return;
    case Verdict::LocksetViolation:
      ++counts_.locksetViolations;
      return;
    case Verdict::Drop:
      return;
  }
}

void Reporter::found(const Race& race, const VerdictContext& context) {
  if (!race.unordered && context.finding == Finding::Prediction) ++counts_.candidates;
  Verdict verdict = decide(race, context);
  if (verdict == Verdict::Drop) return;
  uint64_t a = pcOf(race.first.site), b = pcOf(race.second.site);
  if (a > b) std::swap(a, b);
  if (verdict == Verdict::Predicted && seen_.contains({a, b, Verdict::DataRace})) return;
  if (!seen_.insert({a, b, verdict}).second) return;
  if (options_.symbolizer.empty() && options_.warnNoSymbolizer) {
    options_.warnNoSymbolizer = false;
    output_.line("WARNING: no llvm-symbolizer found, reports show module offsets");
  }
  Report report = build(race, verdict);
  if (suppressions_.matches(report)) {
    ++counts_.suppressed;
    return;
  }
  count(verdict);
  output_.write(renderText(report, options_.style));
  __atomic_store_n(&session_->reports, static_cast<uint32_t>(reported()), __ATOMIC_RELEASE);
  if (options_.haltOnError) __atomic_store_n(&session_->halt, 1, __ATOMIC_RELEASE);
}

}  // namespace predrace
