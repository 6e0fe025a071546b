#include "tools/engine/recorder.h"

#include <cerrno>
#include <cstring>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace predrace {

Recorder::Recorder() : spool_(std::tmpfile()) {
  if (spool_ == nullptr) {
    error_ = absl::StrCat("cannot make a temporary file: ", std::strerror(errno));
  } else {
    std::setvbuf(spool_, nullptr, _IOFBF, 1 << 20);
  }
}

Recorder::~Recorder() {
  if (spool_ != nullptr) std::fclose(spool_);
}

uint32_t Recorder::pieceOf(uint32_t variable) {
  uint32_t piece = lives_.of(variable);
  if (piece >= pieces_.size()) pieces_.resize(piece + 1);
  if (pieces_[piece].address == 0) pieces_[piece].address = variables_->bytesOf(variable).address();
  return piece;
}

void Recorder::splitVariable(uint32_t from, uint32_t to) {
  lives_.split(from, to);
  pieceOf(from);
  pieceOf(to);
}

void Recorder::on(const Event& e) {
  if (spool_ == nullptr || !error_.empty()) return;
  uint32_t target = 0;
  switch (e.op) {
    case Op::Read:
    case Op::Write:
    case Op::Update:
    case Op::AtomicRead:
    case Op::AtomicWrite:
    case Op::AtomicUpdate:
      target = pieceOf(e.target);
      break;
    case Op::Acquire:
    case Op::Release:
    case Op::SharedAcquire:
    case Op::SharedRelease:
      target = locks_.of(e.target);
      break;
    case Op::Send:
    case Op::Receive:
      target = channels_.of(e.target);
      break;
    case Op::At:
      target = objects_.of(e.target);
      break;
    case Op::Fork:
    case Op::Join:
      target = e.target;
      break;
    case Op::Begin:
    case Op::End:
    case Op::Branch:
    case Op::Inner:
      break;
  }
  Spooled s{e.op, e.thread, target, e.site};
  if (std::fwrite(&s, sizeof(s), 1, spool_) != 1) {
    error_ = absl::StrCat("cannot write to the temporary file: ", std::strerror(errno));
  }
}

void Recorder::replay(const std::function<void(const Event&)>& use) {
  if (spool_ == nullptr) return;
  if (std::fflush(spool_) != 0 && error_.empty()) {
    error_ = absl::StrCat("cannot write to the temporary file: ", std::strerror(errno));
  }
  std::rewind(spool_);
  Spooled s;
  for (uint64_t index = 0; std::fread(&s, sizeof(s), 1, spool_) == 1; ++index) {
    uint64_t at = index * kMaxPieces;
    if (!isAccess(s.op)) {
      use({s.op, s.thread, s.target, s.site, at});
      continue;
    }
    lives_.leaves(s.target, [&](uint32_t leaf) { use({s.op, s.thread, leaf, s.site, at++}); });
  }
}

void Recorder::nameLeaves() {
  absl::flat_hash_map<uint64_t, uint32_t> used;
  for (uint32_t piece = 0; piece < pieces_.size(); ++piece)
    if (lives_.isLeaf(piece)) pieces_[piece].generation = used[pieces_[piece].address]++;
}

std::string Recorder::writeText(std::FILE* file) {
  nameLeaves();
  bool failed = false;
  int error = 0;
  auto check = [&](int result) {
    if (result >= 0 || failed) return;
    failed = true;
    error = errno;
  };
  auto access = [&](const Event& e, const char* op) {
    const Piece& p = pieces_[e.target];
    if (p.generation == 0) {
      check(std::fprintf(file, "T%u|%s(0x%lx)|%u\n", e.thread, op, p.address, e.site));
    } else {
      check(std::fprintf(file, "T%u|%s(0x%lx#%u)|%u\n", e.thread, op, p.address, p.generation, e.site));
    }
  };
  replay([&](const Event& e) {
    if (failed) return;
    const char* op = textOf(e.op);
    switch (e.op) {
      case Op::Read:
      case Op::Write:
      case Op::AtomicRead:
      case Op::AtomicWrite:
      case Op::AtomicUpdate:
        access(e, op);
        break;
      case Op::Update:
        access(e, textOf(Op::Read));
        access(e, textOf(Op::Write));
        break;
      case Op::Acquire:
      case Op::Release:
      case Op::SharedAcquire:
      case Op::SharedRelease:
        check(std::fprintf(file, "T%u|%s(M%u)|%u\n", e.thread, op, e.target, e.site));
        break;
      case Op::Send:
      case Op::Receive:
        check(std::fprintf(file, "T%u|%s(C%u)|%u\n", e.thread, op, e.target, e.site));
        break;
      case Op::At:
        check(std::fprintf(file, "T%u|%s(O%u)|%u\n", e.thread, op, e.target, e.site));
        break;
      case Op::Fork:
      case Op::Join:
        check(std::fprintf(file, "T%u|%s(T%u)|%u\n", e.thread, op, e.target, e.site));
        break;
      case Op::Begin:
      case Op::End:
      case Op::Branch:
      case Op::Inner:
        check(std::fprintf(file, "T%u|%s|%u\n", e.thread, op, e.site));
        break;
    }
  });
  if (std::fflush(file) != 0) check(-1);
  if (failed) return std::strerror(error);
  return error_;
}

}  // namespace predrace
