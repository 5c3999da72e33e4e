// Settings: read at the start, stored and followed when they change.
#include <string.h>

#include "app/app.h"
#include "app/placement_new.h"
#include "io/text_out.h"
#include "io/utf8.h"
#include "settings/codec.h"

namespace hearth {
namespace {

constexpr char kSettingsFile[] = "settings.json";

bool same_row(const Row& a, const Row& b) {
  return a.source == b.source && a.own_range == b.own_range && strcmp(a.symbol, b.symbol) == 0;
}

bool same_networks(const Settings& a, const Settings& b) {
  if (a.network_count != b.network_count) return false;
  for (uint8_t i = 0; i < a.network_count; i++) {
    if (strcmp(a.networks[i].ssid, b.networks[i].ssid) != 0 || strcmp(a.networks[i].pass, b.networks[i].pass) != 0)
      return false;
  }
  return true;
}

}  // namespace

void App::load_settings() {
  const BoardInfo& board = ports_.system.board();
  set_defaults(&settings_, board.chip_number, board.backlight_inverted);
  if (ports_.store.open(kSettingsFile)) {
    SettingsReader& reader = workspace_.make<SettingsReader>();
    reader.start(settings_, Strictness::Ignore);
    char bytes[64];
    for (size_t size = ports_.store.read(bytes, sizeof bytes); size > 0; size = ports_.store.read(bytes, sizeof bytes))
      reader.feed(bytes, size);
    ports_.store.close();
    if (reader.finish()) {
      settings_ = reader.result();
    } else {
      log("settings.json is broken: defaults");
    }
  }
  parse_time_zone(settings_.clock.tz_posix, &zone_);
}

bool App::save_settings(const Settings& settings) {
  class File : public ByteSink {
   public:
    explicit File(Store& store) : store_(store) {}
    bool write(const void* bytes, size_t size) override { return store_.write(bytes, size); }

   private:
    Store& store_;
  };
  if (!ports_.store.create(kSettingsFile)) return false;
  File file(ports_.store);
  TextOut out(file);
  JsonOut json(out);
  json.begin_object().number("v", 1);
  write_settings(settings, Secrets::Included, json);
  json.end_object();
  if (out.flush() && ports_.store.commit()) return true;
  ports_.store.abandon();
  return false;
}

/// Stores settings, then follows them; what could not be stored would be gone after the next start.
bool App::take_settings(Settings& settings, bool* restart) {
  draw_setup_password(settings);
  if (!save_settings(settings)) return false;
  apply_settings(settings, restart);
  return true;
}

void App::apply_settings(const Settings& settings, bool* restart) {
  *restart = !same_networks(settings_, settings) || strcmp(settings_.hostname, settings.hostname) != 0;
  const bool new_webhook = strcmp(settings_.ticker.webhook_url, settings.ticker.webhook_url) != 0;
  for (uint8_t i = 0; i < kMaxSymbols; i++) {
    const Row& row = settings.ticker.rows[i];
    const bool kept = i < settings.ticker.row_count && i < settings_.ticker.row_count &&
                      same_row(row, settings_.ticker.rows[i]) && !(row.source == Source::Webhook && new_webhook);
    if (kept) continue;
    quotes_[i] = Quote{};
    memory_[i] = RowMemory{};
    if (i < settings.ticker.row_count) quotes_[i].reason = Reason::NotYet;
  }
  settings_ = settings;
  write_scan_code();
  parse_time_zone(settings_.clock.tz_posix, &zone_);
  night_ = NightState{};
  panel_dirty_ = true;
  schedule_step(&schedule_, now_, Intervals(settings_.ticker), ScheduleEvent{ScheduleEventKind::Refresh, 0});
  step_waits_ = false;
  view_.revision++;
}

bool App::draw_setup_password(Settings& settings) {
  constexpr char kClear[] = "abcdefghjkmnpqrstuvwxyz23456789";  // without l, o, i, 0 and 1, which look alike
  constexpr size_t kDrawn = 8;
  if (count_characters(settings.ap_pass) >= kDrawn) return false;
  uint8_t chance[kDrawn];
  ports_.entropy.fill(chance, sizeof chance);
  for (size_t i = 0; i < kDrawn; i++) settings.ap_pass[i] = kClear[chance[i] % (sizeof kClear - 1)];
  settings.ap_pass[kDrawn] = 0;
  return true;
}

void App::factory_reset() {
  ports_.store.remove(kSettingsFile);
  log("factory reset");
  restart_soon(800);
}

}  // namespace hearth
