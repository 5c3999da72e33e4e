#include <string.h>

#include "settings/codec.h"
#include "settings/fields.h"

namespace hearth {
namespace {

template <typename T>
const T& at(const Settings& settings, uint16_t offset) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const uint8_t*>(&settings) + offset);
}

void write_time(const char* key, uint16_t minutes, JsonOut& json) {
  char text[6];
  BufferSink sink(text, sizeof text);
  TextOut(sink).two(static_cast<uint8_t>(minutes / 60)).character(':').two(static_cast<uint8_t>(minutes % 60));
  json.text(key, text);
}

void write_field(const Settings& settings, const Field& field, Secrets secrets, JsonOut& json) {
  switch (field.kind) {
    case FieldKind::Flag:
      json.flag(field.key, at<bool>(settings, field.offset));
      break;
    case FieldKind::Byte:
      json.number(field.key, at<uint8_t>(settings, field.offset));
      break;
    case FieldKind::Word:
      json.number(field.key, at<uint16_t>(settings, field.offset));
      break;
    case FieldKind::Choice:
      json.text(field.key, field.names[at<uint8_t>(settings, field.offset)]);
      break;
    case FieldKind::Minutes:
      write_time(field.key, at<uint16_t>(settings, field.offset), json);
      break;
    case FieldKind::Secret:
    case FieldKind::KeptSecret:
      if (secrets == Secrets::Hidden) {
        json.flag(field.offset == offsetof(Settings, ap_pass) ? "apPassSet" : "passSet",
                  at<char>(settings, field.offset) != 0);
        break;
      }
      [[fallthrough]];
    default:
      json.text(field.key, &at<char>(settings, field.offset));
      break;
  }
}

void write_networks(const Settings& settings, Secrets secrets, JsonOut& json) {
  json.begin_array("wifi");
  for (uint8_t i = 0; i < settings.network_count; i++) {
    const Network& network = settings.networks[i];
    json.begin_object().text("ssid", network.ssid);
    if (secrets == Secrets::Included) {
      json.text("pass", network.pass);
    } else {
      json.flag("passSet", network.pass[0] != 0);
    }
    json.end_object();
  }
  json.end_array();
}

void write_rows(const TickerSettings& ticker, JsonOut& json) {
  json.begin_array("symbols");
  for (uint8_t i = 0; i < ticker.row_count; i++) {
    const Row& row = ticker.rows[i];
    json.begin_object().text("symbol", row.symbol).text("name", row.name).text("source", source_name(row.source));
    json.text("range", row.own_range == 0 ? "" : range_name(row_range(ticker, row))).number("pollSec", row.poll_s);
    json.decimal("qty", row.quantity).decimal("cost", row.cost);
    json.decimal("above", row.above).decimal("below", row.below).end_object();
  }
  json.end_array();
}

}  // namespace

void write_settings(const Settings& settings, Secrets secrets, JsonOut& json) {
  const char* section = "";
  for (uint8_t i = 0; i < kFieldCount; i++) {
    const Field& field = kFields[i];
    if (strcmp(field.section, section) != 0) {
      if (section[0] == 0) write_networks(settings, secrets, json);
      if (section[0] != 0) json.end_object();
      section = field.section;
      json.begin_object(section);
      if (strcmp(section, "ticker") == 0) write_rows(settings.ticker, json);
    }
    write_field(settings, field, secrets, json);
  }
  json.end_object();
}

}  // namespace hearth
