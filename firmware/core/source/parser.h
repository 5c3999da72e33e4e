// Reads the body of a reply from any source, in chunks of any size, into one result.
#pragma once
#include "parse/json.h"
#include "port.h"
#include "source/request.h"
#include "source/series.h"

namespace hearth {

constexpr uint32_t kBodyLimit = 512 * 1024;  ///< bytes of an answer; the chart endpoint's longest are about 200 KB

/// The values of a reply. The `has_…` fields state which are valid.
struct SourceResult {
  Decimal price;
  Decimal change;         ///< webhook and portal
  Decimal percent;        ///< webhook and portal
  Decimal previous;       ///< chart endpoint: meta.previousClose
  Decimal span_previous;  ///< chart endpoint: meta.chartPreviousClose, the close before the charted span
  bool has_price, has_change, has_percent, has_previous, has_span_previous;
  bool refused;                 ///< webhook "ok": false
  bool unknown;                 ///< the source does not know the symbol
  bool has_node;                ///< portal: an instrument was answered
  int64_t market_time;          ///< chart endpoint: regularMarketTime, 0 = none
  int32_t gmt_offset;           ///< seconds east of UTC at the exchange
  int64_t now;                  ///< by the source's clock, 0 = unknown; set by the caller
  int64_t opens[3], closes[3];  ///< chart endpoint: the periods before, in and after the regular hours
  Decimal low, high;            ///< of the day
  Decimal year_low, year_high;  ///< of 52 weeks
  char name[kNameBytes];
  char currency[kCurrencyBytes];
  bool long_name;  ///< `name` is the long one and gives way to a short one
  char range[8];
};

/// The last closes and candle times of the chart endpoint, enough to find the close of the previous day.
class DayTail {
 public:
  void start() { *this = DayTail(); }
  void time(int64_t seconds);
  void close(bool valid, Decimal value);
  /// The last close and the time of its candle. Returns false if there is none.
  bool last(Decimal* value, int64_t* seconds) const;
  /// The last close whose trading day is before the day of `market_time`. Returns false if it is not among the last
  /// candles; `none` then means that there is no earlier candle at all.
  bool previous(int64_t market_time, int32_t gmt_offset, Decimal* value, bool* none) const;

 private:
  static constexpr uint8_t kKept = 6;
  int64_t times_[kKept] = {};
  Decimal closes_[kKept] = {};
  uint16_t index_[kKept] = {};  // candle number of each stored close
  uint16_t time_count_ = 0;
  uint16_t close_count_ = 0;  // candles, valid or not
  uint16_t valid_count_ = 0;
};

class SourceParser : public ByteSink {
 public:
  void start(Source source, Step step);
  /// Returns false as soon as the reply can't become valid; `finish` returns the reason.
  bool write(const void* bytes, size_t size) override;
  /// Call it after the last byte. Returns None if `result` and `series` contain what the step requested.
  Reason finish();
  SourceResult result;
  Series series;
  DayTail tail;

 private:
  void value(JsonEvent event);
  bool market_value(JsonEvent event);
  void chart_value(JsonEvent event);
  void portal_value(JsonEvent event);
  void webhook_value(JsonEvent event);
  void take_number(JsonEvent event, Decimal* value, bool* has);
  void take_text(JsonEvent event, char* to, size_t capacity, size_t characters);
  bool drain();
  JsonReader reader_;
  JsonPath path_;
  Source source_ = Source::Yahoo;
  Step step_ = Step::Quote;
  bool failed_ = false;
};

/// Reads a number as written by the portal: "1'234.50", "1 234,50", "+0.35". Returns false if there is none.
bool parse_portal_number(const char* text, Decimal* value);

}  // namespace hearth
