#include "render/scene.h"

#include <string.h>

#include "io/utf8.h"
#include "parse/json.h"
#include "text/wifi_code.h"
#include "source/series.h"

namespace hearth {
namespace {

#define HEARTH_SCENE(id, name) name,
constexpr const char* kScenes[] = {HEARTH_SCENES(HEARTH_SCENE)};
#undef HEARTH_SCENE
constexpr const char* kStates[] = {"empty", "fresh", "stale"};
constexpr const char* kMarkets[] = {"unknown", "open", "closed", "before", "after"};
constexpr const char* kReasons[] = {"none",           "not-yet",    "not-configured", "no-network",     "no-address",
                                    "no-connection",  "tls-failed", "certificate",    "too-slow",       "rate-limited",
                                    "http-status",    "bad-answer", "too-large",      "unknown-symbol", "no-price",
                                    "source-says-no", "low-memory"};

template <size_t N>
constexpr size_t count(const char* const (&)[N]) {
  return N;
}
static_assert(count(kStates) == static_cast<size_t>(QuoteState::Stale) + 1, "a state has no name");
static_assert(count(kReasons) == static_cast<size_t>(Reason::LowMemory) + 1, "a reason has no name");

template <size_t N>
bool choose(const char* const (&names)[N], const char* text, uint8_t* chosen) {
  for (size_t k = 0; k < N; ++k) {
    if (strcmp(names[k], text) == 0) return *chosen = static_cast<uint8_t>(k), true;
  }
  return false;
}

class SceneReader {
 public:
  explicit SceneReader(SceneState* state) : state_(state) {}
  bool value(JsonEvent event, const JsonReader& reader, const JsonPath& path);
  bool end_quote(JsonEvent event, const JsonPath& path);

 private:
  bool view_value(JsonEvent event, const JsonReader& reader, const JsonPath& path);
  bool quote_value(JsonEvent event, const JsonReader& reader, const JsonPath& path, Quote* quote);
  SceneState* state_;
  int quote_ = -1;
  Series series_;
};

bool whole(const JsonReader& reader, int64_t most, int64_t* value) {
  return rescale(reader.number(), 0, value) && *value >= 0 && *value <= most;
}

bool SceneReader::view_value(JsonEvent event, const JsonReader& reader, const JsonPath& path) {
  View& view = state_->view;
  if (event == JsonEvent::String) {
    uint8_t scene = 0;
    if (path.is("scene"))
      return choose(kScenes, reader.text(), &scene) ? view.scene = static_cast<Scene>(scene), true : false;
    if (path.is("network"))
      return copy_text(view.network, sizeof view.network, reader.text(), sizeof view.network), true;
    if (path.is("address"))
      return copy_text(view.address, sizeof view.address, reader.text(), sizeof view.address), true;
    if (path.is("code")) return copy_text(view.code, sizeof view.code, reader.text(), sizeof view.code), true;
    return false;
  }
  if (event == JsonEvent::True || event == JsonEvent::False) {
    bool* flag = path.is("night")      ? &view.night
                 : path.is("online")   ? &view.online
                 : path.is("unsigned") ? &view.unsigned_
                                       : nullptr;
    if (flag) *flag = event == JsonEvent::True;
    return flag != nullptr;
  }
  if (event == JsonEvent::Null) return path.is("time");
  if (event != JsonEvent::Number) return false;
  int64_t number = 0;
  if (path.is("time")) {
    if (!rescale(reader.number(), 0, &number)) return false;
    view.time_known = true;
    view.time = civil_from_seconds(number);
    return true;
  }
  if (!whole(reader, 255, &number)) return false;
  uint8_t* field = path.is("index")        ? &view.index
                   : path.is("page")       ? &view.page
                   : path.is("pages")      ? &view.pages
                   : path.is("brightness") ? &view.brightness
                   : path.is("progress")   ? &view.progress
                                           : nullptr;
  if (field) *field = static_cast<uint8_t>(number);
  return field != nullptr;
}

bool SceneReader::quote_value(JsonEvent event, const JsonReader& reader, const JsonPath& path, Quote* quote) {
  if (event == JsonEvent::Number) {
    int64_t number = 0;
    if (path.is("quotes.*.price")) return quote->price = reader.number(), true;
    if (path.is("quotes.*.before")) return quote->before = reader.number(), true;
    if (path.is("quotes.*.extended")) return quote->extended = reader.number(), true;
    if (path.is("quotes.*.dayPlace"))
      return whole(reader, 101, &number) && (quote->day_place = static_cast<uint8_t>(number), true);
    if (path.is("quotes.*.yearPlace"))
      return whole(reader, 101, &number) && (quote->year_place = static_cast<uint8_t>(number), true);
    if (path.is("quotes.*.traded"))
      return whole(reader, UINT32_MAX, &number) && (quote->traded_s = static_cast<uint32_t>(number), true);
    if (path.is("quotes.*.previous")) return quote->previous = reader.number(), true;
    if (path.is("quotes.*.spark.*")) return series_.add(reader.number()), true;
    if (path.is("quotes.*.ageS"))
      return whole(reader, UINT32_MAX, &number) && (quote->age_s = static_cast<uint32_t>(number), true);
    if (path.is("quotes.*.httpStatus"))
      return whole(reader, 999, &number) && (quote->http_status = static_cast<uint16_t>(number), true);
    return false;
  }
  if (event == JsonEvent::String) {
    uint8_t choice = 0;
    if (path.is("quotes.*.state"))
      return choose(kStates, reader.text(), &choice) && (quote->state = static_cast<QuoteState>(choice), true);
    if (path.is("quotes.*.market"))
      return choose(kMarkets, reader.text(), &choice) && (quote->market = static_cast<Market>(choice), true);
    if (path.is("quotes.*.reason"))
      return choose(kReasons, reader.text(), &choice) && (quote->reason = static_cast<Reason>(choice), true);
    if (path.is("quotes.*.name"))
      return copy_text(quote->name, sizeof quote->name, reader.text(), sizeof quote->name), true;
    if (path.is("quotes.*.currency"))
      return copy_text(quote->currency, sizeof quote->currency, reader.text(), sizeof quote->currency), true;
    if (path.is("quotes.*.range"))
      return copy_text(quote->range, sizeof quote->range, reader.text(), sizeof quote->range), true;
    return false;
  }
  if (event == JsonEvent::True || event == JsonEvent::False)
    return path.is("quotes.*.currencyIsPrefix") && (quote->currency_is_prefix = event == JsonEvent::True, true);
  return false;
}

bool SceneReader::value(JsonEvent event, const JsonReader& reader, const JsonPath& path) {
  if (event == JsonEvent::BeginObject && path.is("quotes.*")) {
    if (++quote_ >= kMaxSymbols) return false;
    series_.start();
    return true;
  }
  if (event == JsonEvent::EndObject && quote_ >= 0) return end_quote(event, path);
  if (event == JsonEvent::BeginObject || event == JsonEvent::EndObject || event == JsonEvent::BeginArray ||
      event == JsonEvent::EndArray || event == JsonEvent::Key)
    return true;
  return path.is("quotes.*.*") || path.is("quotes.*.spark.*")
             ? quote_value(event, reader, path, &state_->quotes[quote_])
             : view_value(event, reader, path);
}

/// The change is derived from price and previous close, as on the device.
bool SceneReader::end_quote(JsonEvent, const JsonPath&) {
  Quote& quote = state_->quotes[quote_];
  quote.has_change = quote.state != QuoteState::Empty && !is_zero(quote.previous) &&
                     subtract(quote.price, quote.previous, &quote.change) &&
                     percent_change(quote.price, quote.previous, &quote.percent);
  if (!is_zero(quote.extended) && !percent_change(quote.extended, quote.price, &quote.extended_percent)) return false;
  series_.newest(&quote.spark);
  return true;
}

}  // namespace

bool read_settings(const char* json, size_t size, SceneState* state, SettingsError* error) {
  static SettingsReader reader;
  set_defaults(&state->settings, 0, true);
  reader.start(state->settings, Strictness::Refuse);
  const bool good = reader.feed(json, size) && reader.finish();
  *error = reader.error();
  if (good) state->settings = reader.result();
  return good;
}

bool read_scene(const char* json, size_t size, SceneState* state) {
  memset(state->quotes, 0, sizeof state->quotes);
  memset(&state->view, 0, sizeof state->view);
  View& view = state->view;
  view.settings = &state->settings;
  view.quotes = state->quotes;
  view.brightness = 100;
  JsonReader reader;
  JsonPath path;
  SceneReader scene(state);
  constexpr uint32_t kLimit = 32768;
  reader.start(kLimit);
  path.start();
  reader.feed(json, size);
  reader.finish();
  for (;;) {
    const JsonEvent event = reader.next();
    if (event == JsonEvent::End) {
      if (view.scene == Scene::Setup) make_wifi_code(view.network, state->settings.ap_pass, &view.scan_code);
      if (view.scene == Scene::NoSymbols) make_page_code(view.address, &view.scan_code);
      return view.index < kMaxSymbols;
    }
    if (event == JsonEvent::Error || event == JsonEvent::NeedMore) return false;
    path.update(event, reader.text());
    if (!scene.value(event, reader, path)) return false;
  }
}

}  // namespace hearth
