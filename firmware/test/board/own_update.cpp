// A board that downloads and installs a release by itself.
#include "board/stories.h"

namespace stories {

namespace {

/// An update from the newest release with so much memory in both heaps; how much of the first was left at the worst.
uint32_t update_with(uint32_t first, uint32_t second) {
  new_device(kHome);
  fake::memory.first = first;
  fake::memory.second = second;
  static const std::string file = device::sign_update(update());
  servers["raw.githubusercontent.com"].reply = [](const std::string&) { return reply(R"({"version":"9.0.0"})"); };
  servers["github.com"].reply = [](const std::string& request) {
    const size_t at = request.find("Range: bytes=");
    if (at == std::string::npos) return reply(file);
    const std::string piece = file.substr(std::stoul(request.substr(at + 13)), 3072);
    return "HTTP/1.1 206 Partial Content\r\nContent-Length: " + std::to_string(piece.size()) + "\r\n\r\n" + piece;
  };
  live_through(20 * kMinute, kIdleMs, [](uint64_t ms) {
    static Visitor ask;
    if (fake::memory.lowest != UINT32_MAX) kept().story[0] = fake::memory.lowest;
    if (kept().lives > 1 || ms < kMinute || !ask.request.empty()) return;
    ask.request = request("POST", "/api/selfupdate");
    fake::visit(ask);
  });
  return kept().story[0];
}

}  // namespace

/// The first heap holds the library of TLS, the second one its buffers if it can.
void own_update() {
  const uint32_t left = update_with(kEsp8266 ? 18000 : 90000, 13000);
  fake::expect(kept().updates == 1 && kept().lives == (kEsp8266 ? 3 : 2), "it updates itself from the release");
  if (!kEsp8266) return;
  fake::expect(left >= 5000, "with both heaps 5 KB of the first are left");
  update_with(18000, 0);
  fake::expect(kept().updates == 1, "and without the second one");
  update_with(17000, 13000);
  fake::expect(kept().updates == 0 && kept().lives == 2, "with less it does not begin, and goes on");
}

}  // namespace stories
