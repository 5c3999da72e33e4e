// The serial line: the link protocol (PROTOCOL.md) and Improv Wi-Fi share it.
#include <string.h>

#include "app/app.h"
#include "app/placement_new.h"
#include "app/shot.h"
#include "settings/codec.h"

namespace hearth {
namespace {

constexpr uint32_t kImprovJoinMs = 20000;
constexpr uint8_t kMostScanned = 25;

}  // namespace

void App::serial(const uint8_t* bytes, size_t size) {
  serial_at_ = now_ = ports_.clock.millis();
  for (size_t i = 0; i < size; i++) serial_byte(bytes[i]);
}

void App::serial_byte(uint8_t byte) {
  if (!link_.active()) {
    switch (improv_.push(byte)) {
      case ImprovEvent::Command:
        return improv_command();
      case ImprovEvent::Bad:
        return improv_send(ports_.serial, ImprovType::Error, static_cast<uint8_t>(ImprovError::InvalidPacket));
      default:
        break;
    }
    if (improv_.active()) return;
  }
  const LinkEvent event = link_.push(byte);
  const bool set = link_.type() == LinkType::Set;
  switch (event) {
    case LinkEvent::Begin:
      link_refused_ = set && !claim(Owner::Serial);
      if (set && !link_refused_) workspace_.make<SettingsReader>().start(settings_, Strictness::Refuse);
      break;
    case LinkEvent::Payload:
      if (set && !link_refused_) workspace_.as<SettingsReader>().feed(&byte, 1);
      break;
    case LinkEvent::Good:
      link_frame();
      break;
    case LinkEvent::Bad:
      release(Owner::Serial);
      link_error("bad_frame");
      break;
    default:
      break;
  }
}

/// A reply whose payload is written twice: once to count its bytes, once to the line.
template <typename Write>
static void stream_reply(ByteSink& serial, uint8_t type, uint8_t sequence, Write write) {
  CountingSink counter;
  write(counter);
  LinkWriter frame(serial);
  frame.begin(type, sequence, static_cast<uint16_t>(counter.count));
  write(frame);
  frame.end();
}

void App::link_reply(LinkType type, const char* json) {
  stream_reply(ports_.serial, static_cast<uint8_t>(static_cast<uint8_t>(type) | kLinkReply), link_.sequence(),
               [&](ByteSink& out) { out.write(json, strlen(json)); });
}

void App::link_error(const char* code) {
  stream_reply(ports_.serial, static_cast<uint8_t>(LinkType::Error) | kLinkReply, link_.sequence(), [&](ByteSink& out) {
    TextOut text(out);
    JsonOut(text).begin_object().text("error", code).end_object();
  });
}

void App::link_frame() {
  const uint8_t type = static_cast<uint8_t>(static_cast<uint8_t>(link_.type()) | kLinkReply);
  switch (link_.type()) {
    case LinkType::Info:
      return stream_reply(ports_.serial, type, link_.sequence(), [&](ByteSink& out) {
        TextOut text(out);
        JsonOut json(text);
        write_status(json);
      });
    case LinkType::Get:
      return stream_reply(ports_.serial, type, link_.sequence(), [&](ByteSink& out) {
        TextOut text(out);
        JsonOut json(text);
        write_config(json, Report::Page);
      });
    case LinkType::Set:
      return link_set_result();
    case LinkType::Refresh:
      schedule_step(&schedule_, now_, Intervals(settings_.ticker), ScheduleEvent{ScheduleEventKind::Refresh, 0});
      return link_reply(LinkType::Refresh, "{\"ok\":true}");
    case LinkType::Screen:
      return link_screen();
    case LinkType::Log:
      log_wanted_ = !log_wanted_;
      return link_reply(LinkType::Log, log_wanted_ ? "{\"log\":true}" : "{\"log\":false}");
    case LinkType::Reboot:
      restart_soon(800);
      return link_reply(LinkType::Reboot, "{\"ok\":true}");
    case LinkType::Factory:
      factory_reset();
      return link_reply(LinkType::Factory, "{\"ok\":true}");
    default:
      return link_error("unknown_type");
  }
}

void App::link_set_result() {
  if (link_refused_) return link_error("busy");
  SettingsReader& reader = workspace_.as<SettingsReader>();
  const bool good = reader.finish();
  const SettingsError error = reader.error();
  bool restart = false;
  const bool saved = good && take_settings(reader.result(), &restart);
  release(Owner::Serial);
  if (good && !saved) return link_error("not_saved");
  if (restart) restart_soon(800);
  stream_reply(ports_.serial, static_cast<uint8_t>(LinkType::Set) | kLinkReply, link_.sequence(), [&](ByteSink& out) {
    TextOut text(out);
    JsonOut json(text);
    json.begin_object().flag("ok", good);
    if (good) json.flag("reboot", restart);
    if (!good) json.text("key", error.key == nullptr ? "" : error.key).text("rule", error.rule);
    json.end_object();
  });
}

/// Sends one frame per row, with y and its runs, and a last frame with only y = 240.
void App::link_screen() {
  if (ports_.painter == nullptr) return link_error("no_screen");
  uint16_t pixels[kShotWidth];
  for (uint16_t y = 0; y < kShotHeight; y++) {
    ports_.painter->rows(y, 1, pixels);
    stream_reply(ports_.serial, static_cast<uint8_t>(LinkType::Screen) | kLinkReply, link_.sequence(),
                 [&](ByteSink& out) {
                   const uint8_t row = static_cast<uint8_t>(y);
                   out.write(&row, 1);
                   write_runs(pixels, out);
                 });
  }
  stream_reply(ports_.serial, static_cast<uint8_t>(LinkType::Screen) | kLinkReply, link_.sequence(), [](ByteSink& out) {
    const uint8_t end = kShotHeight;
    out.write(&end, 1);
  });
}

void App::improv_url() {
  char url[32];
  BufferSink sink(url, sizeof url);
  TextOut(sink).text("http://").text(view_.address).character('/');
  const char* const texts[] = {url};
  improv_result(ports_.serial, ImprovCommand::WifiSettings, texts, 1);
}

void App::improv_command() {
  ByteSink& out = ports_.serial;
  const BoardInfo& board = ports_.system.board();
  switch (improv_.command()) {
    case ImprovCommand::WifiSettings:
      return improv_settings();
    case ImprovCommand::RequestState: {
      const bool joined = join_.phase == JoinPhase::Joined && workspace_.owner != Owner::Improv;
      improv_send(out, ImprovType::State,
                  static_cast<uint8_t>(joined                              ? ImprovState::Provisioned
                                       : workspace_.owner == Owner::Improv ? ImprovState::Provisioning
                                                                           : ImprovState::Ready));
      if (!joined) return;
      char url[32];
      BufferSink sink(url, sizeof url);
      TextOut(sink).text("http://").text(view_.address).character('/');
      const char* const texts[] = {url};
      return improv_result(out, ImprovCommand::RequestState, texts, 1);
    }
    case ImprovCommand::DeviceInfo: {
      static const char* const kChips[] = {"ESP8266", "ESP32", "ESP32-C2", "ESP32-C3"};
      const char* const texts[] = {"Hearth ticker", board.version, kChips[static_cast<uint8_t>(board.chip)],
                                   settings_.hostname};
      return improv_result(out, ImprovCommand::DeviceInfo, texts, 4);
    }
    case ImprovCommand::Scan: {
      const uint8_t count = ports_.wifi.scan();
      WifiSeen seen;
      for (uint8_t i = 0; i < count && i < kMostScanned && ports_.wifi.seen(i, &seen); i++) {
        char rssi[6];
        BufferSink sink(rssi, sizeof rssi);
        TextOut(sink).number(seen.rssi);
        const char* const texts[] = {seen.ssid, rssi, seen.encrypted ? "YES" : "NO"};
        improv_result(out, ImprovCommand::Scan, texts, 3);
      }
      return improv_result(out, ImprovCommand::Scan, nullptr, 0);
    }
    default:
      return improv_send(out, ImprovType::Error, static_cast<uint8_t>(ImprovError::UnknownCommand));
  }
}

void App::improv_settings() {
  ByteSink& out = ports_.serial;
  Network given{};
  if (!improv_.wifi_settings(given.ssid, given.pass))
    return improv_send(out, ImprovType::Error, static_cast<uint8_t>(ImprovError::InvalidPacket));
  release(Owner::Improv);  // a second attempt replaces the first
  if (!claim(Owner::Improv)) return improv_send(out, ImprovType::Error, static_cast<uint8_t>(ImprovError::Unknown));
  workspace_.make<Network>() = given;
  improv_since_ = now_;
  improv_send(out, ImprovType::Error, static_cast<uint8_t>(ImprovError::None));
  improv_send(out, ImprovType::State, static_cast<uint8_t>(ImprovState::Provisioning));
  log("trying ", given.ssid);
  ports_.wifi.join(given.ssid, given.pass, settings_.hostname);
}

/// Stores a network only after joining it: as the first of the list, in place of the one with the same name or of the
/// last one.
void App::tick_improv(uint32_t now) {
  const WifiState wifi = ports_.wifi.state();
  if (wifi != WifiState::Joined && wifi != WifiState::Refused && now - improv_since_ < kImprovJoinMs) return;
  const Network given = workspace_.as<Network>();
  release(Owner::Improv);
  if (wifi != WifiState::Joined) {
    improv_send(ports_.serial, ImprovType::Error, static_cast<uint8_t>(ImprovError::CannotConnect));
    improv_send(ports_.serial, ImprovType::State, static_cast<uint8_t>(ImprovState::Ready));
    return begin_join();
  }
  uint8_t at = 0;
  while (at < settings_.network_count && strcmp(settings_.networks[at].ssid, given.ssid) != 0) at++;
  if (at == settings_.network_count) {
    if (at < kMaxNetworks) {
      settings_.network_count++;
    } else {
      at = kMaxNetworks - 1;
    }
  }
  for (; at > 0; at--) settings_.networks[at] = settings_.networks[at - 1];
  settings_.networks[0] = given;
  join_ = join_start(settings_, nullptr, 0, now);
  join_.phase = JoinPhase::Joining;  // of the first network, which replies at once
  tick_join(now);
  choose_scene(now);
  const bool saved = save_settings(settings_);
  if (!saved) improv_send(ports_.serial, ImprovType::Error, static_cast<uint8_t>(ImprovError::Unknown));
  improv_send(ports_.serial, ImprovType::State, static_cast<uint8_t>(ImprovState::Provisioned));
  improv_url();
}

}  // namespace hearth
