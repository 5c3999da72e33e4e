// The web server: one request at a time, each answered and closed.
#include <string.h>

#include "app/app.h"
#include "app/placement_new.h"
#include "app/shot.h"
#include "app/web_reply.h"
#include "rom.h"
#include "web/page.h"

namespace hearth {
namespace {

constexpr uint8_t kMostNetworks = 25;
constexpr uint32_t kHeadMs = 5000;     // a browser sends its head at once
constexpr uint32_t kSilenceMs = 2000;  // browsers open connections that they never use
constexpr uint32_t kPaceMs = 5000;     // a body must bring kPaceBytes in it
constexpr uint16_t kPaceBytes = 1024;
constexpr uint32_t kDenyMs = 2000;

}  // namespace

void App::web_closed() {
  if (web_state_ == WebState::Upload && workspace_.owner == Owner::Web) {
    workspace_.as<UploadSpace>().writer.abandon();
    log("upload broken off");
  }
  if (web_state_ == WebState::WaitForTry && workspace_.owner == Owner::Web) workspace_.as<FetchSpace>().get.cancel();
  release(Owner::Web);
  web_state_ = WebState::Idle;
}

void App::web_open() {
  web_closed();
  now_ = web_used_at_ = web_since_ = ports_.clock.millis();
  web_.start(settings_.auth.enabled ? &digest_ : nullptr, &settings_.auth, uptime_s_);
  web_state_ = WebState::Reading;
}

void App::web_receive(const uint8_t* bytes, size_t size, ByteSink& client) {
  now_ = web_used_at_ = ports_.clock.millis();
  while (web_state_ != WebState::Close && web_state_ != WebState::Idle) {
    const WebEvent event = web_.next(&bytes, &size);
    switch (event) {
      case WebEvent::More:
        return;
      case WebEvent::Head:
        web_since_ = now_;
        web_bytes_ = 0;
        web_head(client);
        break;
      case WebEvent::Body:
        web_bytes_ = static_cast<uint16_t>(web_bytes_ + web_.body_size);
        if (web_bytes_ >= kPaceBytes) {
          web_since_ = now_;
          web_bytes_ = 0;
        }
        web_body(client);
        break;
      case WebEvent::End:
        return web_end(client);
      default:
        reply_error(client, event == WebEvent::TooLong ? "431 Request Header Fields Too Large" : "400 Bad Request",
                    "bad request");
        web_state_ = WebState::Close;
    }
  }
}

bool App::web_poll(ByteSink& client) {
  if (web_state_ == WebState::WaitForRelease && update_job_ == UpdateJob::None) web_release(client);
  if (web_state_ == WebState::WaitForTry && tried_) web_tried(client);
  if (web_state_ == WebState::Denied && ports_.clock.millis() - web_since_ >= kDenyMs) web_deny(client);
  return web_state_ == WebState::Close || web_too_slow();
}

/// Only while the client has to send something: it waits in silence for a reply.
bool App::web_too_slow() const {
  if (web_state_ == WebState::Idle || web_state_ == WebState::WaitForRelease || web_state_ == WebState::WaitForTry ||
      web_state_ == WebState::Denied)
    return false;
  const uint32_t now = ports_.clock.millis();
  return now - web_used_at_ >= kSilenceMs || now - web_since_ >= (web_state_ == WebState::Reading ? kHeadMs : kPaceMs);
}

void App::web_redirect(ByteSink& client) {
  TextOut out(client);
  reply_head(out, "302 Found", "text/plain", "Location: http://192.168.4.1/\r\nContent-Length: 0\r\n");
}

void App::web_head(ByteSink& client) {
  // Reads a refused body to its end, because a browser that is disconnected while it sends doesn't show the reply.
  web_state_ = WebState::Answered;
  if (!web_allowed(client)) return;
  // Not by a page that was left open, nor by a phone that looks for the internet: the device has to go home again.
  if (!web_.is("GET", "/api/status") && !web_.is("GET", "/api/screen")) {
    setup_used_ = true;
    setup_used_at_ = now_;
  }
  const bool here = present();
  if (needs_presence() && !here)
    return reply_error(client, "403 Forbidden", "presence needed",
                       "Type the code that the screen shows, to prove that you are at the device.");
  const bool settings = web_.is("POST", "/api/config") || web_.is("POST", "/api/import");
  const bool upload = web_.is("POST", "/update");
  web_state_ = WebState::Ignore;
  if (!settings && !upload) return;
  if (web_.length() == 0) {
    web_state_ = WebState::Answered;
    return reply_error(client, "400 Bad Request", "no body");
  }
  if (!claim(Owner::Web)) {
    web_state_ = WebState::Answered;
    return reply_error(client, "503 Service Unavailable", "busy",
                       "Something else is being saved or updated. Try again in a moment.");
  }
  if (settings) {
    web_state_ = WebState::Settings;
    workspace_.make<SettingsReader>().start(settings_, Strictness::Refuse);
  } else {
    web_state_ = WebState::Upload;
    UploadSpace& space = workspace_.make<UploadSpace>();
    space.writer.start(ports_.system, ports_.hashes, here);
    space.wrapped = space.multipart.start(web_.boundary(), strlen(web_.boundary()));
  }
  if (web_.expects_continue()) client.write("HTTP/1.1 100 Continue\r\n\r\n", 25);
}

void App::web_body(ByteSink& client) {
  if (web_state_ == WebState::Settings) workspace_.as<SettingsReader>().feed(web_.body, web_.body_size);
  if (web_state_ != WebState::Upload) return;
  UploadSpace& space = workspace_.as<UploadSpace>();
  const bool good = space.wrapped ? space.multipart.feed(web_.body, web_.body_size, space.writer)
                                  : space.writer.write(web_.body, web_.body_size);
  if (good) return;
  web_upload_end(client);
  web_state_ = WebState::Answered;
}

void App::web_end(ByteSink& client) {
  const WebState state = web_state_;
  if (state == WebState::Denied) return;
  web_state_ = WebState::Close;
  if (state == WebState::Settings) return web_settings_end(client);
  if (state == WebState::Upload) return web_upload_end(client);
  if (state == WebState::Ignore) web_answer(client);
}

void App::web_answer(ByteSink& client) {
  if (ports_.system.board().loader && (web_.is("GET", "/api/checkupdate") || web_.is("POST", "/api/selfupdate")))
    return reply_error(client, "501 Not Implemented", "loader",
                       "This small program can't download. Choose the update file on this page.");
  if (web_get(client) || web_post(client)) return;
  const bool get = strcmp(web_.method(), "GET") == 0;
  if (join_.phase == JoinPhase::Setup && get && strncmp(web_.target(), "/api/", 5) != 0) return web_redirect(client);
  const bool known = get || strcmp(web_.method(), "POST") == 0;
  reply_error(client, known ? "404 Not Found" : "405 Method Not Allowed", known ? "not found" : "method");
}

/// Answers what asks for something; returns false for anything else.
bool App::web_get(ByteSink& client) {
  if (web_.is("GET", "/")) {
    web_page(client);
  } else if (web_.is("GET", "/api/status") || web_.is("GET", "/api/config") || web_.is("GET", "/api/export")) {
    web_report(client);
  } else if (web_.is("GET", "/api/screen")) {
    web_screen(client);
  } else if (web_.is("GET", "/api/scan")) {
    web_scan(client);
  } else if (web_.is("GET", "/api/checkupdate")) {
    if (update_job_ == UpdateJob::None) begin_update(UpdateJob::Check);
    web_state_ = WebState::WaitForRelease;
  } else {
    return false;
  }
  return true;
}

void App::web_report(ByteSink& client) {
  const bool backup = web_.is("GET", "/api/export");
  TextOut out(client);
  reply_head(out, "200 OK", "application/json",
             backup ? "Content-Disposition: attachment; filename=\"ticker-settings.json\"\r\n" : "");
  JsonOut json(out);
  if (web_.is("GET", "/api/status")) return write_status(json);
  if (!backup) return write_config(json, Report::Page);
  // Secrets leave only for somebody who has just proved the password, and never by a network that anybody near sees.
  const bool proved = settings_.auth.enabled && join_.phase != JoinPhase::Setup;
  write_config(json, proved ? Report::Backup : Report::BackupWithoutSecrets);
}

/// Answers a request without a body; returns false if it is none of these. Those with bodies are in `web_end`.
bool App::web_post(ByteSink& client) {
  if (web_.is("POST", "/api/test")) {
    web_try(client);
  } else if (web_.is("POST", "/api/presence")) {
    web_code(client);
  } else if (web_.is("POST", "/api/selfupdate")) {
    web_self_update(client);
  } else {
    if (web_.is("POST", "/api/refresh"))
      schedule_step(&schedule_, now_, Intervals(settings_.ticker), ScheduleEvent{ScheduleEventKind::Refresh, 0});
    else if (web_.is("POST", "/api/reboot"))
      restart_soon(800);
    else if (web_.is("POST", "/api/factory"))
      factory_reset();
    else
      return false;
    reply_json(client, "200 OK", "{\"ok\":true}");
  }
  return true;
}

void App::web_try(ByteSink& client) {
  if (!begin_try())
    return reply_error(client, "409 Conflict", "not now",
                       "This can't be tested now: check symbol, source and network.");
  web_state_ = WebState::WaitForTry;
}

/// On an ESP8266 the download begins after a restart, when its memory is whole.
void App::web_self_update(ByteSink& client) {
  if (ports_.system.board().chip == Chip::Esp8266) {
    const bool queued = ports_.store.create("update") && ports_.store.write("1", 1) && ports_.store.commit();
    if (!queued) return reply_error(client, "500 Internal Server Error", "not queued");
    update_message_ = "The update begins after a restart.";
    restart_soon(800);
  } else {
    update_queued_ = true;
    update_message_ = "The update is queued.";
  }
  reply_json(client, "202 Accepted", "{\"ok\":true}");
}

void App::web_page(ByteSink& client) {
  TextOut out(client);
  reply_head(out, "200 OK", "text/html; charset=utf-8", kPageHeaders);
  for (size_t i = 0; i < kPageBytes; i++) out.character(static_cast<char>(rom_byte(kPage, i)));
}

/// Not what the screen shows to prove that somebody is there: the code, and the password of the setup network.
void App::web_screen(ByteSink& client) {
  if (ports_.painter == nullptr || view_.scene == Scene::Confirm || view_.scene == Scene::Setup)
    return reply_error(client, "409 Conflict", "no screen");
  TextOut out(client);
  reply_head(out, "200 OK", "application/octet-stream");
  class Bytes : public ByteSink {
   public:
    explicit Bytes(TextOut& out) : out_(out) {}
    bool write(const void* bytes, size_t size) override { return out_.bytes(bytes, size).good(); }

   private:
    TextOut& out_;
  } bytes(out);
  uint16_t pixels[kShotWidth];
  for (uint16_t y = 0; y < kShotHeight && out.good(); y++) {
    ports_.painter->rows(y, 1, pixels);
    write_runs(pixels, bytes);
  }
}

void App::web_scan(ByteSink& client) {
  const uint8_t count = ports_.wifi.scan();
  TextOut out(client);
  reply_head(out, "200 OK", "application/json");
  JsonOut json(out);
  json.begin_array();
  WifiSeen seen;
  for (uint8_t i = 0; i < count && i < kMostNetworks && ports_.wifi.seen(i, &seen); i++) {
    json.begin_object().text("ssid", seen.ssid).number("rssi", seen.rssi).flag("enc", seen.encrypted).end_object();
  }
  json.end_array();
}

void App::web_settings_end(ByteSink& client) {
  const bool import = web_.is("POST", "/api/import");
  SettingsReader& reader = workspace_.as<SettingsReader>();
  const bool good = reader.finish();
  const SettingsError error = reader.error();
  bool restart = false;
  const bool saved = good && take_settings(reader.result(), &restart);
  release(Owner::Web);
  if (!good) {
    TextOut out(client);
    reply_head(out, "400 Bad Request", "application/json");
    JsonOut json(out);
    json.begin_object().flag("ok", false).text("error", error.key == nullptr ? "bad json" : "bad value");
    if (error.key != nullptr) json.text("key", error.key);
    json.text("rule", error.rule).end_object();
    return;
  }
  if (!saved)
    return reply_error(client, "500 Internal Server Error", "not saved",
                       "The settings could not be written to the flash memory.");
  if (restart || import) restart_soon(800);
  reply_json(client, "200 OK", restart || import ? "{\"ok\":true,\"reboot\":true}" : "{\"ok\":true,\"reboot\":false}");
}

void App::web_upload_end(ByteSink& client) {
  UploadSpace& space = workspace_.as<UploadSpace>();
  UpdateFault fault = space.writer.fault();
  const bool cut = space.wrapped && !space.multipart.whole() && fault == UpdateFault::None;
  if (cut) {
    space.writer.abandon();
    fault = UpdateFault::Damaged;
  } else {
    fault = space.writer.finish();
  }
  release(Owner::Web);
  web_state_ = WebState::Close;
  if (fault != UpdateFault::None)
    return reply_error(client, "400 Bad Request", update_fault_code(fault), update_fault_text(fault));
  update_message_ = "The update is installed.";
  restart_soon(1200);
  TextOut out(client);
  reply_head(out, "200 OK", "text/plain");
  out.text("OK");
}

void App::web_release(ByteSink& client) {
  web_state_ = WebState::Close;
  TextOut out(client);
  reply_head(out, "200 OK", "application/json");
  JsonOut json(out);
  const bool good = update_message_[0] == 0;
  json.begin_object()
      .text("current", ports_.system.board().version)
      .flag("ok", good)
      .text("latest", good ? latest_ : "")
      .flag("newer", good && latest_newer_);
  if (!good) json.text("error", update_message_);
  json.end_object();
}

}  // namespace hearth
