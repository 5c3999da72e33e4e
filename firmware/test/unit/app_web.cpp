#include <doctest/doctest.h>

#include "device.h"
#include "hashes.h"
#include "login.h"

using namespace hearth;
using device::body_of;
using device::Device;
using device::login;
using device::md5;
using device::ok;
using device::sha256;
using device::status_of;

TEST_CASE("hashes the examples of the MD5 and SHA-256 standards") {
  CHECK(md5("") == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(md5("message digest") == "f96b697d7cb7938d525a2f31aaf161d0");
  CHECK(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890") ==
        "57edf4a22be3c955ac49da2e2107b67a");
  uint8_t digest[32];
  sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", digest);
  CHECK((digest[0] == 0x24 && digest[1] == 0x8d && digest[31] == 0xc1));
}

TEST_CASE("serves the page and the API") {
  Device d;
  d.start();
  d.run(5000);
  const std::string page = d.get("/");
  CHECK(status_of(page) == "200");
  CHECK(page.find("Content-Encoding: gzip") != std::string::npos);
  CHECK(body_of(page).substr(0, 2) == "\x1f\x8b");
  const std::string config = body_of(d.get("/api/config"));
  CHECK(config.rfind("{\"hostname\":\"smalltv-1234\"", 0) == 0);
  CHECK(config.find("\"features\":{\"github\":true") != std::string::npos);
  CHECK(config.find("\"chip\":\"esp32\",\"board\":\"nm-tv-154\"}") != std::string::npos);
  CHECK(config.find("\"wifi\":[{\"ssid\":\"home\",\"passSet\":true}]") != std::string::npos);
  const std::string status = body_of(d.get("/api/status?x=1"));
  CHECK(status.rfind("{\"fw\":\"1.2.3\",\"version\":\"1.2.3\",\"chip\":\"esp32\"", 0) == 0);
  CHECK(status.find("\"repo\":\"someone/"
                    "hearth\",\"mode\":\"sta\",\"connected\":true,\"ssid\":\"home\",\"ip\":\"192.168.1.20\",\"rssi\":-"
                    "55,\"heap\":100000") != std::string::npos);
  const std::string backup = d.get("/api/export");
  CHECK(backup.find("Content-Disposition: attachment; filename=\"ticker-settings.json\"") != std::string::npos);
  CHECK(backup.find("\"wifi\":[{\"ssid\":\"home\",\"passSet\":true}]") != std::string::npos);
  d.wifi.around.push_back(WifiSeen{"x\"y", -40, true});
  CHECK(body_of(d.get("/api/scan")) == "[{\"ssid\":\"x\\\"y\",\"rssi\":-40,\"enc\":true}]");
  CHECK(status_of(d.get("/nothing")) == "404");
  CHECK(status_of(d.web("DELETE /api/config HTTP/1.1\r\nHost: 192.168.1.20\r\n\r\n")) == "405");
  CHECK(status_of(d.web("GET / HTTP/1.1\r\nHost: SMALLTV-1234.local:80\r\n\r\n")) == "200");
}

TEST_CASE("accepts settings over the web in any chunks") {
  for (size_t piece : {1u, 7u, 100000u}) {
    Device d;
    d.start();
    d.run(1000);
    CHECK(body_of(d.post("/api/config", "{\"brightness\":33}", "Expect: 100-continue\r\n", piece))
              .find("{\"ok\":true,\"reboot\":false}") != std::string::npos);
    CHECK(d.store.files["settings.json"].find("\"brightness\":33") != std::string::npos);
    CHECK(body_of(d.post("/api/config", "{\"brightness\":333}", "", piece)) ==
          "{\"ok\":false,\"error\":\"bad value\",\"key\":\"brightness\",\"rule\":\"must be a whole number from 0 to "
          "100\"}");
    CHECK(body_of(d.post("/api/config", "{\"brightness\":", "", piece)) ==
          "{\"ok\":false,\"error\":\"bad json\",\"rule\":\"is not JSON\"}");
    CHECK(body_of(d.post("/api/config")) == "{\"ok\":false,\"error\":\"no body\"}");
    CHECK(d.app.view().settings->brightness == 33);
    CHECK(d.system.restarts == 0);
    CHECK(body_of(d.post("/api/config", "{\"hostname\":\"desk\"}", "", piece)).find("\"reboot\":true") !=
          std::string::npos);
    d.run(700);
    CHECK(d.system.restarts == 0);
    d.run(300);
    CHECK(d.system.restarts == 1);
    CHECK(body_of(d.post("/api/import", d.store.files["settings.json"], "", piece)).find("\"reboot\":true") !=
          std::string::npos);
    d.store.most = 100;
    CHECK(status_of(d.post("/api/config", "{\"rotation\":1}", "", piece)) == "500");
    CHECK(d.store.abandoned == 1);
  }
}

TEST_CASE("runs the buttons of the page") {
  Device d;
  d.net.replies["query1.finance.yahoo.com"] = {
      ok("{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":5,\"previousClose\":4,\"currency\":\"USD\"}}]}}")};
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"symbols":[{"symbol":"A"}]}})");
  d.run(5000);
  CHECK(d.net.requests.size() == 1);
  CHECK(body_of(d.post("/api/refresh")) == "{\"ok\":true}");
  d.run(3000);
  CHECK(d.net.requests.size() == 2);
  const std::string status = body_of(d.get("/api/status"));
  CHECK(status.find(R"("tickers":[{"symbol":"A","source":"yahoo","valid":true,"fresh":true,"error":"",)"
                    R"("price":5,"currency":"USD","age":)") != std::string::npos);
  CHECK(status.find(R"("change":1,"changePct":25,"basis":"day"})") != std::string::npos);
  CHECK(body_of(d.post("/api/reboot")) == "{\"ok\":true}");
  d.run(1000);
  CHECK(d.system.restarts == 1);
  CHECK(body_of(d.post("/api/factory")) == "{\"ok\":true}");
  CHECK(d.store.files.count("settings.json") == 0);
}

TEST_CASE("rejects other origins and host names") {
  Device d;
  d.start();
  d.run(1000);
  CHECK(status_of(d.post("/api/config", "{}", "Origin: http://evil.example\r\n")) == "403");
  CHECK(status_of(d.post("/api/factory", "", "Origin: null\r\n")) == "403");
  CHECK(status_of(d.post("/api/reboot", "", "Origin: https://192.168.1.20\r\n")) == "403");
  CHECK(status_of(d.post("/api/refresh", "", "Sec-Fetch-Site: cross-site\r\n")) == "403");
  CHECK(status_of(d.get("/api/export", "Sec-Fetch-Site: same-site\r\n")) == "403");
  CHECK(status_of(d.post("/api/refresh", "", "Origin: http://192.168.1.20\r\nSec-Fetch-Site: same-origin\r\n")) ==
        "200");
  CHECK(status_of(d.get("/", "Sec-Fetch-Site: cross-site\r\n")) == "200");
  CHECK(status_of(d.web("GET /api/config HTTP/1.1\r\nHost: rebound.example\r\n\r\n")) == "403");
  CHECK(status_of(d.web("GET /api/config HTTP/1.1\r\n\r\n")) == "403");
  CHECK(status_of(d.web("GET / HTTP/1.1\r\nHost: smalltv-1234.evil\r\n\r\n")) == "403");
}

TEST_CASE("redirects phones in the setup network to the page") {
  Device d;
  d.start("");
  d.run(500);
  for (const char* path : {"/generate_204", "/gen_204", "/hotspot-detect.html", "/connecttest.txt", "/anything"}) {
    const std::string reply = d.web(std::string("GET ") + path + " HTTP/1.1\r\nHost: captive.example.com\r\n\r\n");
    CHECK(status_of(reply) == "302");
    CHECK(reply.find("Location: http://192.168.4.1/\r\n") != std::string::npos);
  }
  CHECK(status_of(d.web("GET /generate_204 HTTP/1.1\r\nHost: 192.168.4.1\r\n\r\n")) == "302");
  CHECK(status_of(d.web("GET / HTTP/1.1\r\nHost: 192.168.4.1\r\n\r\n")) == "200");
  CHECK(status_of(d.web("GET /api/config HTTP/1.1\r\nHost: captive.example.com\r\n\r\n")) == "403");
  CHECK(body_of(d.web("GET /api/status HTTP/1.1\r\nHost: 192.168.4.1\r\n\r\n"))
            .find("\"mode\":\"ap\",\"connected\":false") != std::string::npos);
}

TEST_CASE("rejects broken and oversized requests") {
  Device d;
  d.start();
  d.run(1000);
  for (const char* request :
       {"nonsense\r\n\r\n", "GET /\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "GET x HTTP/1.1\r\n\r\n", "GET / HTTP/2\r\n\r\n",
        "LONGMETHOD / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "GET / HTTP/1.1\r\n folded: x\r\n\r\n",
        "POST /update HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=\r\n\r\n"}) {
    CAPTURE(request);
    CHECK(status_of(d.web(request, 3)) == "400");
  }
  CHECK(status_of(d.get("/" + std::string(300, 'x'))) == "431");
  CHECK(status_of(d.get("/", "X: " + std::string(9000, 'x') + "\r\n")) == "431");
  CHECK(status_of(d.get("/", "X: " + std::string(2000, 'x') + "\r\n")) == "200");
  CHECK(status_of(d.web("\r\nGET / HTTP/1.0\nHost: 192.168.1.20\n\n")) == "200");
}

TEST_CASE("accepts the names under which routers offer it, and no other") {
  Device d;
  d.start();
  d.run(1000);
  const auto status = [&d](const std::string& host) {
    return status_of(d.web("GET /api/config HTTP/1.1\r\nHost: " + host + "\r\n\r\n"));
  };
  for (const char* host :
       {"smalltv-1234", "SMALLTV-1234.local", "smalltv-1234.fritz.box", "smalltv-1234.lan", "smalltv-1234.home",
        "smalltv-1234.home.arpa:80", "smalltv-1234.internal", "smalltv-1234.local.", "smalltv-1234."})
    CHECK_MESSAGE(status(host) == "200", host);
  for (const char* host : {"smalltv-12345", "smalltv-1234.evil", "x.smalltv-1234.local", "smalltv-1234.lan.evil",
                           "smalltv-1234..", "fritz.box", ".", "smalltv-1234.local.evil."})
    CHECK_MESSAGE(status(host) == "403", host);
}

TEST_CASE("asks every POST for the header that a form of another page can't send") {
  Device d;
  d.start();
  d.run(1000);
  for (const char* path : {"/api/config", "/api/import", "/api/factory", "/api/reboot", "/update"}) {
    const std::string reply =
        d.web(std::string("POST ") + path + " HTTP/1.1\r\nHost: 192.168.1.20\r\nContent-Length: 2\r\n\r\n{}");
    CHECK(status_of(reply) == "403");
    CHECK(reply.find("X-Hearth") != std::string::npos);
  }
  d.run(2000);
  CHECK(d.system.restarts == 0);
  CHECK(status_of(d.post("/api/config", "{}")) == "200");
}

TEST_CASE("draws a password for the setup network, and gives no secret away in it") {
  Device d;
  d.start("");
  d.run(500);
  const std::string pass = d.wifi.setup_pass;
  CHECK(pass.size() == 8);
  CHECK(d.store.files["settings.json"].find("\"apPass\":\"" + pass + "\"") != std::string::npos);
  CHECK(d.get("/api/config").find(pass) == std::string::npos);
  Device home;
  home.start(
      R"({"apPass":"kitchen-7","auth":{"enabled":true,"pass":"geheimnis"},"wifi":[{"ssid":"gone","pass":"topsecret9"}]})");
  home.run(32000);
  CHECK(home.wifi.setup_pass == "kitchen-7");
  const std::string page = "GET /api/export HTTP/1.1\r\nHost: 192.168.4.1\r\n";
  const std::string challenge = home.web(page + "\r\n");
  const std::string reply = home.web(page + login(challenge, "GET", "/api/export", "geheimnis") + "\r\n");
  CHECK(status_of(reply) == "200");
  for (const char* secret : {"topsecret9", "kitchen-7", "geheimnis"}) CHECK(reply.find(secret) == std::string::npos);
  home.wifi.good["gone"] = "topsecret9";
  home.run(400000, 1000);
  CHECK(home.post("/api/config", "{\"apPass\":\"\"}", login(home.get("/"), "POST", "/api/config", "geheimnis"))
            .find("\"ok\":true") != std::string::npos);
  CHECK(std::string(home.app.view().settings->ap_pass).size() == 8);
}

TEST_CASE("fetches on after a client left in the middle of a request") {
  const std::string chart = ok("{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":5,\"previousClose\":4}}]}}");
  for (const char* path : {"/api/config", "/update"}) {
    for (bool told : {true, false}) {
      Device d;
      d.net.replies["query1.finance.yahoo.com"] = {chart};
      d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"pollSec":10,"symbols":[{"symbol":"A"}]}})");
      d.run(6000);
      device::Bytes client;
      const std::string half = std::string("POST ") + path +
                               " HTTP/1.1\r\nHost: 192.168.1.20\r\nX-Hearth: 1\r\nContent-Length: 5000\r\n\r\n{";
      d.app.web_open();
      d.app.web_receive(reinterpret_cast<const uint8_t*>(half.data()), half.size(), client);
      if (told) d.app.web_closed();
      const size_t before = d.net.requests.size();
      d.run(35000);
      CHECK(d.net.requests.size() >= before + 2);
      CHECK(d.app.view().scene == Scene::Ticker);
    }
  }
}

TEST_CASE("gives the only place to another client when one sends too slowly, and waits itself for a release") {
  const auto held = [](const std::string& request, uint32_t every_ms) {
    Device d;
    d.start();
    d.run(1000);
    device::Bytes client;
    d.app.web_open();
    const uint32_t begun = d.clock.ms;
    for (size_t at = 0; !d.app.web_poll(client) && d.clock.ms - begun < 600000; at++) {
      if (at < request.size()) d.app.web_receive(reinterpret_cast<const uint8_t*>(&request[at]), 1, client);
      d.run(every_ms, every_ms);
    }
    return d.clock.ms - begun;
  };
  CHECK(held("", 100) <= 2100);
  CHECK(held("GET / HTTP/1.1\r\nX: " + std::string(500, 'x'), 1000) <= 6000);
  CHECK(held("POST /api/config HTTP/1.1\r\nHost: 192.168.1.20\r\nX-Hearth: 1\r\nContent-Length: 9000\r\n\r\n{\"a\":\"" +
                 std::string(9000, 'x'),
             20) <= 14000);
  Device d;
  d.net.replies["api.github.com"] = {""};
  d.start();
  d.run(1000);
  const std::string reply = d.get("/api/checkupdate");
  CHECK(reply.find("The newest release could not be read.") != std::string::npos);
}

TEST_CASE("gives a picture of the screen, but of no code and no password") {
  Device d;
  d.start();
  d.run(5000);
  const std::string body = body_of(d.get("/api/screen"));
  CHECK(body.size() == 3 * (1 + 2 * 239));  // the first row of TestPainter has one color, the others two
  CHECK(body.substr(body.size() - 6) == std::string("\xef\x00\xf8\x01\xe0\x07", 6));
  d.post("/api/presence", "");
  d.run(100);
  REQUIRE(d.app.view().scene == Scene::Confirm);
  CHECK(status_of(d.get("/api/screen")) == "409");
  Device setup;
  setup.start("");
  setup.run(500);
  CHECK(status_of(setup.web("GET /api/screen HTTP/1.1\r\nHost: 192.168.4.1\r\n\r\n")) == "409");
}

TEST_CASE("tests a symbol without saving it") {
  Device d;
  d.net.replies["query1.finance.yahoo.com"] = {
      ok(R"({"chart":{"result":[{"meta":{"regularMarketPrice":5,"currency":"USD","shortName":"Five"}}]}})")};
  d.net.replies["hook.example"] = {ok("{\"ok\":false}")};
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"webhookUrl":"http://hook.example/q"}})");
  d.run(5000);
  CHECK(body_of(d.post("/api/test?source=yahoo&symbol=%5EGSPC")) ==
        "{\"ok\":true,\"error\":\"\",\"price\":5,\"currency\":\"USD\",\"name\":\"Five\"}");
  CHECK(d.net.requests.back().find("GET /v8/finance/chart/%5EGSPC?range=1d") == 0);
  CHECK(body_of(d.post("/api/test?symbol=A&source=webhook")) == "{\"ok\":false,\"error\":\"source_says_no\"}");
  CHECK(d.app.view().settings->ticker.row_count == 0);
  for (const char* query : {"", "?symbol=A", "?source=yahoo", "?symbol=&source=yahoo", "?symbol=A&source=nowhere",
                            "?symbol=%4&source=yahoo", "?symbol=%00&source=yahoo", "?symbol=%zz&source=yahoo",
                            "?symbol=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&source=yahoo", "?symbol=x&source=cash"}) {
    CAPTURE(query);
    CHECK(status_of(d.post(std::string("/api/test") + query)) == "409");
  }
  // A client that leaves meanwhile leaves nothing behind.
  d.net.replies["query1.finance.yahoo.com"] = {""};
  device::Bytes client;
  const std::string request =
      "POST /api/test?source=yahoo&symbol=A HTTP/1.1\r\nHost: 192.168.1.20\r\nX-Hearth: 1\r\nContent-Length: 0\r\n\r\n";
  d.app.web_open();
  d.app.web_receive(reinterpret_cast<const uint8_t*>(request.data()), request.size(), client);
  d.run(1000);
  d.app.web_closed();
  CHECK(body_of(d.post("/api/config", "{\"rotation\":2}")).find("\"ok\":true") != std::string::npos);
  CHECK(body_of(d.post("/api/test?source=yahoo&symbol=A")) == "{\"ok\":false,\"error\":\"too_slow\"}");
}

TEST_CASE("follows no settings that it could not store") {
  Device d;
  d.start();
  d.run(1000);
  d.store.full = true;
  CHECK(status_of(d.post("/api/config", "{\"rotation\":1}")) == "500");
  CHECK(d.app.view().settings->rotation == 0);
}
