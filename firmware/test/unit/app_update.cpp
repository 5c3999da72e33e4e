#include <doctest/doctest.h>

#include "device.h"
#include "hashes.h"
#include "update_file.h"

using namespace hearth;
using device::body_of;
using device::Device;
using device::from_hex;
using device::kTestPublicKey;
using device::ok;
using device::sha256;
using device::sign_update;
using device::status_of;
using device::update_file;

namespace {

std::string wrapped(const std::string& file) {
  return "--b0und\r\nContent-Disposition: form-data; name=\"update\"; filename=\"x\"\r\n\r\n" + file +
         "\r\n--b0und--\r\n";
}
const char kMultipart[] = "Content-Type: multipart/form-data; boundary=b0und\r\n";

}  // namespace

TEST_CASE("checks an update before it erases anything") {
  struct Case {
    std::string file;
    const char* part;
  };
  const std::string good = update_file("nm-tv-154", 0);
  std::string other_inner = good;
  other_inner[128 + 12] = 5;
  std::string bad_magic = good;
  bad_magic[128] = 0;
  std::string version_three = good;
  version_three[10] = 3;
  std::string large = good;
  large[15] = 1;
  const Case before[] = {{"\xe9" + std::string(5000, 'x'), "not an update file"},
                         {"short", "not an update file"},
                         {update_file("nm-tv-154", 5), "another chip"},
                         {update_file("smalltv-pro", 0), "another board"},
                         {other_inner, "another chip"},
                         {bad_magic, "damaged"},
                         {version_three, "not an update file"},
                         {large, "does not fit"},
                         {update_file("nm-tv-154", 0, 500), "damaged"},
                         {good.substr(0, 100), "damaged"}};
  for (size_t piece : {1u, 50u, 100000u}) {
    for (const Case& one : before) {
      Device d;
      d.start();
      d.run(1000);
      const std::string reply = d.post("/update", wrapped(one.file), kMultipart, piece);
      CHECK(status_of(reply) == "400");
      CHECK(reply.find(one.part) != std::string::npos);
      CHECK((d.system.begun == 0 && d.system.ended == 0));
    }
    Device d;
    d.start();
    d.run(1000);
    CHECK(body_of(d.post("/update", wrapped(good), kMultipart, piece)) == "OK");
    CHECK((d.system.image == good.substr(128) && d.system.ended == 1));
    d.run(1500);
    CHECK(d.system.restarts == 1);
    CHECK(body_of(d.post("/update", good, "", piece)) == "OK");
    std::string damaged = good;
    damaged[3000] = static_cast<char>(damaged[3000] ^ 1);
    CHECK(status_of(d.post("/update", wrapped(damaged), kMultipart, piece)) == "400");
    CHECK(status_of(d.post("/update", good.substr(0, 4000), "", piece)) == "400");
    CHECK(status_of(d.post("/update", good + "x", "", piece)) == "400");
    CHECK(status_of(d.post("/update", wrapped(good).substr(0, 4000), kMultipart, piece)) == "400");
    CHECK((d.system.ended == 2 && d.system.abandoned == 4));
    d.system.most = 2000;
    CHECK(d.post("/update", good, "", piece).find("could not be written") != std::string::npos);
    d.system.broken = true;
    CHECK(d.post("/update", good, "", piece).find("could not be written") != std::string::npos);
  }
}

TEST_CASE("keeps content that looks like a boundary") {
  Device d;
  d.start();
  d.run(1000);
  std::string file = update_file("nm-tv-154", 0);
  const std::string tricky = "\r\n--b0un\r\r\n--b0\r\n\r\n-";
  file.replace(500, tricky.size(), tricky);
  uint8_t digest[32];
  sha256(file.substr(128), digest);
  for (int i = 0; i < 32; i++) file[16 + i] = static_cast<char>(digest[i]);
  for (size_t piece : {1u, 2u, 3u, 5u, 8u, 13u, 100000u})
    CHECK(body_of(d.post("/update", wrapped(file), kMultipart, piece)) == "OK");
}

TEST_CASE("checks the chip family of updates, and accepts those of the ESP8266") {
  Device d;
  d.system.info.chip = Chip::Esp8266;
  d.system.info.board = "smalltv-esp8266";
  d.system.info.slot_bytes = 1044464;
  d.start();
  d.run(1000);
  CHECK(body_of(d.post("/update", update_file("smalltv-esp8266", 0xffff))) == "OK");
  CHECK(status_of(d.post("/update", update_file("nm-tv-154", 0))) == "400");
  CHECK(status_of(d.post("/api/selfupdate")) == "202");
  CHECK(d.store.files.count("update") == 1);
  d.store.full = true;
  CHECK(status_of(d.post("/api/selfupdate")) == "500");
}

TEST_CASE("reads a rejected upload to its end, so that the browser gets the reply") {
  const std::string file = update_file("smalltv-pro", 0);
  struct Case {
    const char* target;
    std::string body;
    const char* status;
  };
  for (const Case& one :
       {Case{"/update", file, "400"}, Case{"/api/elsewhere", file, "404"}, Case{"/api/config", file, "400"}}) {
    Device d;
    d.start();
    d.run(1000);
    device::Bytes client;
    const std::string head =
        std::string("POST ") + one.target +
        " HTTP/1.1\r\nHost: 192.168.1.20\r\nX-Hearth: 1\r\nContent-Length: " + std::to_string(one.body.size()) +
        "\r\n\r\n";
    d.app.web_open();
    d.app.web_receive(reinterpret_cast<const uint8_t*>(head.data()), head.size(), client);
    for (size_t at = 0; at < one.body.size(); at += 500) {
      CHECK_FALSE(d.app.web_poll(client));
      d.app.web_receive(reinterpret_cast<const uint8_t*>(one.body.data()) + at,
                        std::min<size_t>(500, one.body.size() - at), client);
    }
    CHECK(d.app.web_poll(client));
    CHECK(status_of(client.text) == one.status);
    CHECK(client.text.find("HTTP/1.1", 8) == std::string::npos);
  }
  Device d;
  d.start();
  d.run(1000);
  device::Bytes client;
  const std::string foreign = "POST /update HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 10\r\n\r\n";
  d.app.web_open();
  d.app.web_receive(reinterpret_cast<const uint8_t*>(foreign.data()), foreign.size(), client);
  CHECK(status_of(client.text) == "403");
  CHECK_FALSE(d.app.web_poll(client));
  d.app.web_receive(reinterpret_cast<const uint8_t*>("0123456789"), 10, client);
  CHECK(d.app.web_poll(client));
  CHECK(body_of(d.post("/api/config", "{\"rotation\":2}")).find("\"ok\":true") != std::string::npos);
}

TEST_CASE("keeps the old firmware after a lost upload, and accepts another") {
  Device d;
  d.start();
  d.run(1000);
  const std::string good = update_file("nm-tv-154", 0);
  device::Bytes client;
  const std::string begun =
      "POST /update HTTP/1.1\r\nHost: 192.168.1.20\r\nX-Hearth: 1\r\nContent-Length: " + std::to_string(good.size()) +
      "\r\n\r\n" + good.substr(0, 3000);
  d.app.web_open();
  d.app.web_receive(reinterpret_cast<const uint8_t*>(begun.data()), begun.size(), client);
  d.run(100);
  CHECK((d.app.view().scene == Scene::Updating && d.app.view().progress > 40));
  d.app.web_open();
  CHECK((d.system.abandoned == 1 && d.system.ended == 0));
  CHECK(body_of(d.post("/api/config", "{\"rotation\":2}")).find("\"ok\":true") != std::string::npos);
}

namespace {
const char kMissing[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
}

TEST_CASE("reads the newest version from a small file of the repository") {
  const auto device = [](const std::string& latest, int queued) {
    Device d;
    d.net.give = 256;
    d.net.replies["raw.githubusercontent.com"] = {latest};
    d.net.replies["github.com"] = {ok(update_file("nm-tv-154", 0))};
    if (queued) d.store.files["update"] = "1";
    d.start();
    d.run(8000);
    return d;
  };
  Device d = device(ok("{\"version\":\"1.3.0\"}"), 1);
  CHECK(d.net.requests[0].find("GET /someone/hearth/data/firmware/latest.json HTTP/1.1\r\nHost: raw.github") == 0);
  CHECK(d.net.requests[1].find("GET /someone/hearth/releases/download/firmware-1.3.0/nm-tv-154.update HTTP/1.1\r\n"
                               "Host: github.com\r\n") == 0);
  CHECK((d.net.requests.size() == 2 && d.system.ended == 1));
  Device asked = device(ok("{\"other\":{\"version\":\"9.9.9\"},\"version\":\"1.2.3\",\"more\":[]}"), 0);
  CHECK(body_of(asked.get("/api/checkupdate")) ==
        "{\"current\":\"1.2.3\",\"ok\":true,\"latest\":\"1.2.3\",\"newer\":false}");
  for (const char* broken : {"{}", "[]", "{\"version\":7}", "{\"version\":\"1.3\"}", "{\"version\":\"1.3.0\"", "<html>",
                             "{\"version\":\"../../../../x\"}", "{\"version\":\"1.3.00000000000000001\"}"}) {
    CAPTURE(broken);
    Device one = device(ok(broken), 1);
    CHECK(body_of(one.get("/api/status")).find("The newest release could not be read.") != std::string::npos);
    CHECK((one.net.requests.size() == 1 && one.system.ended == 0));
  }
}

TEST_CASE("checks for and installs releases from GitHub") {
  const std::string release =
      R"([{"tag_name":"v9.1.0","draft":false,"prerelease":false,"assets":[]},)"
      R"({"tag_name":"firmware-8.0.0","draft":false,"prerelease":true,"assets":[]},)"
      R"({"tag_name":"firmware-7.0.0","draft":true,"prerelease":false,"assets":[]},)"
      R"({"url":"x","tag_name":"firmware-1.3.0","draft":false,"prerelease":false,"assets":[{"name":"other.update",)"
      R"("browser_download_url":"https://github.example/other"},{"name":"nm-tv-154.update",)"
      R"("browser_download_url":"https://github.example/d/nm"}],"body":")" +
      std::string(3000, 'b') + "\"},{\"tag_name\":\"firmware-1.2.9\",\"assets\":[]}]";
  Device d;
  d.net.give = 256;
  d.net.replies["raw.githubusercontent.com"] = {kMissing};
  d.net.replies["api.github.com"] = {ok(release)};
  d.net.replies["github.example"] = {"HTTP/1.1 302 Found\r\nLocation: https://files.example/signed?" +
                                     std::string(700, 's') + "\r\nContent-Length: 0\r\n\r\n"};
  d.net.replies["files.example"] = {ok(update_file("nm-tv-154", 0))};
  d.start();
  d.run(1000);
  CHECK(body_of(d.get("/api/checkupdate")) ==
        "{\"current\":\"1.2.3\",\"ok\":true,\"latest\":\"1.3.0\",\"newer\":true}");
  CHECK(d.net.requests[1] ==
        "GET /repos/someone/hearth/releases?per_page=30 HTTP/1.1\r\nHost: api.github.com\r\nUser-Agent: "
        "SmallTV/1.2.3\r\nAccept: application/vnd.github+json, application/json\r\nConnection: close\r\n\r\n");
  CHECK(status_of(d.post("/api/selfupdate")) == "202");
  d.run(200);
  CHECK(body_of(d.get("/api/status")).find("\"updateMsg\":\"") != std::string::npos);
  d.run(5000);
  CHECK((d.system.ended == 1 && d.system.restarts == 1));
  CHECK(d.net.requests.back().find("GET /signed?sss") == 0);
  CHECK(d.net.requests.back().find("Accept: application/octet-stream") != std::string::npos);

  const auto message = [](const std::string& api, const std::string& file, const char* version = "1.2.3") {
    Device one;
    one.system.info.version = version;
    one.net.give = 256;
    one.net.replies["raw.githubusercontent.com"] = {kMissing};
    one.net.replies["api.github.com"] = {api};
    one.net.replies["github.example"] = {file};
    one.store.files["update"] = "1";
    one.start();
    one.run(8000);
    CHECK(one.store.files.count("update") == 0);
    const std::string status = body_of(one.get("/api/status"));
    const size_t at = status.find("\"updateMsg\":\"") + 13;
    return status.substr(at, status.find('"', at) - at);
  };
  CHECK(message(ok(release), ok(update_file("nm-tv-154", 0))) == "The update is installed.");
  CHECK(message(ok(release), "", "1.3.0") == "This is the newest release.");
  CHECK(message(ok("{}"), "") == "The newest release could not be read.");
  CHECK(message(ok("[]"), "") == "The repository has no release of this firmware.");
  CHECK(message(ok(R"([{"tag_name":"v9.0.0","assets":[]}])"), "") == "The repository has no release of this firmware.");
  CHECK(message("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", "") == "The newest release could not be read.");
  CHECK(message(ok(R"([{"tag_name":"firmware-9.0.0","assets":[]}])"), "") ==
        "The newest release has no update file for this board.");
  CHECK(message(ok(release), ok(update_file("smalltv-pro", 0))) ==
        "This update is for another board. Nothing was changed.");
  CHECK(message(ok(release), ok(update_file("nm-tv-154", 0)).substr(0, 2000)) ==
        "The update could not be downloaded. The old firmware stays.");
}

TEST_CASE("requires memory, a network and a repository for an update") {
  Device d;
  d.system.heap = 17000;
  d.start();
  d.run(1000);
  CHECK(body_of(d.get("/api/checkupdate")).find("too little memory") != std::string::npos);
  d.system.heap = 90000;
  d.system.info.repo_name = "";
  CHECK(body_of(d.get("/api/checkupdate")).find("without a repository") != std::string::npos);
  Device off;
  off.start("");
  off.run(500);
  CHECK(body_of(off.web("GET /api/checkupdate HTTP/1.1\r\nHost: 192.168.4.1\r\n\r\n")).find("no network") !=
        std::string::npos);
}

TEST_CASE("compares versions") {
  CHECK(version_number("v1.2.3") == 10203);
  CHECK(version_number("0.0.1") == 1);
  for (const char* text : {"", "v", "1.2", "1.2.x", "1.2.3.4", "1.100.0", "99999.1.1"})
    CHECK(version_number(text) == 0);
}

namespace {

/// A device that knows a key; the second one is the one that signs.
struct KeyedDevice : Device {
  KeyedDevice() {
    const std::string bytes = from_hex(kTestPublicKey);
    for (int i = 0; i < 64; i++) keys[0][i] = static_cast<uint8_t>(i);
    memcpy(keys[1], bytes.data(), 64);
    system.info.update_keys = keys;
    system.info.update_key_count = 2;
    start();
    run(1000);
  }
  uint8_t keys[2][64];
};

std::string code_on(Device& d) {
  d.post("/api/presence");
  d.run(200);
  return d.app.view().code;
}

}  // namespace

TEST_CASE("installs only updates that are signed by a known key and not older, before anything is erased") {
  const std::string good = update_file("nm-tv-154", 0);
  std::string changed = sign_update(good);
  changed[80] = '9';
  std::string resigned = sign_update(good);
  resigned[130] = static_cast<char>(resigned[130] ^ 1);
  std::string unsigned_two = sign_update(good);
  unsigned_two.replace(128, 64, std::string(64, '\0'));
  for (size_t piece : {1u, 100000u}) {
    for (const std::string& file : {good, unsigned_two, changed, resigned, sign_update(good, from_hex("42"))}) {
      KeyedDevice d;
      CHECK(d.post("/update", file, "", piece).find("not signed") != std::string::npos);
      CHECK(d.system.begun == 0);
    }
    KeyedDevice d;
    const std::string older = sign_update(update_file("nm-tv-154", 0, 5000, "1.2.2"));
    CHECK(d.post("/update", older, "", piece).find("\"error\":\"older\"") != std::string::npos);
    CHECK(d.system.begun == 0);
    std::string damaged = sign_update(good);
    damaged[3000] = static_cast<char>(damaged[3000] ^ 1);
    CHECK(d.post("/update", damaged, "", piece).find("damaged") != std::string::npos);
    CHECK(d.system.ended == 0);
    CHECK(body_of(d.post("/update", sign_update(good), "", piece)) == "OK");
    CHECK((d.system.ended == 1 && d.system.image == good.substr(128)));
    CHECK(body_of(d.post("/update", sign_update(update_file("nm-tv-154", 0, 5000, "1.2.3")), "", piece)) == "OK");
  }
  Device open;
  open.start();
  open.run(1000);
  CHECK(open.app.view().unsigned_);
  CHECK(body_of(open.post("/update", sign_update(good))) == "OK");
  CHECK_FALSE(KeyedDevice().app.view().unsigned_);
}

TEST_CASE("goes back to an older firmware only for somebody who reads the code on the screen") {
  KeyedDevice d;
  const std::string older = sign_update(update_file("nm-tv-154", 0, 5000, "1.0.0"));
  const std::string code = code_on(d);
  CHECK((code.size() == 6 && d.app.view().scene == Scene::Confirm));
  CHECK(d.post("/api/presence").find("429") != std::string::npos);
  CHECK(d.post("/update", older, "X-Hearth-Code: 000000\r\n").find("older") != std::string::npos);
  CHECK(body_of(d.post("/update", older, "X-Hearth-Code: " + code + "\r\n")) == "OK");
  d.run(100);
  CHECK(d.app.view().scene != Scene::Confirm);
  CHECK(d.post("/update", older, "X-Hearth-Code: " + code + "\r\n").find("older") != std::string::npos);  // only once
  d.run(31000);
  const std::string next = code_on(d);
  for (int i = 0; i < 3; i++) d.post("/update", older, "X-Hearth-Code: 999999\r\n");
  CHECK(d.post("/update", older, "X-Hearth-Code: " + next + "\r\n").find("older") != std::string::npos);
  d.run(31000);
  const std::string last = code_on(d);
  d.run(121000, 1000);
  CHECK(d.app.view().scene != Scene::Confirm);
  CHECK(d.post("/update", older, "X-Hearth-Code: " + last + "\r\n").find("older") != std::string::npos);
}

TEST_CASE("asks for the code in the setup network of a device that has a home") {
  Device d;
  d.start(R"({"wifi":[{"ssid":"gone","pass":"password"}]})");
  d.run(31000);
  REQUIRE(d.app.view().scene == Scene::Setup);
  const auto post = [&d](const std::string& path, const std::string& body, const std::string& code = "") {
    return d.web("POST " + path + " HTTP/1.1\r\nHost: 192.168.4.1\r\nX-Hearth: 1\r\nX-Hearth-Code: " + code +
                 "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  };
  const std::string file = update_file("nm-tv-154", 0);
  CHECK(post("/update", file).find("presence needed") != std::string::npos);
  CHECK(post("/api/import", "{}").find("presence needed") != std::string::npos);
  CHECK(post("/api/factory", "").find("presence needed") != std::string::npos);
  CHECK(d.store.files.count("settings.json") == 1);
  CHECK(status_of(post("/api/config", R"({"wifi":[{"ssid":"new","pass":"12345678"}]})")) == "200");
  post("/api/presence", "");
  d.run(100);
  CHECK(body_of(post("/update", file, d.app.view().code)) == "OK");
  Device fresh;  // nothing to take over
  fresh.start("");
  fresh.run(500);
  CHECK(
      body_of(fresh.web("POST /api/import HTTP/1.1\r\nHost: 192.168.4.1\r\nX-Hearth: 1\r\nContent-Length: 2\r\n\r\n{}"))
          .find("\"ok\":true") != std::string::npos);
}
