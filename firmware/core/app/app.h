// The device as a state machine. A board's loop passes serial bytes, serves one web client, calls `tick` and draws
// `view`.
//   app.start();
//   for (;;) { app.serial(bytes, n); web client → app.web_…; app.tick(); screen.draw(app.view(), panel); }
#pragma once
#include "app/crashes.h"
#include "app/view.h"
#include "app/workspace.h"
#include "clock/light.h"
#include "clock/night.h"
#include "clock/time_zone.h"
#include "port.h"
#include "provision/improv.h"
#include "provision/join.h"
#include "provision/link.h"
#include "schedule/schedule.h"
#include "web/digest.h"
#include "web/request.h"

namespace hearth {

class App {
 public:
  explicit App(const Ports& ports) : ports_(ports) {}
  /// Loads the settings; defaults if the file is missing or damaged. For boards whose radio wants the host name before
  /// it starts; otherwise `start` does it.
  void load();
  /// Starts to join a network.
  void start();
  /// One step of the device; at most one network request is in progress. Call it often; it returns quickly.
  void tick();
  /// Whether a finger is on the touch pad, of boards that have one: a short touch shows the next page, 5 s open the
  /// setup network, 15 s reset the device. Who can touch it is there.
  void touch(bool down);
  /// Accepts bytes from the serial line in chunks of any size. Replies go to `Ports::serial`.
  void serial(const uint8_t* bytes, size_t size);
  /// A web client connected; a request in progress is dropped.
  void web_open();
  /// The web client is gone or was disconnected, in the middle of a request or after it. The board must say so.
  void web_closed();
  /// Accepts bytes of its request in chunks of any size. The reply goes to `client`, immediately or from `web_poll`.
  void web_receive(const uint8_t* bytes, size_t size, ByteSink& client);
  /// Continues a pending reply. Returns true when the board should close the connection: after the reply, or because
  /// the client sends too slowly.
  bool web_poll(ByteSink& client);
  /// The current view.
  const View& view() const { return view_; }
  /// Logs a line; also sends it over the serial channel while the log is switched on there.
  void log(const char* text, const char* detail = "");

 private:
  enum class WebState : uint8_t {
    Idle,
    Reading,
    Settings,
    Upload,
    Ignore,
    WaitForRelease,
    WaitForTry,
    Denied,
    Answered,
    Close
  };
  enum class Report : uint8_t {
    Page,    ///< for a form: what is secret is hidden, and what the board has is added
    Backup,  ///< as the stored file
    BackupWithoutSecrets,
  };
  enum class UpdateJob : uint8_t { None, Check, Install, Download };

  // app.cpp: life, time, scenes
  void load_settings();
  bool save_settings(const Settings& settings);
  bool take_settings(Settings& settings, bool* restart);
  void apply_settings(const Settings& settings, bool* restart);
  void factory_reset();
  /// Draws a password for the setup network if there is none. Returns whether it did.
  bool draw_setup_password(Settings& settings);
  void count_time(uint32_t now);
  void count_crashes(uint32_t seconds);
  void update_clock(uint32_t now);
  void update_brightness();
  void confirm_firmware();
  void end_touch(uint32_t held_ms);
  void choose_scene(uint32_t now);
  /// What a phone can scan in this scene.
  void write_scan_code();
  void choose_ticker_page(uint32_t now);
  Scene standing_scene(uint32_t now);
  void set_panel();
  void restart_soon(uint32_t delay_ms);
  /// Reserves the workspace; only a fetch yields to other owners.
  bool claim(Owner owner);
  void release(Owner owner);

  // network.cpp: joining and fetching
  void begin_join();
  void tick_join(uint32_t now);
  void tick_fetch(uint32_t now);
  void begin_fetch(uint8_t row, bool mirror, Step step, uint32_t now);
  /// Sends the request of a space; otherwise says why it can't be sent.
  Reason begin_get(FetchSpace& space, uint32_t now);
  void end_fetch(uint32_t now);
  void fail_fetch(Reason reason, uint16_t status, uint32_t now);
  void announce_price(Decimal before, uint32_t now);
  void end_flashes(uint32_t now);
  void hold_source(Source source, uint32_t now);
  bool heap_allows(const Endpoint& endpoint, Source source);
  bool series_wanted() const;
  SourceRequest source_request(uint8_t row, bool mirror, Step step) const;

  // app_update.cpp: releases from GitHub
  void begin_update(UpdateJob job);
  bool next_piece(ReleaseSpace& space, uint32_t now);
  void begin_release(ReleaseStep step, const Url& url, uint32_t now);
  void tick_update(uint32_t now);
  void end_update(const char* message);

  // app_try.cpp: a symbol that is not in the settings
  bool begin_try();
  void tick_try();
  void web_tried(ByteSink& client);

  // app_serial.cpp: serial line
  void serial_byte(uint8_t byte);
  void link_frame();
  void link_reply(LinkType type, const char* json);
  void link_error(const char* code);
  void link_screen();
  void link_set_result();
  void improv_command();
  void improv_settings();
  void tick_improv(uint32_t now);
  void improv_url();

  // app_web.cpp: web server
  void web_head(ByteSink& client);
  void web_body(ByteSink& client);
  void web_end(ByteSink& client);
  void web_answer(ByteSink& client);
  bool web_get(ByteSink& client);
  void web_report(ByteSink& client);
  bool web_post(ByteSink& client);
  void web_try(ByteSink& client);
  void web_self_update(ByteSink& client);
  bool web_allowed(ByteSink& client);
  bool web_logged_in(ByteSink& client);
  void web_deny(ByteSink& client);
  bool web_too_slow() const;
  void web_code(ByteSink& client);
  bool present();
  bool needs_presence() const;
  bool own_host() const;
  void web_page(ByteSink& client);
  void web_scan(ByteSink& client);
  void web_screen(ByteSink& client);
  void web_settings_end(ByteSink& client);
  void web_upload_end(ByteSink& client);
  void web_release(ByteSink& client);
  void web_redirect(ByteSink& client);

  // report.cpp: reports of both channels
  void write_config(JsonOut& json, Report report);
  void write_status(JsonOut& json);
  void write_tickers(JsonOut& json);
  void write_features(JsonOut& json);

  Ports ports_;
  Settings settings_{};
  Quote quotes_[kMaxSymbols] = {};
  RowMemory memory_[kMaxSymbols] = {};
  ScheduleState schedule_{};
  JoinState join_{};
  NightState night_{};
  LightMeter light_;
  CrashMemory crashes_{};
  TimeZone zone_{};
  View view_{};
  Digest digest_;
  WebRequest web_;
  LinkReceiver link_;
  ImprovReceiver improv_;
  Workspace workspace_;

  uint32_t now_ = 0;
  uint32_t last_tick_ = 0;
  uint32_t uptime_s_ = 0;
  uint16_t part_ms_ = 0;
  uint32_t scene_since_ = 0;
  uint32_t page_since_ = 0;
  uint32_t carousel_since_ = 0;
  uint32_t serial_at_ = 0;
  uint32_t web_used_at_ = 0;
  uint32_t setup_used_at_ = 0;
  uint32_t web_since_ = 0;                 // of the head, or of the last kilobyte of the body
  uint16_t web_bytes_ = 0;                 // of the body, since then
  uint32_t code_since_ = 0;                // view_.code is valid for kCodeMs
  static constexpr uint8_t kNoCode = 255;  // none was ever shown
  uint8_t code_tries_ = kNoCode;
  uint8_t web_failures_ = 0;  // wrong passwords in a row
  uint32_t restart_at_ = 0;
  uint32_t improv_since_ = 0;
  uint32_t touched_at_ = 0;
  bool touched_ = false;
  bool loaded_ = false;
  bool restart_pending_ = false;
  bool setup_used_ = false;
  bool safe_mode_ = false;
  uint16_t safe_mode_left_s_ = 0;
  bool confirmed_ = false;
  bool announced_ = false;  // the joined screen was shown
  bool keeping_time_ = false;
  bool log_wanted_ = false;
  bool link_refused_ = false;
  bool retried_ = false;  // the portal's quote was requested twice
  bool panel_dirty_ = true;
  uint8_t fetch_row_ = 0;
  bool fetch_mirror_ = false;
  Step fetch_step_ = Step::Quote;
  bool step_waits_ = false;  // another step of the same fetch comes on the next turn
  char try_symbol_[kSymbolBytes] = {};
  bool tried_ = false;
  WebState web_state_ = WebState::Idle;
  UpdateJob update_job_ = UpdateJob::None;
  bool update_queued_ = false;
  const char* update_message_ = "";
  char latest_[16] = {};
  bool latest_newer_ = false;
};

}  // namespace hearth
