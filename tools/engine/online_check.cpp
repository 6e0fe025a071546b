#include "tools/engine/online_check.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"

namespace predrace {

std::string OnlineCheck::compare(Recorder& recorder) {
  Events offline;
  std::unique_ptr<Engine> engine =
      engine_.make([&](const Race& race) { note(offline, race.second.index / Recorder::kMaxPieces, race); });
  recorder.replay([&](const Event& e) { engine->on(e); });
  engine->finish();
  if (!recorder.error().empty()) return recorder.error();

  std::vector<uint64_t> indices;
  for (const auto& [index, racy] : online_) indices.push_back(index);
  for (const auto& [index, racy] : offline) indices.push_back(index);
  std::sort(indices.begin(), indices.end());
  auto tell = [](const Events& events, uint64_t index) {
    auto at = events.find(index);
    return at == events.end() ? "no race" : at->second.unordered ? "a data race" : "a predicted race";
  };
  for (uint64_t index : indices) {
    absl::string_view on = tell(online_, index), off = tell(offline, index);
    if (on == off) continue;
    uint32_t site = online_.contains(index) ? online_[index].site : offline[index].site;
    return absl::StrCat("event ", index, " (site ", site, ") is ", on, " online, ", off, " offline; ",
                        online_.size(), " racy events online, ", offline.size(), " offline");
  }
  return "";
}

}  // namespace predrace
