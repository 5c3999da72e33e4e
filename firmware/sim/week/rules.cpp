#include "rules.h"

#include <stdio.h>
#include <string.h>

namespace week {

const Row kRows[8] = {
    {"AAPL", "yahoo", {"query1.finance.yahoo.com", "query2.finance.yahoo.com"}, "/v8/finance/chart/AAPL"},
    {"^GSPC", "yahoo", {"query1.finance.yahoo.com", "query2.finance.yahoo.com"}, "/v8/finance/chart/%5EGSPC"},
    {"EURUSD=X", "yahoo", {"query1.finance.yahoo.com", "query2.finance.yahoo.com"}, "/v8/finance/chart/EURUSD%3DX"},
    {"BTC-USD", "yahoo", {"query1.finance.yahoo.com", "query2.finance.yahoo.com"}, "/v8/finance/chart/BTC-USD"},
    {"1222171-4-1", "cash", {"www.cash.ch", nullptr}, "/_/api/graphql/prod"},
    {"3886335-4-1", "github", {"raw.githubusercontent.com", nullptr}, "/owner/quotes/data/quotes/3886335-4-1.json"},
    {"HOUSE", "webhook", {"hub.home", nullptr}, "/hook?symbol=HOUSE"},
    {"Wärme Pumpe", "webhook", {"hub.home", nullptr}, "/hook?symbol=W"},
};

namespace {

constexpr uint64_t kFreshMs = 3 * kPollSeconds * 1000ull;
constexpr uint64_t kSlackMs = 2000;
/// Longest recovery: one interval, then all rows one after the other with a mirror and a timeout each.
constexpr uint64_t kBackAfterMs = 5 * kMinute;
constexpr uint64_t kFetchMs = kMinute;
constexpr uint32_t kPlentyOfHeap = 20000;

bool harmless(Trouble trouble) {
  return trouble == Trouble::None || trouble == Trouble::Chunked || trouble == Trouble::Redirect;
}

bool reachable(const Row& row, uint64_t ms) {
  for (const char* host : row.hosts) {
    if (host != nullptr && harmless(trouble_of(host, "", ms)) && harmless(trouble_of(host, row.target, ms)))
      return true;
  }
  return false;
}

bool same(hearth::Decimal value, const std::string& text) {
  hearth::Decimal other;
  return hearth::parse_decimal(text.data(), text.size(), &other) && hearth::compare(value, other) == 0;
}

}  // namespace

void Rules::disturbed() {
  for (uint64_t& since : calm_since_) since = clock_.total();
}

void Rules::demand(bool holds, uint8_t row, uint8_t rule, const std::string& what) {
  if (!holds && !reported_[row][rule]) {
    ++broken_;
    printf("BROKEN at %llu s, %s: %s\n", static_cast<unsigned long long>(clock_.total() / 1000), kRows[row].symbol,
           what.c_str());
  }
  reported_[row][rule] = !holds;
}

void Rules::check(const hearth::View& view, bool online) {
  const uint64_t now = clock_.total();
  const bool enough_heap = largest_block(now) > kPlentyOfHeap;
  for (uint8_t i = 0; i < view.settings->ticker.row_count; ++i) {
    const hearth::Quote& quote = view.quotes[i];
    const Row& row = kRows[i];
    if (!online || !enough_heap || !reachable(row, now)) calm_since_[i] = now;
    const auto found = net_.delivered.find(row.symbol);
    const VirtualNet::Delivered last = found != net_.delivered.end() ? found->second : VirtualNet::Delivered{};
    const bool shown = quote.state != hearth::QuoteState::Empty;
    const bool fresh = quote.state == hearth::QuoteState::Fresh;
    demand(!shown || same(quote.price, last.price) || (now - last.ms < kFetchMs && same(quote.price, last.before)), i,
           0, "shows another price than the last right one, " + last.price);
    demand(!fresh || now - last.ms <= kFreshMs + kSlackMs, i, 1, "shows an old price as fresh");
    demand(fresh || quote.reason != hearth::Reason::None || now - last.ms >= kFreshMs - kSlackMs || !shown, i, 2,
           "is not fresh, without a reason");
    demand(fresh || now - calm_since_[i] <= kBackAfterMs, i, 3, "was given up: calm for five minutes and not fresh");
  }
}

}  // namespace week
