// Reports that the web API and the serial channel share.
#include <string.h>

#include "app/app.h"
#include "quote/format.h"
#include "settings/codec.h"

namespace hearth {
namespace {

const char* chip_name(Chip chip) {
  static const char* const kNames[] = {"esp8266", "esp32", "esp32c2", "esp32c3"};
  return kNames[static_cast<uint8_t>(chip)];
}

const char* reset_name(ResetCause cause) {
  static const char* const kNames[] = {"power on", "restart", "crash", "watchdog", "other"};
  return kNames[static_cast<uint8_t>(cause)];
}

/// As in RFC 3339, with the offset of the zone in minutes.
void write_time(const CivilTime& time, int32_t offset_s, JsonOut& json) {
  char text[32];
  BufferSink sink(text, sizeof text);
  {
    TextOut out(sink);
    out.number(time.year).character('-').two(time.month).character('-').two(time.day).character('T');
    out.two(time.hour).character(':').two(time.minute).character(':').two(time.second);
    const int32_t minutes = (offset_s < 0 ? -offset_s : offset_s) / 60;
    out.character(offset_s < 0 ? '-' : '+').two(static_cast<uint8_t>(minutes / 60)).character(':');
    out.two(static_cast<uint8_t>(minutes % 60));
  }
  json.text("time", text);
}

}  // namespace

void App::write_features(JsonOut& json) {
  const BoardInfo& board = ports_.system.board();
  json.begin_object("features")
      .flag("github", settings_.ticker.repo[0] != 0 || (board.repo_owner[0] != 0 && board.repo_name[0] != 0))
      .flag("clock", true)
      .flag("update", true)
      .flag("lightSensor", ports_.panel.has_light())
      .end_object();
  json.text("chip", chip_name(board.chip)).text("board", board.board);
}

void App::write_config(JsonOut& json, Report report) {
  json.begin_object();
  if (report != Report::Page) json.number("v", 1);
  write_settings(settings_, report == Report::Backup ? Secrets::Included : Secrets::Hidden, json);
  if (report == Report::Page) write_features(json);
  json.end_object();
}

void App::write_tickers(JsonOut& json) {
  json.begin_array("tickers");
  for (uint8_t i = 0; i < settings_.ticker.row_count; i++) {
    const Quote& quote = quotes_[i];
    json.begin_object()
        .text("symbol", settings_.ticker.rows[i].symbol)
        .text("source", source_name(settings_.ticker.rows[i].source));
    json.flag("valid", quote.state != QuoteState::Empty)
        .flag("fresh", quote.state == QuoteState::Fresh)
        .text("error", reason_code(quote.reason));
    if (quote.http_status != 0) json.number("httpStatus", quote.http_status);
    if (quote.reason != Reason::None && i < schedule_.count)
      json.number("retryIn", schedule_wait(schedule_, i, now_) / 1000);
    if (quote.state != QuoteState::Empty) {
      Decimal change = quote.change;
      int32_t percent = quote.percent;
      const bool on_range = settings_.ticker.change_on_range && span_change(quote, &change, &percent);
      json.decimal("price", quote.price).text("currency", quote.currency).number("age", quote.age_s);
      if (on_range || quote.has_change) json.decimal("change", change).decimal("changePct", Decimal{percent, -2});
      json.text("basis", on_range ? "range" : "day");
    }
    json.end_object();
  }
  json.end_array();
}

void App::write_status(JsonOut& json) {
  const BoardInfo& board = ports_.system.board();
  const bool setup = join_.phase == JoinPhase::Setup;
  json.begin_object()
      .text("fw", board.version)
      .text("version", board.version)
      .text("chip", chip_name(board.chip))
      .text("board", board.board)
      .text("hostname", settings_.hostname);
  char repo[kRepoBytes + 40];
  BufferSink sink(repo, sizeof repo);
  if (settings_.ticker.repo[0] != 0) {
    TextOut(sink).text(settings_.ticker.repo);
  } else if (board.repo_owner[0] != 0)
    TextOut(sink).text(board.repo_owner).character('/').text(board.repo_name);
  json.text("repo", repo)
      .text("mode", setup ? "ap" : "sta")
      .flag("connected", join_.phase == JoinPhase::Joined)
      .text("ssid", view_.network)
      .text("ip", view_.address);
  json.number("rssi", ports_.wifi.rssi())
      .number("heap", ports_.system.free_heap())
      .number("maxblk", ports_.system.largest_block())
      .number("contstk", ports_.system.free_stack());
  json.number("uptime", uptime_s_).text("reset", reset_name(ports_.system.reset_cause())).flag("safeMode", safe_mode_);
  json.number("crashes", recent_crashes(crashes_));
  json.flag("synced", view_.time_known);
  if (view_.time_known) {
    int64_t utc = 0;
    ports_.clock.unix_seconds(&utc);
    const int32_t offset = utc_offset(zone_, utc);
    write_time(civil_from_seconds(utc + offset), offset, json);
  }
  json.text("tz", settings_.clock.tz)
      .flag("night", night_.night)
      .flag("nightHeld", night_.held)
      .flag("clockFresh", ports_.clock.sync_age_ms() <= kFreshSyncMs);
  if (update_message_[0] != 0) json.text("updateMsg", update_message_);
  write_tickers(json);
  json.end_object();
}

}  // namespace hearth
