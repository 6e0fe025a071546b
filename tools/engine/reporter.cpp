#include "tools/engine/reporter.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

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

uint64_t pcOf(Session* session, Site site) {
  if (site == 0 || site >= __atomic_load_n(&session->contextCount, __ATOMIC_ACQUIRE)) return 0;
  return contextsOf(session)[site].pc;
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
  GlobalName global;
  bool named = symbolizer_.global(object.address, &global);
  report.mutexes.push_back({lock, object.address, stackOf(object.site), named ? global.name : std::string()});
}

// What the engine says of the locks held at an access.
std::vector<uint32_t> Reporter::heldAt(const RacingAccess& access) const {
  if (!locksets_ || access.lockset == kNone) return {};
  std::span<const uint32_t> locks = locksets_->locks(access.lockset);
  return {locks.begin(), locks.end()};
}

ReportAccess Reporter::accessOf(const RacingAccess& access, const std::vector<uint32_t>& locks,
                                const Bytes& bytes, Report& report) {
  Lowering::Extent extent = lowering_.extentAt(access.site, bytes);
  ReportAccess result{.write = writes(access.op),
                      .atomic = isAtomic(access.op),
                      .address = extent.address,
                      .size = extent.size,
                      .thread = access.thread,
                      .threadIsMain = isMain(access.thread),
                      .held = {},
                      .stack = stackOf(access.site)};
  for (uint32_t member : locks) {
    result.held.push_back({Locksets::lockOf(member), Locksets::isShared(member)});
    mentionLock(report, Locksets::lockOf(member));
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

Report Reporter::build(const Race& race, Report::Kind kind, const std::vector<uint32_t>& firstLocks,
                       const std::vector<uint32_t>& secondLocks) {
  if (options_.symbolizer.empty() && options_.warnNoSymbolizer) {
    options_.warnNoSymbolizer = false;
    output_.line("WARNING: no llvm-symbolizer found, reports show module offsets");
  }
  symbolizer_.setModules({modulesOf(session_), __atomic_load_n(&session_->modulesLength, __ATOMIC_ACQUIRE)});
  Report report;
  report.kind = kind;
  report.pid = session_->pid;
  Bytes bytes = lowering_.variables().bytesAt(race.variable, race.second.index);
  report.second = accessOf(race.second, secondLocks, bytes, report);
  report.first = accessOf(race.first, firstLocks, bytes, report);
  if (const HandOver& h = race.handOver; h.lock != kNone) {
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

std::string Reporter::nameOfLock(uint32_t lock) {
  uint64_t address = lowering_.history().object(lowering_.locks().objectOfLock(lock)).address;
  GlobalName global;
  if (symbolizer_.global(address, &global)) return absl::StrCat("'", global.name, "' (M", lock, ")");
  return absl::StrCat("M", lock);
}

std::string Reporter::nameOfVariable(uint32_t variable, uint64_t index) {
  uint64_t address = lowering_.variables().bytesAt(variable, index).address();
  GlobalName global;
  if (symbolizer_.global(address, &global)) return absl::StrCat("'", global.name, "'");
  return absl::StrCat("0x", absl::Hex(address, absl::kZeroPad12));
}

// In the words of a timeline (timeline.h).
std::string Reporter::describe(const WindowSearch::Outlined::Step& step) {
  const Event& e = step.event;
  std::string times = step.times > 1 ? absl::StrCat(" (", step.times, " times)") : "";
  auto access = [&](const char* verb) {
    return absl::StrCat(verb, nameOfVariable(e.target, e.index), times);
  };
  auto thread = [&](const char* verb) {
    return absl::StrCat(verb, isMain(e.target) ? "the main thread" : absl::StrCat("T", e.target));
  };
  switch (e.op) {
    case Op::Read:
      return access("reads ");
    case Op::Write:
      return access("writes ");
    case Op::Update:
      return access("reads and writes ");
    case Op::AtomicRead:
      return access("atomically reads ");
    case Op::AtomicWrite:
      return access("atomically writes ");
    case Op::AtomicUpdate:
      return access("atomically updates ");
    case Op::Acquire:
      return absl::StrCat("acquires ", nameOfLock(e.target));
    case Op::Release:
      return absl::StrCat("releases ", nameOfLock(e.target));
    case Op::SharedAcquire:
      return absl::StrCat("acquires ", nameOfLock(e.target), " for reading");
    case Op::SharedRelease:
      return absl::StrCat("releases ", nameOfLock(e.target), " from reading");
    case Op::Fork:
      return thread("creates ");
    case Op::Join:
      return thread("joins ");
    case Op::Send:
      return "lets others go on" + times;
    case Op::Receive:
      return "goes on after others" + times;
    case Op::At:
      return "synchronises, in the same order as in this run" + times;
    case Op::Begin:
    case Op::End:
    case Op::Branch:
    case Op::Inner:
      return "goes on";
  }
  return "";
}

// The user's own code: what the standard library puts between says nothing to people.
Frame Reporter::placeOf(Site site) {
  Stack stack = stackOf(site);
  for (const Frame& f : stack)
    if (!f.file.empty() && !absl::StartsWith(f.file, "/usr/")) return f;
  return stack.empty() ? Frame() : stack.front();
}

ReportSchedule Reporter::scheduleOf(const WindowSearch::Outlined& outlined) {
  ReportSchedule out{.before = outlined.before, .steps = {}, .skipped = outlined.skipped};
  for (const WindowSearch::Outlined::Step& s : outlined.steps)
    out.steps.push_back({.thread = s.event.thread,
                         .threadIsMain = isMain(s.event.thread),
                         .what = describe(s),
                         .where = placeOf(s.event.site),
                         .skipped = s.skipped});
  return out;
}

// Has this pair of code locations not been reported yet, as this or as worse?
bool Reporter::isNew(const Race& race, Report::Kind kind) {
  uint64_t a = pcOf(session_, race.first.site), b = pcOf(session_, race.second.site);
  if (a > b) std::swap(a, b);
  if (kind == Report::Kind::PredictedDataRace && seen_.contains({a, b, Report::Kind::DataRace})) return false;
  return seen_.insert({a, b, kind}).second;
}

void Reporter::tell(const Report& report) {
  if (suppressions_.matches(report)) {
    ++counts_.suppressed;
    return;
  }
  switch (report.kind) {
    case Report::Kind::DataRace:
      ++counts_.dataRaces;
      break;
    case Report::Kind::PredictedDataRace:
      ++counts_.predicted;
      break;
    case Report::Kind::LocksetViolation:
      ++counts_.locksetViolations;
      break;
  }
  output_.write(renderText(report, options_.style));
  __atomic_store_n(&session_->reports, static_cast<uint32_t>(reported()), __ATOMIC_RELEASE);
  if (options_.haltOnError) __atomic_store_n(&session_->halt, 1, __ATOMIC_RELEASE);
}

void Reporter::found(const Race& race, Finding finding) {
  Report::Kind kind =
      finding == Finding::LocksetViolation ? Report::Kind::LocksetViolation : Report::Kind::DataRace;
  if (isNew(race, kind)) tell(build(race, kind, heldAt(race.first), heldAt(race.second)));
}

void Reporter::predicted(const Prediction& p) {
  if (!isNew(p.race, Report::Kind::PredictedDataRace)) return;
  Report report = build(p.race, Report::Kind::PredictedDataRace, p.firstLocks, p.secondLocks);
  report.schedule = scheduleOf(p.schedule);
  tell(report);
}

void Reporter::unwitnessed(const Race& race) {
  if (!isNew(race, Report::Kind::PredictedDataRace)) return;
  Report report = build(race, Report::Kind::PredictedDataRace, heldAt(race.first), heldAt(race.second));
  report.unwitnessed = true;
  tell(report);
}

}  // namespace predrace
