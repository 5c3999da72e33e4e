#include "app/app.h"

#include <string.h>

#include "app/placement_new.h"
#include "io/text_out.h"
#include "io/utf8.h"
#include "text/wifi_code.h"

namespace hearth {
namespace {

constexpr uint32_t kJoinedSceneMs = 3500;
constexpr uint32_t kStaleIntervals = 3;
constexpr uint32_t kCodeMs = 120000;
constexpr uint32_t kForgetSerialMs = kLinkSilenceMs;
constexpr uint32_t kWebForgottenMs = 10000;  // longer than web_poll leaves a silent client

void write_address(uint32_t address, char out[16]) {
  BufferSink sink(out, 16);
  TextOut text(sink);
  for (int shift = 24; shift >= 0 && address != 0; shift -= 8) {
    text.number(address >> shift & 0xff);
    if (shift > 0) text.character('.');
  }
}

}  // namespace

void App::load() {
  if (loaded_) return;
  loaded_ = true;
  view_.settings = &settings_;
  view_.quotes = quotes_;
  view_.unsigned_ = ports_.system.board().update_key_count == 0;
  load_settings();
  if (draw_setup_password(settings_)) save_settings(settings_);
}

void App::start() {
  load();
  now_ = last_tick_ = ports_.clock.millis();
  digest_.start(ports_.entropy, ports_.hashes);
  schedule_ = schedule_start();
  ports_.system.recall(&crashes_, sizeof crashes_);
  count_crash(&crashes_, ports_.system.reset_cause());
  ports_.system.keep(&crashes_, sizeof crashes_);
  safe_mode_ = recent_crashes(crashes_) == kManyCrashes;
  safe_mode_left_s_ = kCrashWindowS;
  if (safe_mode_) log("safe mode after several crashes");
  if (ports_.store.open("update")) {  // an update was queued before the restart: one attempt
    ports_.store.close();
    ports_.store.remove("update");
    update_queued_ = !safe_mode_;
  }
  begin_join();
  choose_scene(now_);
}

void App::restart_soon(uint32_t delay_ms) {
  restart_pending_ = true;
  restart_at_ = now_ + delay_ms;
}

bool App::claim(Owner owner) {
  if (workspace_.owner == Owner::Fetch) {
    workspace_.as<FetchSpace>().get.cancel();
    schedule_step(&schedule_, now_, Intervals(settings_.ticker), ScheduleEvent{ScheduleEventKind::Cancelled, 0});
    step_waits_ = false;
    workspace_.owner = Owner::Nobody;
  }
  if (workspace_.owner != Owner::Nobody) return false;
  workspace_.owner = owner;
  return true;
}

void App::release(Owner owner) {
  if (workspace_.owner == owner) workspace_.owner = Owner::Nobody;
}

void App::log(const char* text, const char* detail) {
  char line[96];
  BufferSink sink(line, sizeof line);
  TextOut(sink).text(text).text(detail);
  ports_.log.line(line);
  if (!log_wanted_) return;
  LinkWriter frame(ports_.serial);
  frame.begin(static_cast<uint8_t>(LinkType::Log) | kLinkReply, 0, static_cast<uint16_t>(strlen(line)));
  frame.write(line, strlen(line));
  frame.end();
}

void App::count_time(uint32_t now) {
  part_ms_ = static_cast<uint16_t>(part_ms_ + (now - last_tick_ < 60000 ? now - last_tick_ : 0));
  uint32_t seconds = part_ms_ / 1000u;
  part_ms_ = static_cast<uint16_t>(part_ms_ % 1000u);
  if (now - last_tick_ >= 60000 && now - last_tick_ < 0x80000000u)
    seconds = (now - last_tick_) / 1000u;  // a long pause; a backward jump counts as none
  last_tick_ = now;
  if (seconds == 0) return;
  uptime_s_ += seconds;
  count_crashes(seconds);
  for (uint8_t i = 0; i < settings_.ticker.row_count; i++) {
    Quote& quote = quotes_[i];
    if (quote.state == QuoteState::Empty) continue;
    const uint32_t age = quote.age_s + seconds;
    const bool older = quote.state == QuoteState::Stale && quote.age_s / 60 != age / 60;
    if (older || settings_.ticker.show_updated_ago) view_.revision++;
    quote.age_s = age;
    const uint32_t limit = kStaleIntervals * row_poll_s(settings_.ticker, settings_.ticker.rows[i]);
    if (quote.state == QuoteState::Fresh && age > limit) {
      quote.state = QuoteState::Stale;
      view_.revision++;
    }
  }
}

/// The safe mode ends by itself; three more crashes start it again.
void App::count_crashes(uint32_t seconds) {
  age_crashes(&crashes_, seconds);
  if (safe_mode_ && seconds >= safe_mode_left_s_) {
    safe_mode_ = false;
    forget_crashes(&crashes_);
    log("safe mode is over");
    view_.revision++;
  }
  safe_mode_left_s_ = static_cast<uint16_t>(seconds < safe_mode_left_s_ ? safe_mode_left_s_ - seconds : 0);
  ports_.system.keep(&crashes_, sizeof crashes_);
}

/// A new firmware has proved itself after a minute in which one can reach its page: in a joined network or its own.
void App::confirm_firmware() {
  constexpr uint32_t kProofS = 60;
  const bool reachable = join_.phase == JoinPhase::Joined || join_.phase == JoinPhase::Setup;
  if (confirmed_ || uptime_s_ < kProofS || !reachable || safe_mode_) return;
  confirmed_ = true;
  ports_.system.confirm();
}

void App::update_clock(uint32_t now) {
  const bool wanted = settings_.clock.night_enabled || settings_.mode != Mode::Stocks || settings_.ticker.show_clock;
  if (wanted != keeping_time_) {
    keeping_time_ = wanted;
    ports_.clock.keep_time(wanted);
  }
  int64_t utc = 0;
  const bool known = wanted && ports_.clock.unix_seconds(&utc);
  CivilTime time = known ? civil_from_seconds(utc + utc_offset(zone_, utc)) : CivilTime{};
  const bool weekend = time.weekday == 0 || time.weekday == 6;
  const NightInput input{now, known, static_cast<uint16_t>(time.hour * 60 + time.minute), weekend,
                         ports_.clock.sync_age_ms()};
  if (night_step(&night_, settings_.clock, input)) ports_.clock.keep_time(true);
  if (view_.scene != Scene::Clock) time.second = 0;  // only the clock shows seconds
  if (memcmp(&time, &view_.time, sizeof time) != 0 || known != view_.time_known || night_.night != view_.night)
    view_.revision++;
  view_.time = time;
  view_.time_known = known;
  view_.night = night_.night;
  update_brightness();
}

/// No new revision of the view: the backlight changes no pixel.
void App::update_brightness() {
  const uint32_t now = ports_.clock.millis();  // a request in this turn may have taken seconds
  const bool automatic = settings_.auto_brightness && ports_.panel.has_light();
  if (!automatic) {
    light_.forget();
  } else if (light_.wants(now)) {
    light_.add(ports_.panel.light(), now);
  }
  const uint8_t brightness = backlight_level(settings_, night_.night, automatic ? light_.level(now) : kNoLight);
  if (brightness == view_.brightness && !panel_dirty_) return;
  view_.brightness = brightness;
  set_panel();
}

void App::set_panel() {
  if (panel_dirty_) {
    const PanelSetup setup{settings_.rotation, static_cast<uint8_t>(settings_.display.color_order),
                           settings_.display.invert, settings_.backlight_inverted};
    ports_.panel.configure(setup);
  }
  panel_dirty_ = false;
  ports_.panel.backlight(view_.brightness);
}

Scene App::standing_scene(uint32_t now) {
  if (ports_.system.board().loader) return Scene::Loader;
  if (settings_.mode == Mode::Clock || (night_.night && settings_.clock.night_clock)) return Scene::Clock;
  if (settings_.mode == Mode::Carousel) {
    const uint32_t period = settings_.carousel_s * 1000u;
    const uint32_t shown = now - carousel_since_;
    if (shown >= 2 * period) carousel_since_ = now;
    if (shown >= period && shown < 2 * period) return Scene::Clock;
  }
  if (settings_.ticker.row_count == 0) return Scene::NoSymbols;
  if (view_.online) return Scene::Ticker;
  for (uint8_t i = 0; i < settings_.ticker.row_count; i++) {
    if (quotes_[i].state != QuoteState::Empty) return Scene::Ticker;
  }
  return Scene::NoNetwork;
}

void App::choose_ticker_page(uint32_t now) {
  const TickerSettings& ticker = settings_.ticker;
  bool portfolio = false;
  for (uint8_t i = 0; i < ticker.row_count; i++)
    portfolio = portfolio || (ticker.show_portfolio && !is_zero(ticker.rows[i].quantity));
  view_.pages = static_cast<uint8_t>(ticker.row_count + (ticker.watchlist ? 1 : 0) + (portfolio ? 1 : 0));
  if (now - page_since_ >= ticker.rotate_s * 1000u) {
    page_since_ = now;
    view_.page++;
  }
  if (view_.page >= view_.pages) view_.page = 0;
  view_.index = view_.page < ticker.row_count ? view_.page : static_cast<uint8_t>(0);
  if (view_.page < ticker.row_count) return;
  view_.scene = ticker.watchlist && view_.page == ticker.row_count ? Scene::Watchlist : Scene::Portfolio;
}

void App::choose_scene(uint32_t now) {
  const Scene before = view_.scene;
  const uint8_t page = view_.page;
  const uint8_t progress = view_.progress;
  const bool online = view_.online;
  view_.online = join_.phase == JoinPhase::Joined;
  const bool uploading = workspace_.owner == Owner::Web && web_state_ == WebState::Upload;
  if (view_.online && !announced_) {
    announced_ = true;
    scene_since_ = now;
  }
  if (uploading || update_job_ == UpdateJob::Download) {
    view_.scene = Scene::Updating;
    view_.progress =
        uploading ? workspace_.as<UploadSpace>().writer.progress() : workspace_.as<ReleaseSpace>().writer.progress();
  } else if (view_.code[0] != 0 && now - code_since_ < kCodeMs) {
    view_.scene = Scene::Confirm;
  } else if (safe_mode_) {
    view_.scene = Scene::SafeMode;
  } else if (join_.phase == JoinPhase::Setup) {
    view_.scene = Scene::Setup;
  } else if (!announced_) {
    view_.scene = Scene::Boot;
  } else if (view_.online && now - scene_since_ < kJoinedSceneMs) {
    view_.scene = Scene::Joined;
  } else {
    view_.scene = standing_scene(now);
    if (view_.scene == Scene::Ticker) choose_ticker_page(now);
  }
  const char* network = settings_.ap_ssid;
  if (view_.scene != Scene::Setup) network = join_.count > 0 ? settings_.networks[join_.order[join_.at]].ssid : "";
  copy_text(view_.network, sizeof view_.network, network, sizeof view_.network);
  char address[16];
  write_address(ports_.wifi.address(), address);
  const bool moved = strcmp(address, view_.address) != 0;
  memcpy(view_.address, address, sizeof address);
  if (before != view_.scene || moved) write_scan_code();
  if (before != view_.scene || page != view_.page || progress != view_.progress || online != view_.online || moved)
    view_.revision++;
}

void App::write_scan_code() {
  if (view_.scene == Scene::Setup) make_wifi_code(settings_.ap_ssid, settings_.ap_pass, &view_.scan_code);
  if (view_.scene == Scene::NoSymbols) make_page_code(view_.address, &view_.scan_code);
}

void App::tick() {
  const uint32_t now = now_ = ports_.clock.millis();
  count_time(now);
  if (restart_pending_ && static_cast<int32_t>(now - restart_at_) >= 0) {
    restart_pending_ = false;
    ports_.system.restart();
    return;
  }
  if (now - serial_at_ >= kForgetSerialMs) {  // the cable was unplugged within a frame
    if (link_.active() && workspace_.owner == Owner::Serial) release(Owner::Serial);
    link_.reset();
    improv_.reset();
  }
  if (setup_used_ && workspace_.owner == Owner::Web) setup_used_at_ = now;
  if (setup_used_ && now - setup_used_at_ > kSetupRetryMs) setup_used_ = false;
  if (view_.code[0] != 0 && now - code_since_ >= kCodeMs) view_.code[0] = 0;
  if (workspace_.owner == Owner::Web && now - web_used_at_ > kWebForgottenMs) web_closed();
  if (web_state_ == WebState::WaitForTry && workspace_.owner == Owner::Web) tick_try();
  if (workspace_.owner == Owner::Improv) {
    tick_improv(now);
  } else {
    tick_join(now);
  }
  if (update_job_ != UpdateJob::None) {
    tick_update(now);
  } else if (update_queued_ && join_.phase == JoinPhase::Joined) {
    update_queued_ = false;
    begin_update(UpdateJob::Install);
  } else if (!safe_mode_) {
    tick_fetch(now);
  }
  end_flashes(now);
  confirm_firmware();
  update_clock(now);
  choose_scene(now);
}

}  // namespace hearth
