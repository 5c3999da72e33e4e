#include "screen/screen.h"

#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "screen/pages.h"

using namespace hearth;

namespace {

/// A panel in memory that checks for input that a controller could not handle.
struct Glass final : Panel {
  std::vector<uint16_t> pixels = std::vector<uint16_t>(kSide * kSide, 0x1234);
  Rect area = {0, 0, 0, 0};
  size_t at = 0, pushed = 0, largest = 0;
  void configure(const PanelSetup&) override {}
  void window(uint16_t x, uint16_t y, uint16_t width, uint16_t height) override {
    REQUIRE(x + width <= kSide);
    REQUIRE(y + height <= kSide);
    area = {x, y, width, height};
    at = 0;
  }
  void push(const uint16_t* data, size_t count) override {
    REQUIRE(at + count <= static_cast<size_t>(area.width * area.height));
    for (size_t k = 0; k < count; ++k, ++at)
      pixels[(area.y + at / area.width) * kSide + area.x + at % area.width] = data[k];
    pushed += count;
    if (count > largest) largest = count;
  }
  void backlight(uint8_t) override {}
  bool has_light() override { return false; }
  uint8_t light() override { return 0; }
};

struct Device {
  Settings settings;
  Quote quotes[kMaxSymbols] = {};
  View view = {};
  Screen screen;
  Glass glass;
  Device() {
    set_defaults(&settings, 0xabcd, true);
    view.settings = &settings;
    view.quotes = quotes;
    view.pages = 3;
    settings.ticker.row_count = kMaxSymbols;
    for (int k = 0; k < kMaxSymbols; ++k) {
      Row& row = settings.ticker.rows[k];
      row = Row{};
      row.symbol[0] = static_cast<char>('A' + k);
      Quote& quote = quotes[k];
      quote.state = QuoteState::Fresh;
      quote.price = {12345 + k, -2};
      quote.previous = {12000, -2};
      quote.has_change = subtract(quote.price, quote.previous, &quote.change) &&
                         percent_change(quote.price, quote.previous, &quote.percent);
      std::string("CHF").copy(quote.currency, 3);
      std::string("Zürich").copy(quote.name, sizeof quote.name - 1);
      quote.spark.count = kSparkPoints;
      quote.spark.exponent = -2;
      quote.spark.low = 11900;
      quote.spark.high = 12400;
      quote.spark.first = 12000;
      for (int p = 0; p < kSparkPoints; ++p) quote.spark.points[p] = static_cast<uint16_t>((p * 9973) % 65536);
    }
  }
  /// Draws the changes; returns the number of pixels sent.
  size_t draw() {
    const size_t before = glass.pushed;
    view.revision++;
    screen.draw(view, glass);
    return glass.pushed - before;
  }
  /// The image drawn from scratch.
  std::vector<uint16_t> whole() const {
    Screen fresh;
    Glass other;
    fresh.draw(view, other);
    return other.pixels;
  }
};

constexpr size_t kAll = kSide * kSide;

}  // namespace

TEST_CASE("draws the first frame completely, in bands of at most eight lines") {
  Device device;
  device.view.scene = Scene::Ticker;
  CHECK(device.draw() == kAll);
  CHECK(device.glass.largest <= Screen::kBandPixels);
  CHECK(device.glass.pixels == device.whole());
  CHECK(device.draw() == 0);
  device.screen.forget();
  CHECK(device.draw() == kAll);
  const size_t before = device.glass.pushed;
  device.quotes[0].price = {1, 0};
  device.screen.draw(device.view, device.glass);  // the same revision: nothing is even compared
  CHECK(device.glass.pushed == before);
}

TEST_CASE("draws after any change what a full drawing shows, with less data") {
  for (uint8_t rotation = 0; rotation < 4; ++rotation) {
    Device device;
    device.settings.rotation = rotation;
    device.view.scene = Scene::Ticker;
    device.draw();
    const auto same = [&] {
      const size_t sent = device.draw();
      CHECK(device.glass.pixels == device.whole());
      return sent;
    };
    device.quotes[0].price = {12346, -2};
    size_t sent = same();
    CHECK(sent > 0);
    CHECK(sent < kAll / 2);
    device.quotes[0].spark.points[30] ^= 0x8000;
    CHECK(same() < kAll / 2);
    device.view.page = 1;
    CHECK(same() < kAll / 5);
    device.quotes[0].state = QuoteState::Stale;
    device.quotes[0].reason = Reason::TooSlow;
    CHECK(same() > 0);
    device.quotes[0].age_s = 60;
    CHECK(same() < kAll / 5);
    device.settings.ticker.color_inverted = true;
    same();
    device.view.scene = Scene::Clock;
    device.view.time_known = true;
    device.view.time = {2026, 11, 22, 22, 7, 0, 0};
    same();
    device.view.time.minute = 8;
    CHECK(same() < kAll / 6);  // one digit
    device.view.scene = Scene::Updating;
    same();
    device.view.progress = 50;
    CHECK(same() < kAll / 2);
  }
}

TEST_CASE("draws each scene, state, reason and range inside the panel") {
  Device device;
  for (int scene = 0; scene < kSceneCount; ++scene) {
    for (int state = 0; state <= static_cast<int>(QuoteState::Stale); ++state) {
      for (int reason = 0; reason <= static_cast<int>(Reason::LowMemory); ++reason) {
        device.view.scene = static_cast<Scene>(scene);
        for (Quote& quote : device.quotes) {
          quote.state = static_cast<QuoteState>(state);
          quote.reason = static_cast<Reason>(reason);
        }
        device.settings.ticker.rows[0].source = reason % 2 ? Source::Webhook : Source::Github;
        device.draw();
      }
    }
    CHECK(device.glass.pixels == device.whole());
  }
}

TEST_CASE("draws the rest when settings hide parts") {
  Device device;
  device.view.scene = Scene::Ticker;
  TickerSettings& ticker = device.settings.ticker;
  bool* const flags[] = {&ticker.show_name,        &ticker.show_price,       &ticker.show_change,
                         &ticker.show_chart,       &ticker.show_range_label, &ticker.show_page_dots,
                         &ticker.show_updated_ago, &ticker.change_on_range};
  for (int mask = 0; mask < 256; ++mask) {
    for (int k = 0; k < 8; ++k) *flags[k] = (mask >> k & 1) != 0;
    ticker.rows[0].quantity = mask % 3 ? Decimal{5, -1} : Decimal{0, 0};
    ticker.rows[0].cost = mask % 5 ? Decimal{100, 0} : Decimal{0, 0};
    device.draw();
  }
  CHECK(device.glass.pixels == device.whole());
}

TEST_CASE("draws the smallest and largest prices") {
  Device device;
  device.view.scene = Scene::Ticker;
  for (int64_t mantissa : {0ll, 1ll, -1ll, 999999999999999999ll, -999999999999999999ll, 123456789ll}) {
    for (int exponent : {-24, -12, -3, 0, 5, 24}) {
      Quote& quote = device.quotes[0];
      quote.price = {mantissa, static_cast<int8_t>(exponent)};
      quote.change = quote.price;
      for (int32_t percent : {INT32_MIN, -1, 0, 1, INT32_MAX}) {
        quote.percent = percent;
        device.settings.ticker.rows[0].quantity = {999999999999999999ll, static_cast<int8_t>(exponent)};
        device.settings.ticker.change_on_range = percent == 0;
        for (Scene scene : {Scene::Ticker, Scene::Portfolio}) {
          device.view.scene = scene;
          device.draw();
        }
      }
    }
  }
  CHECK(device.glass.pixels == device.whole());
}

TEST_CASE("rotates the same frame, and changes only colors with color settings") {
  Device upright;
  upright.view.scene = Scene::Ticker;
  upright.draw();
  const auto pixel = [](const Device& device, int x, int y) {
    return device.glass.pixels[static_cast<size_t>(y * kSide + x)];
  };
  for (uint8_t rotation = 1; rotation < 4; ++rotation) {
    Device turned;
    turned.view.scene = Scene::Ticker;
    turned.settings.rotation = rotation;
    turned.draw();
    int wrong = 0;
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        int tx = x, ty = y;
        for (int k = 0; k < rotation; ++k) {
          const int before = tx;
          tx = kSide - 1 - ty;
          ty = before;
        }
        wrong += pixel(turned, tx, ty) != pixel(upright, x, y);
      }
    }
    CHECK(wrong == 0);
  }
  Device swapped, inverted, gained;
  for (Device* device : {&swapped, &inverted, &gained}) device->view.scene = Scene::Ticker;
  swapped.settings.display.color_order = ColorOrder::Bgr;
  inverted.settings.display.invert = true;
  gained.settings.display.red_gain = 50;
  gained.settings.display.green_gain = 150;
  for (Device* device : {&swapped, &inverted, &gained}) device->draw();
  int wrong = 0;
  for (size_t k = 0; k < kAll; ++k) {
    const unsigned p = upright.glass.pixels[k];
    const unsigned red = p >> 11, green = p >> 5 & 63, blue = p & 31;
    wrong += swapped.glass.pixels[k] != (blue << 11 | green << 5 | red);
    wrong += inverted.glass.pixels[k] != (p ^ 0xffff);
    wrong += (gained.glass.pixels[k] >> 11) != (red * 50 + 50) / 100;
    const unsigned more = (green * 150 + 50) / 100;
    wrong += (gained.glass.pixels[k] >> 5 & 63) != (more > 63 ? 63 : more);
  }
  CHECK(wrong == 0);
  upright.settings.display.invert = true;
  CHECK(upright.draw() == kAll);
  CHECK(upright.glass.pixels == inverted.glass.pixels);
}

TEST_CASE("returns the upright frame, dimmed as on the panel, for a screenshot") {
  Device device;
  device.view.scene = Scene::Clock;
  device.draw();
  std::vector<uint16_t> shot(kAll);
  for (uint16_t y = 0; y < kSide; y = static_cast<uint16_t>(y + 16))
    draw_rows(device.view, Output::for_eyes(100), y, 16, &shot[static_cast<size_t>(y) * kSide]);
  CHECK(shot == device.glass.pixels);
  draw_rows(device.view, Output::for_eyes(0), 0, kSide, shot.data());
  CHECK(shot == std::vector<uint16_t>(kAll, 0));
}

TEST_CASE("names a row") {
  Row row = {};
  Quote quote = {};
  std::string("NESN").copy(row.symbol, 4);
  CHECK(std::string(row_name(row, quote)) == "NESN");
  std::string("トヨタ").copy(quote.name, sizeof quote.name - 1);
  CHECK(std::string(row_name(row, quote)) == "NESN");
  quote.name[0] = 0;
  std::string("Nestlé").copy(quote.name, sizeof quote.name - 1);
  quote.name[7] = 0;
  CHECK(std::string(row_name(row, quote)) == "Nestlé");
  std::string("Mine").copy(row.name, 4);
  CHECK(std::string(row_name(row, quote)) == "Mine");
}
