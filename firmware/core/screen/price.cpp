#include "screen/price.h"

#include <string.h>

#include "screen/layout.h"

namespace hearth {
namespace {

constexpr Face kPriceFaces[] = {Face::Figures66, Face::Figures55, Face::Figures44, Face::Figures33,
                                Face::Large,     Face::Medium,    Face::Small};
constexpr int kPriceFaceCount = sizeof kPriceFaces / sizeof kPriceFaces[0];

/// A currency sign is small and aligned with the cap height, a currency code with the baseline.
struct Prefix {
  TextBuilder text;
  bool sign;
  Face face(Face price) const {
    if (!sign) return price == Face::Small ? Face::Small : Face::Medium;
    return price >= Face::Figures44 ? Face::Figures33 : price == Face::Figures33 ? Face::Large : price;
  }
  int width(Face price) const { return text.size() == 0 ? 0 : text_width(face(price), text.text()) + 4; }
};

}  // namespace

uint8_t most_decimals(Decimal value) {
  constexpr int kMost = 4;
  const int decimals = -reduced(value).exponent;
  return static_cast<uint8_t>(decimals < 0 ? 0 : decimals > kMost ? kMost : decimals);
}

void draw_price(Canvas& canvas, Rect area, const Quote& quote, const char* symbol, bool stale) {
  Prefix prefix;
  add_currency(&prefix.text, quote);
  prefix.sign = can_draw(Face::Figures66, prefix.text.text());
  TextBuilder number;
  const uint8_t decimals = shown_decimals(quote.price, symbol);
  add_decimal(&number, quote.price, decimals, Sign::Minus);
  const bool long_number = !can_draw(Face::Figures66, number.text());  // 1.23e21
  const auto largest = [&] {
    int k = long_number ? 4 : 0;
    while (k < kPriceFaceCount - 1 &&
           prefix.width(kPriceFaces[k]) + text_width(kPriceFaces[k], number.text()) > area.width)
      ++k;
    return k;
  };
  constexpr int kFigures33 = 3;  // of kPriceFaces
  int k = largest();
  if (k > kFigures33 && decimals > 0 &&
      (compare(quote.price, {100000, 0}) >= 0 ||
       compare(quote.price, {-100000, 0}) <= 0)) {  // cents don't matter at this size
    number.clear();
    add_decimal(&number, quote.price, 0, Sign::Minus);
    k = largest();
  }
  const Color color = stale ? palette::kQuiet : palette::kWhite;
  const Face face = kPriceFaces[k];
  const int baseline = area.y + (area.height + cap_height(face)) / 2;
  int x = area.x;
  if (prefix.text.size() > 0) {
    const Face small = prefix.face(face);
    canvas.text(x, prefix.sign ? baseline - cap_height(face) + cap_height(small) : baseline, small, palette::kQuiet,
                prefix.text.text());
    x += prefix.width(face);
  }
  text_cut(canvas, x, baseline, area.x + area.width - x, face, color, number.text());
}

void draw_chart(Canvas& canvas, Rect area, const TickerSettings& settings, const Quote& quote, Color color) {
  constexpr int kDot = 7, kPad16 = 3 * 16;
  const Spark& spark = quote.spark;
  int32_t values[kSparkPoints + 2] = {};
  int count = 0;
  for (; count < spark.count && count < kSparkPoints; ++count) values[count] = spark.points[count];
  if (settings.change_on_range) values[count++] = spark_height(spark, quote.price);
  int32_t low = values[0], high = values[0];
  for (int k = 1; k < count; ++k) {
    if (values[k] < low) low = values[k];
    if (values[k] > high) high = values[k];
  }
  const bool day = !settings.change_on_range && quote.has_change &&
                   strcmp(quote.range[0] ? quote.range : range_name(settings.range), "1d") == 0;
  const int32_t basis = day ? spark_height(spark, quote.previous) : values[0];
  const int32_t span = high - low;
  if (day && basis >= low - span / 2 && basis < low) low = basis;
  if (day && basis <= high + span / 2 && basis > high) high = basis;
  Curve curve = {{area.x, area.y, area.width - kDot / 2, area.height}, color, count, {}};
  const int32_t room16 = area.height * 16 - 2 * kPad16;
  int16_t basis16 = 0;
  values[count] = basis;
  for (int k = 0; k <= count; ++k) {
    int32_t y16 = area.y * 16 + area.height * 8;
    if (high > low) y16 = area.y * 16 + kPad16 + (high - values[k]) * room16 / (high - low);  // at most 196605 * 3744
    (k < count ? curve.y16[k] : basis16) = static_cast<int16_t>(y16);
  }
  if (basis >= low && basis <= high) canvas.dots(area.x, basis16 >> 4, area.width, palette::kFaint);
  canvas.curve(curve);
  const int x = curve.area.x + curve.area.width - 1 - kDot / 2, y = (curve.y16[count - 1] >> 4) - kDot / 2;
  canvas.pill({x - 2, y - 2, kDot + 4, kDot + 4}, 5, palette::kBlack);
  canvas.pill({x, y, kDot, kDot}, 3, color);
}

}  // namespace hearth
