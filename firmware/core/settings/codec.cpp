#include "settings/codec.h"

#include <string.h>

#include "clock/time_zone.h"
#include "http/ascii.h"
#include "http/url.h"
#include "io/utf8.h"
#include "settings/fields.h"

namespace hearth {
namespace {

constexpr size_t kSymbolCharacters = 23;
constexpr size_t kNameCharacters = 19;
constexpr size_t kLeastPass = 8;  // WPA2

template <typename T>
T& at(Settings& settings, uint16_t offset) {
  return *reinterpret_cast<T*>(reinterpret_cast<uint8_t*>(&settings) + offset);
}

bool host_name(const char* text) {
  const size_t size = strlen(text);
  if (size == 0 || text[0] == '-' || text[size - 1] == '-') return false;
  for (; *text != 0; text++) {
    const char c = lower(*text);
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return false;
  }
  return true;
}

/// "owner/name": letters, digits, hyphens, dots and underscores, neither part of dots alone.
bool repository(const char* text) {
  for (int part = 0; part < 2; part++) {
    bool named = false;
    for (; *text != 0 && *text != '/'; text++) {
      const char c = lower(*text);
      const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
      if (!letter && c != '-' && c != '.') return false;
      named = named || letter;
    }
    if (!named || *text++ != (part == 0 ? '/' : 0)) return false;
  }
  return true;
}

bool minutes(const char* text, uint16_t* value) {
  uint32_t hour = 0;
  uint32_t minute = 0;
  if (strlen(text) != 5 || text[2] != ':' || !parse_uint(text, 2, 23, &hour) || !parse_uint(text + 3, 2, 59, &minute))
    return false;
  *value = static_cast<uint16_t>(hour * 60 + minute);
  return true;
}

bool whole(Decimal number, int64_t low, int64_t high, int64_t* value) {
  if (reduced(number).exponent < 0) return false;
  return rescale(number, 0, value) && *value >= low && *value <= high;
}

}  // namespace

void SettingsReader::start(const Settings& current, Strictness strictness) {
  current_ = &current;
  staged_ = current;
  strictness_ = strictness;
  error_ = SettingsError{nullptr, "is not JSON"};
  failed_ = in_network_ = in_row_ = skip_ = has_pass_ = has_global_source_ = false;
  without_source_ = 0;
  reader_.start(kSettingsLimit);
  path_.start();
}

bool SettingsReader::feed(const void* bytes, size_t size) {
  reader_.feed(bytes, size);
  return drain();
}

bool SettingsReader::drain() {
  while (!failed_) {
    const JsonEvent event = reader_.next();
    if (event == JsonEvent::NeedMore || event == JsonEvent::End) return true;
    if (event == JsonEvent::Error) {
      failed_ = true;
      break;
    }
    if ((reader_.depth() == 0 && event != JsonEvent::EndObject) ||
        (reader_.depth() == 1 && event == JsonEvent::BeginArray && path_.is(""))) {
      error_.rule = "must be an object";
      failed_ = true;
      break;
    }
    path_.update(event, reader_.text());
    if (event != JsonEvent::Key && event != JsonEvent::EndObject && event != JsonEvent::EndArray) value(event);
  }
  return false;
}

void SettingsReader::refuse(const char* key, const char* rule) {
  if (strictness_ == Strictness::Ignore || failed_) return;
  error_ = SettingsError{key, rule};
  failed_ = true;
}

void SettingsReader::value(JsonEvent event) {
  if (path_.is("wifi") || path_.is("wifi.*") || path_.is("wifi.*.*")) {
    network(event);
  } else if (path_.is("ticker.symbols") || path_.is("ticker.symbols.*") || path_.is("ticker.symbols.*.*")) {
    row(event);
  } else if (path_.is("source") || path_.is("ticker.source")) {
    has_global_source_ = source(event, &global_source_);
  } else {
    simple(event);
  }
}

void SettingsReader::simple(JsonEvent event) {
  for (uint8_t i = 0; i < kFieldCount; i++) {
    const Field& field = kFields[i];
    char path[32];
    BufferSink sink(path, sizeof path);
    TextOut out(sink);
    if (field.section[0] != 0) out.text(field.section).character('.');
    out.text(field.key).flush();
    if (!path_.is(path)) continue;
    if (!assign(field, event)) refuse(field.key, field.rule);
    return;
  }
}

bool SettingsReader::assign(const Field& field, JsonEvent event) {
  int64_t number = 0;
  switch (field.kind) {
    case FieldKind::Flag:
      if (event != JsonEvent::True && event != JsonEvent::False) return false;
      at<bool>(staged_, field.offset) = event == JsonEvent::True;
      return true;
    case FieldKind::Byte:
      if (event != JsonEvent::Number || !whole(reader_.number(), field.low, field.high, &number)) return false;
      at<uint8_t>(staged_, field.offset) = static_cast<uint8_t>(number);
      return true;
    case FieldKind::Word:
      if (event != JsonEvent::Number || !whole(reader_.number(), field.low, field.high, &number)) return false;
      at<uint16_t>(staged_, field.offset) = static_cast<uint16_t>(number);
      return true;
    case FieldKind::Minutes:
      return event == JsonEvent::String && minutes(reader_.text(), &at<uint16_t>(staged_, field.offset));
    case FieldKind::Choice:
      if (event != JsonEvent::String) return false;
      if (reader_.size() == 0 && field.names == kRangeNames) {  // an empty range means 1d
        at<uint8_t>(staged_, field.offset) = 0;
        return true;
      }
      for (uint8_t i = 0; i < field.low; i++) {
        if (!equal_fold(reader_.text(), reader_.size(), field.names[i])) continue;
        at<uint8_t>(staged_, field.offset) = i;
        return true;
      }
      return false;
    default:
      return event == JsonEvent::String && assign_text(field, &at<char>(staged_, field.offset));
  }
}

bool SettingsReader::assign_text(const Field& field, char* to) {
  const char* text = reader_.text();
  if (reader_.truncated() || reader_.size() >= field.high || count_characters(text) > field.low) return false;
  Url url;
  TimeZone zone;
  switch (field.kind) {
    case FieldKind::Host:
      if (!host_name(text)) return false;
      break;
    case FieldKind::Address:
      if (text[0] != 0 && (reader_.size() < 8 || !parse_url(text, &url))) return false;
      break;
    case FieldKind::Repo:
      if (text[0] != 0 && !repository(text)) return false;
      break;
    case FieldKind::Zone:
      if (!parse_time_zone(text, &zone)) return false;
      break;
    case FieldKind::Text:
      if (text[0] == 0) return false;
      break;
    case FieldKind::Secret:
    case FieldKind::KeptSecret:
      if (text[0] == 0 && field.kind == FieldKind::KeptSecret) return true;
      // A file of an older version may hold a shorter one: it stays, instead of leaving the page without a password.
      if (text[0] != 0 && strictness_ == Strictness::Refuse && count_characters(text) < kLeastPass) return false;
      break;
    default:
      break;
  }
  memcpy(to, text, reader_.size() + 1);
  return true;
}

void SettingsReader::network(JsonEvent event) {
  if (path_.is("wifi")) {
    if (event != JsonEvent::BeginArray) return refuse("wifi", "must be a list");
    staged_.network_count = 0;
    in_network_ = false;
    return;
  }
  if (path_.is("wifi.*")) {
    close_network();
    if (event != JsonEvent::BeginObject) return refuse("wifi", "must be a list of objects");
    skip_ = staged_.network_count == kMaxNetworks;
    if (skip_) return refuse("wifi", "can hold 4 networks");
    in_network_ = true;
    has_pass_ = false;
    staged_.networks[staged_.network_count] = Network{};
    return;
  }
  if (!in_network_ || skip_) return;
  Network& network = staged_.networks[staged_.network_count];
  const char* text = reader_.text();
  if (path_.is("wifi.*.ssid")) {
    if (event != JsonEvent::String || reader_.size() >= kSsidBytes)
      return refuse("wifi.ssid", "must be a text of at most 32 bytes");
    memcpy(network.ssid, text, reader_.size() + 1);
  } else if (path_.is("wifi.*.pass")) {
    if (event == JsonEvent::Null) {  // an open network, even if a password was stored
      has_pass_ = true;
      return;
    }
    const bool fits = event == JsonEvent::String && reader_.size() < kPassBytes &&
                      (reader_.size() == 0 || reader_.size() >= kLeastPass);
    if (!fits) return refuse("wifi.pass", "must be empty or a text of 8 to 64 bytes");
    has_pass_ = reader_.size() > 0;
    memcpy(network.pass, text, reader_.size() + 1);
  }
}

/// A network without a name is dropped; one without a password keeps its stored password.
void SettingsReader::close_network() {
  if (!in_network_) return;
  in_network_ = false;
  Network& network = staged_.networks[staged_.network_count];
  if (network.ssid[0] == 0) return;
  for (uint8_t i = 0; i < current_->network_count && !has_pass_; i++) {
    if (strcmp(current_->networks[i].ssid, network.ssid) == 0)
      memcpy(network.pass, current_->networks[i].pass, kPassBytes);
  }
  staged_.network_count++;
}

void SettingsReader::row(JsonEvent event) {
  TickerSettings& ticker = staged_.ticker;
  if (path_.is("ticker.symbols")) {
    if (event != JsonEvent::BeginArray) return refuse("ticker.symbols", "must be a list");
    ticker.row_count = 0;
    in_row_ = false;
    without_source_ = 0;
    return;
  }
  if (path_.is("ticker.symbols.*")) {
    close_row();
    if (event != JsonEvent::BeginObject) return refuse("ticker.symbols", "must be a list of objects");
    skip_ = ticker.row_count == kMaxSymbols;
    if (skip_) return refuse("ticker.symbols", "can hold 8 symbols");
    in_row_ = true;
    ticker.rows[ticker.row_count] = Row{};
    ticker.rows[ticker.row_count].source = Source::Yahoo;
    without_source_ = static_cast<uint8_t>(without_source_ | 1u << ticker.row_count);
    return;
  }
  if (!in_row_ || skip_) return;
  Row& row = ticker.rows[ticker.row_count];
  const Decimal number = reader_.number();
  const bool amount = event == JsonEvent::Number && !is_negative(number);
  if (path_.is("ticker.symbols.*.symbol")) {
    if (event != JsonEvent::String || reader_.size() >= kSymbolBytes ||
        count_characters(reader_.text()) > kSymbolCharacters)
      return refuse("ticker.symbols.symbol",
                    "must be a text of at most 23 characters and 31 bytes: Ä or é takes two, 株 three");
    memcpy(row.symbol, reader_.text(), reader_.size() + 1);
  } else if (path_.is("ticker.symbols.*.name")) {
    if (event != JsonEvent::String || reader_.size() >= kNameBytes ||
        count_characters(reader_.text()) > kNameCharacters)
      return refuse("ticker.symbols.name",
                    "must be a text of at most 19 characters and 39 bytes: Ä or é takes two, 株 three");
    memcpy(row.name, reader_.text(), reader_.size() + 1);
  } else if (path_.is("ticker.symbols.*.source")) {
    if (source(event, &row.source)) without_source_ = static_cast<uint8_t>(without_source_ & ~(1u << ticker.row_count));
  } else if (path_.is("ticker.symbols.*.range")) {
    if (!own_range(event, &row.own_range))
      return refuse("ticker.symbols.range", "must be empty or 1d, 5d, 1mo, 3mo, 6mo, ytd, 1y, 2y, 5y or max");
  } else if (path_.is("ticker.symbols.*.pollSec")) {
    int64_t seconds = 0;
    if (event != JsonEvent::Number || !whole(number, 0, 3600, &seconds) || (seconds > 0 && seconds < 10))
      return refuse("ticker.symbols.pollSec", "must be 0 or a whole number from 10 to 3600");
    row.poll_s = static_cast<uint16_t>(seconds);
  } else if (path_.is("ticker.symbols.*.qty")) {
    if (!amount) return refuse("ticker.symbols.qty", "must be a number of 0 or more");
    row.quantity = number;
  } else if (path_.is("ticker.symbols.*.cost")) {
    if (!amount) return refuse("ticker.symbols.cost", "must be a number of 0 or more");
    row.cost = number;
  } else if (path_.is("ticker.symbols.*.above")) {
    if (!amount) return refuse("ticker.symbols.above", "must be a number of 0 or more");
    row.above = number;
  } else if (path_.is("ticker.symbols.*.below")) {
    if (!amount) return refuse("ticker.symbols.below", "must be a number of 0 or more");
    row.below = number;
  }
}

void SettingsReader::close_row() {
  if (!in_row_) return;
  in_row_ = false;
  const char* symbol = staged_.ticker.rows[staged_.ticker.row_count].symbol;
  while (*symbol == ' ') symbol++;
  if (*symbol != 0) staged_.ticker.row_count++;
}

/// A time frame of a row; "" means that of all rows.
bool SettingsReader::own_range(JsonEvent event, uint8_t* range) {
  if (event != JsonEvent::String) return false;
  *range = 0;
  for (uint8_t i = 0; i < 10; i++) {
    if (strcmp(reader_.text(), kRangeNames[i]) == 0) *range = static_cast<uint8_t>(i + 1);
  }
  return *range != 0 || reader_.size() == 0;
}

/// Accepts names and, for older files, numbers; an unknown name is read as webhook. Empty or null means missing.
bool SettingsReader::source(JsonEvent event, Source* source) {
  int64_t number = 0;
  if (event == JsonEvent::Number) {
    *source = whole(reader_.number(), 0, 3, &number) ? static_cast<Source>(number) : Source::Webhook;
    return true;
  }
  if (event != JsonEvent::String || reader_.size() == 0) return false;
  *source = Source::Webhook;
  for (uint8_t i = 0; i < 4; i++) {
    if (equal_fold(reader_.text(), reader_.size(), kSourceNames[i])) *source = static_cast<Source>(i);
  }
  return true;
}

bool SettingsReader::finish() {
  reader_.finish();
  if (!failed_) drain();
  close_network();
  close_row();
  if (failed_) return false;
  for (uint8_t i = 0; i < staged_.ticker.row_count && has_global_source_; i++) {
    if (without_source_ >> i & 1) staged_.ticker.rows[i].source = global_source_;
  }
  if (staged_.auth.enabled && staged_.auth.pass[0] == 0) {
    refuse("auth.enabled", "needs a password");
    staged_.auth.enabled = false;
  }
  return !failed_;
}

}  // namespace hearth
