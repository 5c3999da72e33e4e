// An ESP8266 reads the file of an update in pieces (app/app_update.cpp, http/get.h).
#include <doctest/doctest.h>

#include "device.h"
#include "update_file.h"

using namespace hearth;
using device::body_of;
using device::Device;
using device::ok;
using device::update_file;

namespace {

/// A server of files that gives pieces, as GitHub's does; `say` may answer in its place.
struct FileServer {
  std::string file;
  int requests = 0;
  std::function<std::string(int count, const std::string& reply)> say = [](int, const std::string& reply) {
    return reply;
  };
  std::string operator()(const std::string& request) {
    const size_t at = request.find("Range: bytes=");
    REQUIRE(at != std::string::npos);
    const size_t from = std::stoul(request.substr(at + 13));
    const size_t to = std::stoul(request.substr(request.find('-', at + 13) + 1));
    CHECK(to - from + 1 <= 3072);
    const std::string piece = file.substr(from, to - from + 1);
    return say(requests++, "HTTP/1.1 206 Partial Content\r\nLocation: /elsewhere\r\nContent-Range: bytes " +
                               std::to_string(from) + "-" + std::to_string(from + piece.size() - 1) +
                               "/9\r\nContent-Length: " + std::to_string(piece.size()) + "\r\n\r\n" + piece);
  }
};

/// An ESP8266 with so much memory that was told to update itself, after `ms`.
struct SmallDevice : Device {
  SmallDevice(FileServer& files, uint32_t heap, bool closes) {
    system.info = {Chip::Esp8266, "smalltv", "1.2.3", "someone", "hearth", "smalltv.update", 1, true, 1044480};
    system.heap = heap;
    system.block = 9000;
    net.give = 256;
    net.ends = closes;
    net.servers["raw.githubusercontent.com"] = [](const std::string&) { return ok("{\"version\":\"1.3.0\"}"); };
    net.servers["github.com"] = [](const std::string& request) {
      CHECK(request.find("GET /someone/hearth/releases/download/firmware-1.3.0/smalltv.update ") == 0);
      return "HTTP/1.1 302 Found\r\nLocation: https://files.example/signed?" + std::string(900, 's') +
             "\r\nContent-Length: 0\r\n\r\n";
    };
    net.servers["files.example"] = [&files](const std::string& request) {
      CHECK(request.find("GET /signed?sss") == 0);
      return files(request);
    };
    store.files["update"] = "1";
    start();
    run(60000);
  }
  std::string message() {
    net.ends = true;
    const std::string status = body_of(get("/api/status"));
    const size_t at = status.find("\"updateMsg\":\"") + 13;
    return status.substr(at, status.find('"', at) - at);
  }
};

}  // namespace

TEST_CASE("an ESP8266 installs a release in pieces, with memory for a short record alone") {
  const std::string file = update_file("smalltv", 0xffff, 40000);
  for (bool closes : {false, true}) {
    CAPTURE(closes);
    FileServer files{file};
    SmallDevice d(files, 17500, closes);
    CHECK(d.message() == "The update is installed.");
    CHECK(d.system.image == file.substr(128));
    CHECK(files.requests == 14);
    CHECK(d.net.last.receive_buffer == 5120);
    // One connection for all pieces, as long as the server keeps it.
    CHECK(d.net.opened.size() == (closes ? 2u + 14u : 3u));
  }
  FileServer none{file};
  SmallDevice poor(none, 17499, false);
  CHECK(poor.message() == "There is too little memory for an update now. Choose the update file on this page.");
  CHECK((none.requests == 0 && poor.system.begun == 0 && poor.store.files.count("update") == 0));
}

TEST_CASE("an update in pieces goes on after broken connections, and ends when a server lies") {
  const std::string file = update_file("smalltv", 0xffff, 40000);
  const auto end = [&](std::function<std::string(int, const std::string&)> say, bool closes = true) {
    FileServer files{file};
    files.say = std::move(say);
    SmallDevice d(files, 30000, closes);
    CHECK(files.requests < 60);
    CHECK(d.system.ended == (d.message() == "The update is installed." ? 1 : 0));
    CHECK((d.system.ended == 0 || d.system.image == file.substr(128)));
    return d.message();
  };
  const auto cut = [](const std::string& reply, size_t bytes) { return reply.substr(0, bytes); };
  CHECK(end([&](int count, const std::string& reply) { return count % 3 == 1 ? cut(reply, 700) : reply; }) ==
        "The update is installed.");
  CHECK(end([&](int, const std::string& reply) { return cut(reply, reply.size() > 1000 ? 1000 : reply.size()); }) ==
        "The update is installed.");
  CHECK(end([&](int count, const std::string& reply) { return count > 3 ? cut(reply, 40) : reply; }) ==
        "The update could not be downloaded. The old firmware stays.");
  CHECK(end([&](int count, const std::string& reply) {
          return count > 3 ? "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n" : reply;
        }) == "The update could not be downloaded. The old firmware stays.");
  CHECK(end([&](int count, const std::string& reply) {
          return count > 3 ? "HTTP/1.1 206 Partial Content\r\nContent-Length: 0\r\n\r\n" : reply;
        }) == "The update file is damaged or cut off. The old firmware stays. Download it again.");
  // The whole file where a piece was asked for: right at the beginning only.
  CHECK(end([&](int, const std::string&) { return ok(file); }) == "The update is installed.");
  CHECK(end([&](int count, const std::string& reply) { return count > 3 ? ok(file) : reply; }) ==
        "The update file is damaged or cut off. The old firmware stays. Download it again.");
}
