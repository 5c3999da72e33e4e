// The web server: one request at a time, each answered and closed.
#include <string.h>

#include "app/app.h"
#include "app/placement_new.h"
#include "rom.h"
#include "web/page.h"

namespace hearth {
namespace {

constexpr char kSetupHost[] = "192.168.4.1";
constexpr uint8_t kMostNetworks = 25;

void head(TextOut& out, const char* status, const char* type, const char* more = "") {
  out.text("HTTP/1.1 ").text(status).text("\r\nContent-Type: ").text(type);
  out.text(
         "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: "
         "no-referrer\r\nConnection: close\r\n")
      .text(more)
      .text("\r\n");
}

void reply(ByteSink& client, const char* status, const char* json, const char* more = "") {
  TextOut out(client);
  head(out, status, "application/json", more);
  out.text(json);
}

void reply_error(ByteSink& client, const char* status, const char* code, const char* message = "") {
  TextOut out(client);
  head(out, status, "application/json");
  JsonOut json(out);
  json.begin_object().flag("ok", false).text("error", code);
  if (message[0] != 0) json.text("message", message);
  json.end_object();
}

}  // namespace

void App::web_open() {
  if (web_state_ == WebState::Upload && workspace_.owner == Owner::Web) workspace_.as<UploadSpace>().writer.abandon();
  release(Owner::Web);
  now_ = ports_.clock.millis();
  web_.start(settings_.auth.enabled ? &digest_ : nullptr, &settings_.auth, uptime_s_);
  web_state_ = WebState::Reading;
}

void App::web_receive(const uint8_t* bytes, size_t size, ByteSink& client) {
  now_ = web_used_at_ = ports_.clock.millis();
  web_used_ = true;
  while (web_state_ != WebState::Close && web_state_ != WebState::Idle) {
    const WebEvent event = web_.next(&bytes, &size);
    switch (event) {
      case WebEvent::More:
        return;
      case WebEvent::Head:
        web_head(client);
        break;
      case WebEvent::Body:
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
  return web_state_ == WebState::Close;
}

/// Accepts only addresses and the device's own names as Host, because a foreign name that resolves to the device (DNS
/// rebinding) must not give access to it.
bool App::own_host() const {
  char host[64];
  memcpy(host, web_.host(), sizeof host);
  char* port = strchr(host, ':');
  if (port != nullptr) *port = 0;
  if (strcmp(host, view_.address) == 0 || strcmp(host, "localhost") == 0 || strcmp(host, kSetupHost) == 0 ||
      strcmp(host, "127.0.0.1") == 0)
    return host[0] != 0;
  const size_t name = strlen(settings_.hostname);
  for (size_t i = 0; i < name; i++) {
    const char c = settings_.hostname[i];
    if (host[i] != (c >= 'A' && c <= 'Z' ? c + 32 : c)) return false;
  }
  return host[name] == 0 || strcmp(host + name, ".local") == 0;
}

bool App::web_allowed(ByteSink& client) {
  if (!own_host()) {
    // In the setup network every name resolves to the device, so phones that probe for internet access are redirected
    // to the page.
    if (join_.phase == JoinPhase::Setup && strcmp(web_.method(), "GET") == 0 &&
        strncmp(web_.target(), "/api/", 5) != 0) {
      web_redirect(client);
    } else {
      reply_error(client, "403 Forbidden", "unknown host", "Open this device by its address or by its own name.");
    }
    return false;
  }
  if (web_.foreign() && (strcmp(web_.method(), "GET") != 0 || strncmp(web_.target(), "/api/", 5) == 0)) {
    reply_error(client, "403 Forbidden", "foreign origin", "Another web page asked for this.");
    return false;
  }
  if (!settings_.auth.enabled || web_.login() == DigestResult::Good) return true;
  char nonce[kNonceBytes];
  digest_.nonce(uptime_s_, nonce);
  char header[192];
  BufferSink sink(header, sizeof header);
  {
    TextOut text(sink);
    text.text("WWW-Authenticate: Digest realm=\"")
        .text(kRealm)
        .text("\", qop=\"auth\", algorithm=MD5, nonce=\"")
        .text(nonce)
        .character('"');
    if (web_.login() == DigestResult::Stale) text.text(", stale=true");
    text.text("\r\n");
  }
  reply(client, "401 Unauthorized", "{\"ok\":false,\"error\":\"password needed\"}", header);
  return false;
}

void App::web_redirect(ByteSink& client) {
  TextOut out(client);
  head(out, "302 Found", "text/plain", "Location: http://192.168.4.1/\r\nContent-Length: 0\r\n");
}

void App::web_head(ByteSink& client) {
  // Reads a refused body to its end, because a browser that is disconnected while it sends doesn't show the reply.
  web_state_ = WebState::Answered;
  if (!web_allowed(client)) return;
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
    space.writer.start(ports_.system, ports_.hashes);
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
  web_state_ = WebState::Close;
  if (state == WebState::Settings) return web_settings_end(client);
  if (state == WebState::Upload) return web_upload_end(client);
  if (state == WebState::Ignore) web_get(client);
}

void App::web_get(ByteSink& client) {
  if (web_.is("GET", "/")) return web_page(client);
  const bool status = web_.is("GET", "/api/status");
  const bool config = web_.is("GET", "/api/config");
  if (status || config || web_.is("GET", "/api/export")) {
    TextOut out(client);
    head(out, "200 OK", "application/json",
         status || config ? "" : "Content-Disposition: attachment; filename=\"ticker-settings.json\"\r\n");
    JsonOut json(out);
    if (status) return write_status(json);
    return write_config(json, config ? Secrets::Hidden : Secrets::Included);
  }
  if (web_.is("GET", "/api/scan")) return web_scan(client);
  if (web_.is("GET", "/api/checkupdate")) {
    if (update_job_ == UpdateJob::None) begin_update(UpdateJob::Check);
    web_state_ = WebState::WaitForRelease;
    return;
  }
  if (web_.is("POST", "/api/refresh")) {
    schedule_step(&schedule_, now_, settings_.ticker.poll_s * 1000u, ScheduleEvent{ScheduleEventKind::Refresh, 0});
    return reply(client, "200 OK", "{\"ok\":true}");
  }
  if (web_.is("POST", "/api/reboot")) {
    restart_soon(800);
    return reply(client, "200 OK", "{\"ok\":true}");
  }
  if (web_.is("POST", "/api/factory")) {
    factory_reset();
    return reply(client, "200 OK", "{\"ok\":true}");
  }
  if (web_.is("POST", "/api/selfupdate")) {
    // An ESP8266 has enough memory for the download only right after a start, so the download is queued until after a
    // restart.
    if (ports_.system.board().chip == Chip::Esp8266) {
      const bool queued = ports_.store.create("update") && ports_.store.write("1", 1) && ports_.store.commit();
      if (!queued) return reply_error(client, "500 Internal Server Error", "not queued");
      update_message_ = "The update begins after a restart.";
      restart_soon(800);
    } else {
      update_queued_ = true;
      update_message_ = "The update is queued.";
    }
    return reply(client, "202 Accepted", "{\"ok\":true}");
  }
  if (join_.phase == JoinPhase::Setup && strcmp(web_.method(), "GET") == 0 && strncmp(web_.target(), "/api/", 5) != 0)
    return web_redirect(client);
  const bool known = strcmp(web_.method(), "GET") == 0 || strcmp(web_.method(), "POST") == 0;
  reply_error(client, known ? "404 Not Found" : "405 Method Not Allowed", known ? "not found" : "method");
}

void App::web_page(ByteSink& client) {
  TextOut out(client);
  head(out, "200 OK", "text/html; charset=utf-8",
       "Content-Encoding: gzip\r\nContent-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src "
       "'unsafe-inline'; connect-src 'self' https://www.cash.ch; img-src data:; form-action 'none'; frame-ancestors "
       "'none'; base-uri 'none'\r\n");
  for (size_t i = 0; i < kPageBytes; i++) out.character(static_cast<char>(rom_byte(kPage, i)));
}

void App::web_scan(ByteSink& client) {
  const uint8_t count = ports_.wifi.scan();
  TextOut out(client);
  head(out, "200 OK", "application/json");
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
  if (good) apply_settings(reader.result(), &restart);
  release(Owner::Web);
  if (!good) {
    TextOut out(client);
    head(out, "400 Bad Request", "application/json");
    JsonOut json(out);
    json.begin_object().flag("ok", false).text("error", error.key == nullptr ? "bad json" : "bad value");
    if (error.key != nullptr) json.text("key", error.key);
    json.text("rule", error.rule).end_object();
    return;
  }
  if (!save_settings())
    return reply_error(client, "500 Internal Server Error", "not saved",
                       "The settings could not be written to the flash memory.");
  if (restart || import) restart_soon(800);
  reply(client, "200 OK", restart || import ? "{\"ok\":true,\"reboot\":true}" : "{\"ok\":true,\"reboot\":false}");
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
  if (fault != UpdateFault::None) return reply_error(client, "400 Bad Request", "bad update", update_fault_text(fault));
  update_message_ = "The update is installed.";
  restart_soon(1200);
  TextOut out(client);
  head(out, "200 OK", "text/plain");
  out.text("OK");
}

void App::web_release(ByteSink& client) {
  web_state_ = WebState::Close;
  TextOut out(client);
  head(out, "200 OK", "application/json");
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
