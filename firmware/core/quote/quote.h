// The data of one symbol.
#pragma once
#include "quote/decimal.h"

namespace hearth {

constexpr uint8_t kSparkPoints = 60;
constexpr size_t kNameBytes = 40;     ///< 19 characters of UTF-8 and NUL
constexpr size_t kCurrencyBytes = 8;  ///< printed prefix or ISO code

/// Why a price is missing or old; the screens have a text for each.
enum class Reason : uint8_t {
  None,
  NotYet,         ///< not requested yet
  NotConfigured,  ///< no webhook address, or built without REPO_OWNER
  NoNetwork,      ///< Wi-Fi is not joined
  NoAddress,      ///< the name of the host cannot be resolved
  NoConnection,   ///< refused or broken off
  TlsFailed,      ///< no common encryption
  Certificate,    ///< the other side is not who it says
  TooSlow,        ///< no complete reply within httpTimeout
  RateLimited,    ///< HTTP 429
  HttpStatus,     ///< any other status that is not 200, see http_status
  BadAnswer,      ///< not the agreed format
  TooLarge,       ///< more than the limits allow
  UnknownSymbol,  ///< the source does not know it
  NoPrice,        ///< known, but without a price now
  SourceSaysNo,   ///< webhook: "ok": false
  LowMemory,      ///< skipped by the heap guard
};

enum class QuoteState : uint8_t {
  Empty,  ///< never had a price since the start
  Fresh,  ///< the last fetch succeeded and is not older than three intervals
  Stale,  ///< a price is shown, but the last fetch failed or is too old
};

/// What the exchange does now.
enum class Market : uint8_t { Unknown, Open, Closed, Before, After };

/// Sparkline, oldest first. A point's value is low + points[i] * (high - low) / 65535.
struct Spark {
  uint16_t points[kSparkPoints];
  uint8_t count;
  int8_t exponent;  ///< of low, high and first
  int32_t low;
  int32_t high;
  int32_t first;  ///< oldest point exactly: the basis of the change over the span
};

struct Quote {
  Decimal price;
  Decimal previous;  ///< previous close; zero = unknown
  Decimal change;    ///< price - previous close, in price units
  int32_t percent;   ///< change in hundredths of a percent
  bool has_change;   ///< `change` and `percent` hold
  QuoteState state;
  Reason reason;                  ///< of the last failed fetch, None after a success
  uint16_t http_status;           ///< of the last failed fetch, 0 = none
  uint32_t age_s;                 ///< seconds since `price` was fetched
  char name[kNameBytes];          ///< the source's name, "" = none
  char currency[kCurrencyBytes];  ///< ISO code, or the webhook's own prefix
  bool currency_is_prefix;        ///< print `currency` as it is
  char range[8];                  ///< label of the span the spark covers
  Spark spark;
  Market market;
  uint8_t day_place;         ///< of the price between the day's low (1) and high (101); 0 = unknown
  uint8_t year_place;        ///< the same for 52 weeks
  uint32_t traded_s;         ///< last trade in seconds since 1970, local time of the exchange; 0 = unknown
  Decimal extended;          ///< price outside the regular hours; zero = none
  int32_t extended_percent;  ///< its distance from `price`
  Decimal before;            ///< price of the fetch before, while `price` flashes; zero = it does not
};

/// Change of the live price relative to the first point of the spark. False without one.
bool span_change(const Quote& quote, Decimal* change, int32_t* percent);

/// Position of a price on the scale of the sparkline, clamped to -65535..131070 (0..65535 = inside).
int32_t spark_height(const Spark& spark, Decimal value);

}  // namespace hearth
