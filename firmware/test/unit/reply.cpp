#include <doctest/doctest.h>

#include "chunks.h"
#include "http/reply.h"
#include "http/url.h"

using namespace hearth;

namespace {

class Collect : public ByteSink {
 public:
  bool write(const void* bytes, size_t size) override {
    text.append(static_cast<const char*>(bytes), size);
    return text.size() <= most;
  }
  std::string text;
  size_t most = 1000000;
};

const char* name(HttpProgress progress) {
  switch (progress) {
    case HttpProgress::More:
      return "more";
    case HttpProgress::Done:
      return "done";
    case HttpProgress::Malformed:
      return "malformed";
    case HttpProgress::TooLarge:
      return "too large";
    default:
      return "stopped";
  }
}

/// "status outcome body[ -> location]"
std::string read(const std::string& text, uint32_t limit = 1000, bool closed = true) {
  bool same = false;
  const std::string result = chunks::every_way(text, &same, [&](const std::vector<std::string>& pieces) {
    HttpReply reply;
    Collect body;
    char location[40] = "";
    reply.start(limit, location, sizeof location);
    HttpProgress progress = HttpProgress::More;
    for (const auto& piece : pieces) {
      progress = reply.feed(reinterpret_cast<const uint8_t*>(piece.data()), piece.size(), &body);
      if (progress != HttpProgress::More) break;
    }
    if (closed) progress = reply.finish();
    std::string all = std::to_string(reply.status()) + " " + name(progress);
    if (progress == HttpProgress::Done || progress == HttpProgress::More) all += " " + body.text;
    if (location[0] != 0) all += std::string(" -> ") + location;
    return all;
  });
  CHECK(same);
  return result;
}

}  // namespace

TEST_CASE("reads bodies by length, by chunks and until the end") {
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello trailing") == "200 done hello");
  CHECK(read("HTTP/1.0 200 OK\r\n\r\nall of it") == "200 done all of it");
  CHECK(read("HTTP/1.1 200\r\ncontent-LENGTH:\t2 \r\n\r\nok") == "200 done ok");
  CHECK(read("HTTP/1.1 200 OK\nContent-Length: 2\n\nok") == "200 done ok");
  CHECK(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: "
             "chunked\r\n\r\n4\r\nWiki\r\nA;x=\"y\"\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n") ==
        "200 done Wiki0123456789");
  CHECK(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Length: 3\r\n\r\n1\r\nx\r\n0\r\n\r\n") ==
        "200 done x");
  CHECK(read("HTTP/1.1 204 No Content\r\n\r\n", 1000, false) == "204 done ");
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 1000, false) == "200 done ");
  CHECK(read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 1\r\n\r\nx") == "404 done x");
  CHECK(read("HTTP/1.1 200 OK\r\nX: a\r\n folded\r\nContent-Length: 1\r\n\r\nx") == "200 done x");
  CHECK(read("HTTP/1.1 200 OK\r\nSet-Cookie: " + std::string(4000, 'c') + "\r\nContent-Length: 1\r\n\r\nx") ==
        "200 done x");
}

TEST_CASE("reports redirects") {
  CHECK(read("HTTP/1.1 302 Found\r\nLocation:  https://a.example/b?c\r\nContent-Length: 0\r\n\r\n") ==
        "302 done  -> https://a.example/b?c");
  CHECK(read("HTTP/1.1 302 Found\r\nlocation: /" + std::string(60, 'x') + "\r\nContent-Length: 0\r\n\r\n") ==
        "302 done ");
}

TEST_CASE("rejects broken replies") {
  CHECK(read("") == "0 malformed");
  CHECK(read("garbage\r\n\r\n") == "0 malformed");
  CHECK(read("HTTP/2 200 OK\r\n\r\n") == "0 malformed");
  CHECK(read("HTTP/1.1 20x OK\r\n\r\n") == "0 malformed");
  CHECK(read("HTTP/1.1 099 OK\r\n\r\n") == "0 malformed");
  CHECK(read("HTTP/1.1 2000 OK\r\n\r\n") == "0 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nno colon\r\n\r\n") == "200 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel") == "200 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n") == "200 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n") == "200 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx") == "200 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n") == "200 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n") == "200 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n") == "200 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n") == "200 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(200, 'e')) == "200 malformed");
  CHECK(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n") == "200 malformed");
}

TEST_CASE("enforces the limits of a reply") {
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n") == "200 too large");
  CHECK(read("HTTP/1.1 200 OK\r\n\r\n" + std::string(1001, 'x')) == "200 too large");
  CHECK(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n") == "200 too large");
  CHECK(read("HTTP/1.1 200 OK\r\nX: " + std::string(20000, 'x')) == "200 too large");
}

TEST_CASE("stops when the consumer of the body rejects it") {
  HttpReply reply;
  Collect body;
  body.most = 2;
  reply.start(1000, nullptr, 0);
  const std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  CHECK(reply.feed(reinterpret_cast<const uint8_t*>(text.data()), text.size(), &body) == HttpProgress::Stopped);
  CHECK(reply.in_body());
  uint32_t length = 0;
  CHECK((reply.length(&length) && length == 5));
}

TEST_CASE("knows the time of the other side") {
  const auto date = [](const std::string& value) {
    HttpReply reply;
    Collect body;
    reply.start(1000, nullptr, 0);
    const std::string text = "HTTP/1.1 200 OK\r\nDate: " + value + "\r\nContent-Length: 1\r\n\r\nx";
    CHECK(reply.feed(reinterpret_cast<const uint8_t*>(text.data()), text.size(), &body) == HttpProgress::Done);
    return reply.date();
  };
  CHECK(date("Sun, 06 Nov 1994 08:49:37 GMT") == 784111777);
  CHECK(date("Mon, 29 Feb 2028 23:59:59 GMT") == 1835481599);
  for (const char* other :
       {"", "784111777", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Noe 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT"}) {
    CAPTURE(other);
    CHECK(date(other) == 0);
  }
}

TEST_CASE("parses URLs") {
  Url url;
  REQUIRE(parse_url("https://Example.com:8443/a/b?c=d#e", &url));
  CHECK((url.tls && url.port == 8443 && std::string(url.host) == "example.com" &&
         std::string(url.path, url.path_size) == "/a/b?c=d" && url.has_query));
  REQUIRE(parse_url("HTTP://10.0.0.5", &url));
  CHECK((!url.tls && url.port == 80 && url.path_size == 0 && !url.has_query));
  REQUIRE(parse_url("http://nas?x", &url));
  CHECK((url.has_query && std::string(url.path, url.path_size) == "?x"));
  for (const char* text :
       {"", "ftp://a/", "http://", "http:///x", "https://a:0/", "https://a:65536/", "https://a:/", "http://user:pw@a/",
        "http://a b/", "http://a/\n", "http://a/ä", "a.example/x", "http://[::1]/"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_url(text, &url));
  }
  CHECK_FALSE(parse_url(("http://" + std::string(64, 'h') + "/").c_str(), &url));
}
