#include <doctest/doctest.h>

#include "device.h"
#include "login.h"

using namespace hearth;
using device::body_of;
using device::Bytes;
using device::Device;
using device::login;
using device::status_of;

TEST_CASE("requires the digest password, accepts each count of a nonce once, and gives secrets only to who knows it") {
  Device d;
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"auth":{"enabled":true,"pass":"geheim"}})");
  d.run(1000);
  const std::string challenge = d.get("/api/config");
  CHECK(status_of(challenge) == "401");
  CHECK(challenge.find("WWW-Authenticate: Digest realm=\"SmallTV\", qop=\"auth\", algorithm=MD5, nonce=\"") !=
        std::string::npos);
  const auto again = [&](const std::string& target, int count) {
    return d.get(target, login(challenge, "GET", target, "geheim", count));
  };
  CHECK(status_of(again("/api/config", 1)) == "200");
  CHECK(again("/api/config", 1).find("stale=true") != std::string::npos);
  CHECK(status_of(again("/api/config", 5)) == "200");
  CHECK(status_of(again("/api/config", 4)) == "401");
  CHECK(body_of(again("/api/export", 6)).find("\"pass\":\"password\"") != std::string::npos);
  const auto fresh = [&d] {
    d.run(1000);
    return d.get("/");
  };
  const std::string older = fresh();
  CHECK(status_of(d.get("/api/config", login(older, "GET", "/api/config", "geheim", 0))) == "200");
  CHECK(status_of(d.get("/api/config", login(older, "GET", "/api/config", "geheim", 0))) == "401");
  for (int i = 0; i < 5; i++) {
    const std::string one = fresh();
    CHECK(status_of(d.get("/", login(one, "GET", "/", "geheim", 1))) == "200");
  }
  CHECK(status_of(again("/api/config", 7)) == "401");  // its counts are forgotten, so it is too
  CHECK(status_of(d.get("/api/config", login(fresh(), "GET", "/api/config", "falsch"))) == "401");
  CHECK(status_of(d.get("/api/export", login(fresh(), "GET", "/api/config", "geheim"))) == "401");
  CHECK(status_of(d.post("/api/factory", "", login(fresh(), "GET", "/api/factory", "geheim"))) == "401");
  CHECK(status_of(d.get("/", "Authorization: Basic YWRtaW46Z2VoZWlt\r\n")) == "401");
  CHECK(status_of(d.get("/", "Authorization: Digest username=admin, nonce, response=\"x\"\r\n")) == "401");
  CHECK(status_of(d.get("/", "Authorization: Digest " + std::string(600, 'x') + "\r\n")) == "431");
  const std::string forged = "nonce=\"" + std::string(40, '0') + "\"";
  const std::string stale = d.get("/api/config", login(forged, "GET", "/api/config", "geheim"));
  CHECK(stale.find("stale=true") != std::string::npos);
  CHECK(d.get("/api/config", login("nonce=\"" + std::string(40, 'x') + "\"", "GET", "/api/config", "geheim"))
            .find("stale=true") != std::string::npos);
  const std::string old = fresh();
  d.run(301000, 1000);
  CHECK(d.get("/api/config", login(old, "GET", "/api/config", "geheim")).find("stale=true") != std::string::npos);
}

TEST_CASE("answers every password slowly after five wrong ones, so that silence tells nothing, and lets the right in") {
  Device d;
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"auth":{"enabled":true,"pass":"geheimnis"}})");
  d.run(1000);
  std::string reply;
  const auto milliseconds = [&](const char* pass, const char* status) {
    const std::string challenge = d.get("/");
    const uint32_t before = d.clock.ms;
    reply = d.post("/api/refresh", "{}", login(challenge, "POST", "/api/refresh", pass));
    CHECK(status_of(reply) == status);
    d.run(1000);
    return d.clock.ms - 1000 - before;
  };
  const auto stale = [&] { return reply.find("stale=true") != std::string::npos; };
  for (int i = 0; i < 5; i++) CHECK(milliseconds("falsch", "401") == 0);
  for (int i = 0; i < 3; i++) CHECK(milliseconds("falsch", "401") >= 2000);
  CHECK(!stale());
  for (int i = 0; i < 3; i++) {  // somebody who doesn't wait for the answer learns and changes nothing
    const std::string request = "GET /api/status HTTP/1.1\r\nHost: 192.168.1.20\r\n" +
                                login(d.get("/"), "GET", "/api/status", "geheimnis") + "\r\n";
    Bytes client;
    d.app.web_open();
    d.app.web_receive(reinterpret_cast<const uint8_t*>(request.data()), request.size(), client);
    d.run(1900);
    CHECK(!d.app.web_poll(client));
    CHECK(client.text.empty());
    d.app.web_closed();
  }
  CHECK(milliseconds("geheimnis", "401") >= 2000);
  CHECK(stale());
  CHECK(milliseconds("geheimnis", "200") == 0);
  CHECK(milliseconds("falsch", "401") == 0);
}

TEST_CASE("gives each client a nonce of its own, also within a second") {
  Device d;
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"auth":{"enabled":true,"pass":"geheimnis"}})");
  d.run(1000);
  for (int i = 0; i < 40; i++) {
    const std::string one = d.get("/"), other = d.get("/");
    CHECK(status_of(d.get("/api/status", login(one, "GET", "/api/status", "geheimnis"))) == "200");
    CHECK(status_of(d.get("/api/status", login(other, "GET", "/api/status", "geheimnis"))) == "200");
  }
}
