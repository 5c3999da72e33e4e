#include "control.h"

namespace sim {

namespace {
constexpr size_t kLongestRequest = 4096;

void reply(Client& client, const char* status, const char* type, const std::string& body) {
  const std::string head =
      std::string("HTTP/1.1 ") + status + "\r\nContent-Type: " + type +
      "\r\nCache-Control: no-store\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  if (client.write(head.data(), head.size())) client.write(body.data(), body.size());
}
}  // namespace

std::string Control::raw() const {
  std::string bytes;
  bytes.reserve(kSide * kSide * 2);
  for (const uint16_t pixel : glass_.pixels()) {
    bytes += static_cast<char>(pixel & 255);
    bytes += static_cast<char>(pixel >> 8);
  }
  return bytes;
}

void Control::turn() {
  for (int socket = listener_.take(); socket >= 0; socket = listener_.take())
    open_.push_back(Open{Client(socket), {}, false, 0});
  for (size_t i = 0; i < open_.size();) {
    if (serve(open_[i])) {
      ++i;
      continue;
    }
    open_[i].client.close();
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

bool Control::serve(Open& open) {
  char bytes[1024];
  const int got = open.client.read(bytes, sizeof bytes);
  if (got == 0) return false;
  if (open.stream) {
    if (open.shown == glass_.revision()) return true;
    open.shown = glass_.revision();
    const std::string frame = raw();
    return open.client.write(frame.data(), frame.size());
  }
  if (got > 0) open.request.append(bytes, static_cast<size_t>(got));
  if (open.request.size() > kLongestRequest) return false;
  return open.request.find("\r\n\r\n") == std::string::npos || answer(open);
}

bool Control::answer(Open& open) {
  const std::string line = open.request.substr(0, open.request.find("\r\n"));
  const std::string target = line.substr(0, line.rfind(' '));
  if (target == "GET /screen.png") return reply(open.client, "200 OK", "image/png", glass_.png()), false;
  if (target == "GET /screen.raw") return reply(open.client, "200 OK", "application/octet-stream", raw()), false;
  if (target == "GET /state") return reply(open.client, "200 OK", "application/json", state_()), false;
  if (target == "POST /crash")
    return crash_(), reply(open.client, "200 OK", "application/json", "{\"ok\":true}"), false;
  if (target == "GET /screen.stream") {
    const std::string head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nCache-Control: no-store\r\nConnection: "
        "close\r\n\r\n";
    open.stream = open.client.write(head.data(), head.size());
    open.shown = glass_.revision() - 1;
    return open.stream;
  }
  const std::string faults = "POST /faults?";
  if (target.compare(0, faults.size(), faults) == 0) {
    const bool known = set_faults(&faults_, target.substr(faults.size()));
    return reply(open.client, known ? "200 OK" : "400 Bad Request", "application/json",
                 known ? "{\"ok\":true}" : "{\"error\":\"no such fault\"}"),
           false;
  }
  return reply(open.client, "404 Not Found", "application/json", "{\"error\":\"not here\"}"), false;
}

}  // namespace sim
