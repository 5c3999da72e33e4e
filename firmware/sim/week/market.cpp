#include "market.h"

#include <stdlib.h>

namespace week {
namespace {

constexpr uint64_t kStart = 1794787200;  // Monday, 2026-11-16 00:00 UTC
constexpr uint64_t kQuoteEvery = 5 * kMinute;
constexpr size_t kHugeBody = 2 * 1024 * 1024;

uint32_t hash(const std::string& text) {
  uint32_t value = 2166136261u;
  for (const char c : text) value = (value ^ static_cast<uint8_t>(c)) * 16777619u;
  return value;
}

std::string decoded(const std::string& text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      plain += static_cast<char>(strtol(text.substr(i + 1, 2).c_str(), nullptr, 16));
      i += 2;
    } else {
      plain += text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const size_t start = text.find(before);
  if (start == std::string::npos) return {};
  const size_t end = text.find(after, start + before.size());
  return text.substr(start + before.size(), end == std::string::npos ? end : end - start - before.size());
}

/// The market is closed at night and on weekends; prices then are those of the last evening.
uint64_t open_moment(uint64_t ms) {
  const uint64_t day = ms / kDay;
  const uint64_t hour = ms % kDay / kHour;
  const uint64_t last = day > 4 ? 4 : day;
  if (day > 4 || hour >= 17) return last * kDay + 17 * kHour;
  if (hour < 9) return last == 0 ? 0 : (last - 1) * kDay + 17 * kHour;
  return ms;
}

std::string closes(const std::string& symbol, uint64_t ms, size_t count, const char* open, const char* close) {
  std::string list;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) list += ',';
    list += open +
            (i % 17 == 5      ? std::string("null")
             : i + 1 == count ? Market::price(symbol, ms)
                              : Market::price(symbol + std::to_string(i), ms)) +
            close;
  }
  return list;
}

std::string chart(const std::string& symbol, uint64_t ms, const std::string& price) {
  const std::string now = std::to_string(kStart + open_moment(ms) / 1000);
  constexpr size_t kCandles = 78;
  std::string times;
  for (size_t i = 0; i < kCandles; ++i)
    times += (i > 0 ? "," : "") + std::to_string(kStart + open_moment(ms) / 1000 - (kCandles - 1 - i) * 300);
  return "{\"chart\":{\"result\":[{\"meta\":{\"currency\":\"USD\",\"symbol\":\"" + symbol +
         "\",\"gmtoffset\":0,\"regularMarketTime\":" + now + ",\"regularMarketPrice\":" + price +
         ",\"chartPreviousClose\":100.00,\"previousClose\":100.00,\"shortName\":\"" + symbol +
         " Inc.\"},\"timestamp\":[" + times + "],\"indicators\":{\"quote\":[{\"close\":[" +
         closes(symbol, ms, kCandles, "", "") + "]}]}}],\"error\":null}}";
}

std::string ok(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}

std::string chunked(const std::string& body) {
  std::string bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (size_t at = 0; at < body.size(); at += 7) {
    const std::string part = body.substr(at, 7);
    bytes += std::string(1, "0123456789abcdef"[part.size()]) + "\r\n" + part + "\r\n";
  }
  return bytes + "0\r\n\r\n";
}

struct Found {
  std::string symbol;
  std::string body;
  bool series = false;
};

Found look_up(const std::string& host, const std::string& target, uint64_t ms) {
  if (host.find("query") == 0) {
    const std::string symbol = decoded(between(target, "/chart/", "?"));
    return {symbol, chart(symbol, ms, Market::price(symbol, ms)), false};
  }
  if (host == "www.cash.ch") {
    const std::string document = decoded(target);
    const bool series = document.find("timeserie") != std::string::npos;
    const std::string key = between(document, series ? "listingKey:\"" : "listingKeys:\"", "\"");
    const std::string body = series ? "{\"data\":{\"integration\":{\"solid\":{\"chart\":{\"timeserie\":{\"prices\":[" +
                                          closes(key, ms, 22, "{\"close\":", "}") + "]}}}}}}"
                                    : "{\"data\":{\"quoteList\":{\"quoteList\":{\"edges\":[{\"node\":{\"lval\":\"" +
                                          Market::price(key, ms) +
                                          "\",\"iNetVperprV\":\"0.50\",\"perfPercentage\":\"0.41\",\"mCur\":\"CHF\","
                                          "\"mShortName\":\"SWISS\"}}]}}}}";
    return {key, body, series};
  }
  const bool raw = host == "raw.githubusercontent.com";
  const std::string symbol = decoded(raw ? between(target, "/data/quotes/", ".json") : between(target, "symbol=", "&"));
  return {symbol,
          "{\"symbol\":\"" + symbol + "\",\"price\":" + Market::price(symbol, ms) +
              ",\"currency\":\"CHF\",\"change\":1.5,\"spark\":[" + closes(symbol, ms, 48, "", "") +
              "],\"range\":\"1D\",\"ok\":true,\"extra\":{\"a\":[1,{}]}}",
          false};
}

}  // namespace

std::string Market::price(const std::string& symbol, uint64_t ms) {
  const uint32_t seed = hash(symbol + "@" + std::to_string(open_moment(ms) / kQuoteEvery));
  const uint32_t cents = 10000 + hash(symbol) % 400000 + seed % 500;
  const std::string fraction = std::to_string(cents % 100);
  return std::to_string(cents / 100) + (fraction.size() == 1 ? ".0" : ".") + fraction;
}

Answer Market::answer(const std::string& host, const std::string& request, uint64_t ms) {
  const std::string target = between(request, "GET ", " HTTP/1");
  const Found found = look_up(host, target, ms);
  if (!found.series) {
    Record& record = records[found.symbol];
    ++record.requests;
    record.last_request = ms;
  }
  Answer answer;
  answer.symbol = found.symbol;
  const std::string right = found.series ? "" : price(found.symbol, ms);
  const std::string whole = ok(found.body);
  switch (trouble_of(host, target, ms)) {
    case Trouble::Garbage:
      answer.bytes = ok("<!doctype html><p>Maintenance {\"price\": [[[,,,");
      break;
    case Trouble::CutShort:
      answer.bytes = whole.substr(0, whole.size() / 2), answer.breaks = true;
      break;
    case Trouble::Drip:
      answer.bytes = whole, answer.per_second = 1;
      break;
    case Trouble::Huge:
      answer.bytes = "HTTP/1.1 200 OK\r\n\r\n" + std::string(kHugeBody, ' '), answer.per_second = 400000;
      break;
    case Trouble::Chunked:
      answer.bytes = chunked(found.body), answer.price = right;
      break;
    case Trouble::Status429:
      answer.bytes = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 19\r\n\r\nEdge: Too Many Reque";
      break;
    case Trouble::Status503:
      answer.bytes = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
      break;
    case Trouble::Redirect:
      if (host == "query2.finance.yahoo.com")
        answer.bytes = whole, answer.price = right;
      else
        answer.bytes = "HTTP/1.1 302 Found\r\nLocation: https://query2.finance.yahoo.com" + target +
                       "\r\nContent-Length: 0\r\n\r\n";
      break;
    case Trouble::NullPrice:
      answer.bytes =
          ok("{\"price\":null,\"chart\":{\"result\":null},\"data\":{\"quoteList\":{\"quoteList\":{\"edges\":[{\"node\":"
             "{\"lval\":\"\"}}]}}}}");
      break;
    case Trouble::SaysNo:
      answer.bytes = ok("{\"price\":1.00,\"ok\":false}");
      break;
    default:
      answer.bytes = whole, answer.price = right;
      break;
  }
  return answer;
}

}  // namespace week
