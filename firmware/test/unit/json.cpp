#include <doctest/doctest.h>

#include "chunks.h"
#include "parse/json.h"

using namespace hearth;

namespace {

std::string describe(JsonEvent event, const JsonReader& reader) {
  switch (event) {
    case JsonEvent::BeginObject:
      return "{";
    case JsonEvent::EndObject:
      return "}";
    case JsonEvent::BeginArray:
      return "[";
    case JsonEvent::EndArray:
      return "]";
    case JsonEvent::Key:
      return std::string("k:") + reader.text();
    case JsonEvent::String:
      return std::string(reader.truncated() ? "cut:" : "s:") + reader.text();
    case JsonEvent::Number:
      return "n:" + std::to_string(reader.number().mantissa) + "e" + std::to_string(reader.number().exponent);
    case JsonEvent::True:
      return "true";
    case JsonEvent::False:
      return "false";
    case JsonEvent::Null:
      return "null";
    case JsonEvent::End:
      return "end";
    default:
      return "error";
  }
}

std::string events(const std::string& text, uint32_t limit = 100000) {
  bool same = false;
  const std::string result = chunks::every_way(text, &same, [&](const std::vector<std::string>& pieces) {
    JsonReader reader;
    reader.start(limit);
    std::string all;
    size_t next = 0;
    for (;;) {
      const JsonEvent event = reader.next();
      if (event == JsonEvent::NeedMore) {
        if (next < pieces.size()) {
          reader.feed(pieces[next].data(), pieces[next].size());
          next++;
        } else {
          reader.finish();
        }
        continue;
      }
      all += describe(event, reader);
      if (event == JsonEvent::End || event == JsonEvent::Error) return all;
      all += ' ';
    }
  });
  CHECK(same);
  return result;
}

bool refused(const std::string& text) { return events(text).rfind("error") != std::string::npos; }

}  // namespace

TEST_CASE("emits the events of a document") {
  CHECK(events("{\"a\":[1,-2.5e3,true,false,null],\"b\":{}}") ==
        "{ k:a [ n:1e0 n:-25e2 true false null ] k:b { } } end");
  CHECK(events(" [ ] \r\n\t") == "[ ] end");
  CHECK(events("\"x\"") == "s:x end");
  CHECK(events("12.50") == "n:1250e-2 end");
  CHECK(events("null") == "null end");
  CHECK(events("[[],{},[{}]]") == "[ [ ] { } [ { } ] ] end");
}

TEST_CASE("decodes escapes, UTF-8 and surrogates") {
  CHECK(events(R"("a\"\\\/\b\f\n\r\t")") == "s:a\"\\/\b\f\n\r\t end");
  CHECK(events(R"("\u00e4\u20AC\ud83d\ude00")") == "s:ä€😀 end");
  CHECK(events("\"Zürich 😀\"") == "s:Zürich 😀 end");
  CHECK(events(R"("\ud83dx\ude00\ud83d")") == "s:\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd end");
  CHECK(events(R"("\ud83d\n\ud83d\u0041")") ==
        "s:\xef\xbf\xbd\n\xef\xbf\xbd"
        "A end");
  CHECK(events(R"("a\u0000b")") ==
        "s:a\xef\xbf\xbd"
        "b end");
}

TEST_CASE("rejects broken text") {
  for (const char* text :
       {"\"\\x\"", "\"\\u12g4\"", "\"\x80\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"",
        "\"\xe2\x82\"", "\"\xf0\x80\x80\x80\"", "\"\xe0\x80\x80\"", "\"tab\there\"", "\"open", "\"\xff\""}) {
    CAPTURE(text);
    CHECK(refused(text));
  }
}

TEST_CASE("rejects anything but JSON") {
  for (const char* text : {"",
                           " ",
                           "{",
                           "[",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{\"a\":1 \"b\":2}",
                           "[1}",
                           "{\"a\":1]",
                           "nul",
                           "truE",
                           "[1] x",
                           "[1][2]",
                           "01",
                           "-",
                           "1.",
                           "+1",
                           "]",
                           "}",
                           "{]",
                           "'a'",
                           "<html>",
                           "\xef\xbb{}",
                           "\xef\xbb\xbf",
                           " \xef\xbb\xbf{}",
                           "\xef\xbb\xbf\xef\xbb\xbf{}"}) {
    CAPTURE(text);
    CHECK(refused(text));
  }
}

TEST_CASE("limits depth, size and length") {
  CHECK_FALSE(refused(std::string(16, '[') + std::string(16, ']')));
  CHECK(refused(std::string(17, '[')));
  CHECK(events("[1,2,3]", 7) == "[ n:1e0 n:2e0 n:3e0 ] end");
  CHECK(events("[1,2,3]", 6).find("error") != std::string::npos);
  CHECK(events("\"" + std::string(300, 'x') + "\"") == "cut:" + std::string(207, 'x') + " end");
  CHECK(events("\"" + std::string(206, 'x') + "ä\"") == "cut:" + std::string(206, 'x') + " end");
  CHECK(refused("[" + std::string(300, '1') + "]"));
  CHECK(refused("1e400"));
}

TEST_CASE("tracks paths") {
  const std::string text = R"({"chart":{"result":[{"close":[1,null,3],"x.y":{"z":1}},{"close":[9]}]},"end":true})";
  JsonReader reader;
  JsonPath path;
  reader.start(1000);
  path.start();
  reader.feed(text.data(), text.size());
  std::string found;
  for (;;) {
    const JsonEvent event = reader.next();
    if (event == JsonEvent::NeedMore) reader.finish();
    if (event == JsonEvent::End || event == JsonEvent::Error) break;
    path.update(event, reader.text());
    if (event == JsonEvent::Key) continue;
    if (path.is("chart.result.0.close.*")) found += event == JsonEvent::Null ? "-" : reader.text();
    if (path.is("chart.result.*.close.0")) found += "first ";
    if (path.is("chart.result")) found += "[result]";
    if (path.is("end") && event == JsonEvent::True) found += "end";
  }
  CHECK(found == "[result]1first -3first end");
}

TEST_CASE("matches nothing for an overlong path") {
  std::string text = "{\"" + std::string(150, 'k') + "\":{\"a\":[1]},\"a\":2}";
  JsonReader reader;
  JsonPath path;
  reader.start(1000);
  path.start();
  reader.feed(text.data(), text.size());
  int found = 0;
  for (JsonEvent event = reader.next(); event != JsonEvent::NeedMore && event != JsonEvent::Error;
       event = reader.next()) {
    path.update(event, reader.text());
    if (event == JsonEvent::Number && path.is("a")) found++;
  }
  CHECK(found == 1);
}
