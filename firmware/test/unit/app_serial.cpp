#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "device.h"

using namespace hearth;
using device::Device;

namespace {

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

std::vector<std::string> lines_of(const char* name) {
  std::ifstream file(std::string(HEARTH_VECTORS) + "/" + name);
  REQUIRE(file.good());
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  CHECK(lines.size() > 5);
  return lines;
}

std::string improv(const std::string& name) {
  for (const std::string& line : lines_of("improv.txt")) {
    if (line.rfind(name + " = ", 0) == 0) return bytes_of(line.substr(name.size() + 3));
  }
  FAIL("no vector " << name);
  return "";
}

std::string frame(LinkType type, const std::string& payload = "", uint8_t sequence = 1) {
  device::Bytes out;
  LinkWriter writer(out);
  writer.begin(static_cast<uint8_t>(type), sequence, static_cast<uint16_t>(payload.size()));
  writer.write(payload.data(), payload.size());
  writer.end();
  return out.text;
}

struct Reply {
  int type;
  int sequence;
  std::string payload;
};

/// All valid frames in the output of the device.
std::vector<Reply> replies(const std::string& bytes) {
  std::vector<Reply> all;
  LinkReceiver receiver;
  std::string payload;
  for (char c : bytes) {
    const LinkEvent event = receiver.push(static_cast<uint8_t>(c));
    if (event == LinkEvent::Begin) payload.clear();
    if (event == LinkEvent::Payload) payload += c;
    if (event == LinkEvent::Good) all.push_back({static_cast<int>(receiver.type()), receiver.sequence(), payload});
    CHECK(event != LinkEvent::Bad);
  }
  return all;
}

std::string ask(Device& d, LinkType type, const std::string& payload = "", size_t piece = 1000000) {
  d.serial.text.clear();
  d.say(frame(type, payload, 9), piece);
  const auto all = replies(d.serial.text);
  if (all.size() != 1) return "replies: " + std::to_string(all.size());
  CHECK(all[0].sequence == 9);
  return (all[0].type == (static_cast<int>(type) | 0x80) ? "" : "type " + std::to_string(all[0].type) + " ") +
         all[0].payload;
}

}  // namespace

TEST_CASE("encodes frames as in the shared vectors") {
  for (const std::string& line : lines_of("link.txt")) {
    std::istringstream words(line);
    std::string type, sequence, payload, whole;
    words >> type >> sequence >> payload >> whole;
    CAPTURE(line);
    const std::string content = payload == "-" ? "" : bytes_of(payload);
    device::Bytes out;
    LinkWriter writer(out);
    writer.begin(static_cast<uint8_t>(std::stoi(type, nullptr, 16)),
                 static_cast<uint8_t>(std::stoi(sequence, nullptr, 16)), static_cast<uint16_t>(content.size()));
    writer.write(content.data(), content.size());
    writer.end();
    CHECK(out.text == bytes_of(whole));
    const auto all = replies("noise \xa5 log\n" + out.text + "\xa5");
    REQUIRE(all.size() == 1);
    CHECK((all[0].type == std::stoi(type, nullptr, 16) && all[0].payload == content));
  }
}

TEST_CASE("responds on the serial line in any chunks") {
  for (size_t piece : {1u, 5u, 100000u}) {
    Device d;
    d.start();
    d.run(1000);
    CHECK(ask(d, LinkType::Info, "", piece).rfind("{\"fw\":\"1.2.3\"", 0) == 0);
    CHECK(ask(d, LinkType::Get, "", piece).rfind("{\"hostname\":\"smalltv-1234\"", 0) == 0);
    CHECK(ask(d, LinkType::Get, "", piece).find("password\"") == std::string::npos);
    CHECK(ask(d, LinkType::Set, "{\"brightness\":44}", piece) == "{\"ok\":true,\"reboot\":false}");
    CHECK(d.app.view().settings->brightness == 44);
    CHECK(d.store.files["settings.json"].find("\"brightness\":44") != std::string::npos);
    CHECK(ask(d, LinkType::Set, "{\"brightness\":440}", piece) ==
          "{\"ok\":false,\"key\":\"brightness\",\"rule\":\"must be a whole number from 0 to 100\"}");
    CHECK(ask(d, LinkType::Set, "{\"brightness\"", piece) == "{\"ok\":false,\"key\":\"\",\"rule\":\"is not JSON\"}");
    CHECK(ask(d, LinkType::Set, "", piece) == "{\"ok\":false,\"key\":\"\",\"rule\":\"is not JSON\"}");
    CHECK(ask(d, LinkType::Refresh, "", piece) == "{\"ok\":true}");
    CHECK(ask(d, static_cast<LinkType>(0x33), "abc", piece) == "type 255 {\"error\":\"unknown_type\"}");
    CHECK(ask(d, LinkType::Set, "{\"hostname\":\"desk\"}", piece) == "{\"ok\":true,\"reboot\":true}");
    d.run(1000);
    CHECK(d.system.restarts == 1);
    CHECK(ask(d, LinkType::Reboot, "", piece) == "{\"ok\":true}");
    d.run(1000);
    CHECK(d.system.restarts == 2);
    d.store.full = true;
    CHECK(ask(d, LinkType::Set, "{\"rotation\":1}", piece) == "type 255 {\"error\":\"not_saved\"}");
    CHECK(d.app.view().settings->rotation != 1);
    CHECK(ask(d, LinkType::Factory, "", piece) == "{\"ok\":true}");
    CHECK(d.store.files.empty());
  }
}

TEST_CASE("keeps the old settings after a damaged or truncated set command") {
  Device d;
  d.start();
  d.run(1000);
  const std::string before = d.store.files["settings.json"];
  const std::string whole = frame(LinkType::Set, "{\"brightness\":11,\"hostname\":\"other\"}");
  for (size_t cut = 0; cut < whole.size(); cut++) {
    d.say(whole.substr(0, cut));
    d.run(2500);  // the cable is unplugged
    CHECK(d.app.view().settings->brightness == 90);
  }
  for (size_t at = 2; at < whole.size(); at++) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    d.say(damaged);
    d.run(2500);
    CHECK(d.app.view().settings->brightness == 90);
  }
  CHECK(d.store.files["settings.json"] == before);
  CHECK(ask(d, LinkType::Set, "{\"brightness\":12}") == "{\"ok\":true,\"reboot\":false}");
  d.serial.text.clear();
  d.say(std::string("\xa5\x5a\x03\x01\xff\xff", 6));
  CHECK(replies(d.serial.text)[0].payload == "{\"error\":\"bad_frame\"}");
  std::string wrong = frame(LinkType::Set, "{\"brightness\":13}");
  wrong.back() = static_cast<char>(wrong.back() ^ 1);
  d.serial.text.clear();
  d.say(wrong);
  CHECK(replies(d.serial.text)[0].payload == "{\"error\":\"bad_frame\"}");
  CHECK(d.app.view().settings->brightness == 12);
}

TEST_CASE("lets only one client write settings at a time") {
  Device d;
  d.start();
  d.run(1000);
  device::Bytes client;
  const std::string begun =
      "POST /api/config HTTP/1.1\r\nHost: 192.168.1.20\r\nX-Hearth: 1\r\nContent-Length: 50\r\n\r\n{";
  d.app.web_open();
  d.app.web_receive(reinterpret_cast<const uint8_t*>(begun.data()), begun.size(), client);
  CHECK(ask(d, LinkType::Set, "{\"brightness\":44}") == "type 255 {\"error\":\"busy\"}");
  d.app.web_open();
  d.say(frame(LinkType::Set, "{\"brightness\":44}").substr(0, 12));
  CHECK(device::status_of(d.post("/api/config", "{\"brightness\":45}")) == "503");
  CHECK(d.get("/api/checkupdate").find("Something else is being saved") != std::string::npos);
}

TEST_CASE("sends the screen row by row") {
  Device d;
  d.start();
  d.serial.text.clear();
  d.say(frame(LinkType::Screen));
  const auto all = replies(d.serial.text);
  REQUIRE(all.size() == 241);
  for (int y = 0; y < 240; y++) {
    const std::string& row = all[static_cast<size_t>(y)].payload;
    CHECK(static_cast<uint8_t>(row[0]) == y);
    int width = 0;
    for (size_t i = 1; i + 2 < row.size(); i += 3) {
      const int color = static_cast<uint8_t>(row[i + 1]) | static_cast<uint8_t>(row[i + 2]) << 8;
      CHECK(color == (width < y ? 0xf800 : 0x07e0));
      width += static_cast<uint8_t>(row[i]);
    }
    CHECK(width == 240);
  }
  CHECK(all[240].payload == "\xf0");
}

TEST_CASE("sends the log on request") {
  Device d;
  d.start();
  d.run(500);
  CHECK(ask(d, LinkType::Log) == "{\"log\":true}");
  d.serial.text.clear();
  d.wifi.good.clear();
  d.wifi.now = WifiState::Off;
  d.run(500);
  const auto all = replies(d.serial.text);
  REQUIRE(all.size() == 1);
  CHECK((all[0].type == 0x86 && all[0].payload == "joining home"));
  CHECK(ask(d, LinkType::Log) == "{\"log\":false}");
  d.app.log(std::string(200, 'x').c_str());
  CHECK(d.log.lines.back().size() < 96);
}

TEST_CASE("Improv: reports information, networks and state") {
  for (size_t piece : {1u, 4u, 100000u}) {
    Device d;
    d.wifi.around = {WifiSeen{"Café", -40, true}, WifiSeen{"open", -80, false}};
    d.start("");
    d.run(500);
    const auto reply = [&](const std::string& name) {
      d.serial.text.clear();
      d.say("boot log\nIMPRO" + improv(name), piece);
      return d.serial.text;
    };
    CHECK(reply("command info") == improv("result info"));
    CHECK(reply("command state") == improv("state ready"));
    const std::string scan = reply("command scan");
    CHECK(scan.find("Caf\xc3\xa9\x03-40\x03YES") != std::string::npos);
    CHECK(scan.find("\x04open\x03-80\x02NO") != std::string::npos);
    CHECK(scan.substr(scan.size() - 13) == improv("result scan end"));
  }
}

TEST_CASE("Improv: stores a network only when it can be joined") {
  Device d;
  d.start("");
  d.wifi.good["home"] = "password";
  d.run(500);
  d.say(improv("command wifi open \"\""));
  d.run(1000);
  CHECK(d.serial.text == improv("error none") + improv("state provisioning"));
  d.serial.text.clear();
  d.say(improv("command state"));
  CHECK(d.serial.text == improv("state provisioning"));
  d.serial.text.clear();
  d.run(20000);
  CHECK(d.serial.text == improv("error cannot-connect") + improv("state ready"));
  CHECK(d.store.files["settings.json"].find("\"wifi\":[]") != std::string::npos);
  CHECK(d.app.view().scene == Scene::Setup);
  d.serial.text.clear();
  d.say(improv("command wifi home password"));
  d.run(1000);
  CHECK(d.serial.text.find(improv("state provisioned")) != std::string::npos);
  CHECK(d.serial.text.find("http://192.168.1.20/") != std::string::npos);
  CHECK(d.store.files["settings.json"].find("{\"ssid\":\"home\",\"pass\":\"password\"}") != std::string::npos);
  CHECK(d.app.view().scene == Scene::Joined);
  d.serial.text.clear();
  d.say(improv("command state"));
  CHECK(d.serial.text.rfind(improv("state provisioned"), 0) == 0);
}

TEST_CASE("Improv: puts the new network first, replaces one of the same name, and drops the last of five") {
  Device d;
  d.start(R"({"wifi":[{"ssid":"a","pass":"aaaaaaaa"},{"ssid":"b","pass":"bbbbbbbb"},{"ssid":"c",)"
          R"("pass":"cccccccc"},{"ssid":"d","pass":"dddddddd"}]})");
  d.wifi.refuse = true;
  d.run(1000);
  d.say(improv("command wifi home password"));
  d.run(500);
  CHECK(d.app.view().settings->network_count == 4);
  CHECK(std::string(d.app.view().settings->networks[0].ssid) == "home");
  CHECK(std::string(d.app.view().settings->networks[3].ssid) == "c");
  d.store.full = true;
  d.say(improv("command wifi home password"));
  d.run(500);
  CHECK(d.app.view().settings->network_count == 4);
  CHECK(std::string(d.app.view().settings->networks[1].ssid) == "a");
}

TEST_CASE("Improv: responds with an error to broken packets") {
  Device d;
  d.start("");
  d.run(500);
  const auto error = [&](std::string packet) {
    uint8_t sum = 0;
    for (char c : packet) sum = static_cast<uint8_t>(sum + static_cast<uint8_t>(c));
    d.serial.text.clear();
    d.say(packet + static_cast<char>(sum));
    return d.serial.text.size() > 9 ? static_cast<int>(d.serial.text[9]) : -1;
  };
  const std::string head = std::string("IMPROV\x01\x03", 8);
  CHECK(error(head + std::string("\x02\x63\x00", 3)) == 2);
  CHECK(error(head + std::string("\x02\x02\x05", 3)) == 1);
  CHECK(error(head + std::string("\x00", 1)) == 1);
  CHECK(error(head + std::string("\xc8", 1) + std::string(200, '\x01')) == 1);
  CHECK(error(std::string("IMPROV\x02\x03\x02\x02\x00", 11)) == 1);
  CHECK(error(std::string("IMPROV\x01\x01\x01\x02", 10)) == -1);
  CHECK(error(head + std::string("\x03\x01\x01\x00", 4)) == 1);
  CHECK(error(head + std::string("\x04\x01\x02\x00\x00", 5)) == 1);
  CHECK(error(head + std::string("\x05\x01\x03\x01"
                                 "a\x05",
                                 6)) == 1);
  CHECK(error(head + std::string("\x06\x01\x04\x02"
                                 "a\x00\x00",
                                 7)) == 1);
  d.serial.text.clear();
  std::string wrong = improv("command info");
  wrong[wrong.size() - 2] = static_cast<char>(wrong[wrong.size() - 2] + 1);
  d.say(wrong);
  CHECK((d.serial.text.size() == 12 && d.serial.text[7] == 2 && d.serial.text[9] == 1));
}

TEST_CASE("Improv: a packet that was cut anywhere does nothing, and a later one is answered") {
  const std::string join = improv("command wifi home password");
  for (size_t cut = 1; cut < join.size() - 1; cut++) {
    CAPTURE(cut);
    Device d;
    d.start("");
    d.wifi.good["home"] = "password";
    d.run(500);
    d.say(join.substr(0, cut));
    CHECK(d.serial.text == "");
    d.run(3000);
    CHECK(d.store.files["settings.json"].find("home") == std::string::npos);
    d.say(improv("command info"));
    CHECK(d.serial.text == improv("result info"));
    d.serial.text.clear();
    // Without a pause, the rest of the cut packet is missing: at most one answer is an error, and then all is well.
    d.say(join.substr(0, cut));
    for (int i = 0; i < 12; i++) d.say(improv("command info"));
    const std::string& text = d.serial.text;
    REQUIRE(text.size() >= improv("result info").size());
    CHECK(text.substr(text.size() - improv("result info").size()) == improv("result info"));
    CHECK(d.store.files["settings.json"].find("home") == std::string::npos);
  }
}
