#include "screen/price.h"

#include <string.h>

#include "screen/layout.h"

namespace hearth {
namespace {

constexpr Face kPriceFaces[] = {Face::Figures77, Face::Figures66, Face::Figures55, Face::Figures44,
                                Face::Figures33, Face::Large,     Face::Medium,    Face::Small};
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

constexpr int kCentsGap = 3, kLeastGap = 4;

Face cents_face(Face price) {
  return price >= Face::Figures55   ? Face::Figures33
         : price == Face::Figures44 ? Face::Large
         : price == Face::Figures33 ? Face::Medium
                                    : Face::Small;
}

int cents_width(Face price, const char* cents) { return kCentsGap + text_width(cents_face(price), cents); }

struct Ink {
  int x, baseline;
  Face face;
  Color same, changed;
};

/// The digits from the first one that differs from `text` are drawn in the other color. Returns the width. `text` is
/// used up: the stack is small.
int draw_changed(Canvas& canvas, const Ink& ink, const TextBuilder& number, TextBuilder* text) {
  size_t same = 0;
  while (same < number.size() && number.text()[same] == text->text()[same]) ++same;
  while (same > 0 && (static_cast<uint8_t>(number.text()[same]) & 0xc0) == 0x80) --same;
  text->clear();
  text->add_bytes(number.text(), same);
  const int width = same == 0 ? 0 : canvas.text(ink.x, ink.baseline, ink.face, ink.same, text->text());
  return width + canvas.text(ink.x + width, ink.baseline, ink.face, ink.changed, number.text() + same);
}

}  // namespace

uint8_t most_decimals(Decimal value) {
  constexpr int kMost = 4;
  const int decimals = -reduced(value).exponent;
  return static_cast<uint8_t>(decimals < 0 ? 0 : decimals > kMost ? kMost : decimals);
}

void draw_price(Canvas& canvas, Rect area, const Quote& quote, const char* symbol, bool stale, Color flash) {
  Prefix prefix;
  add_currency(&prefix.text, quote);
  prefix.sign = can_draw(Face::Figures66, prefix.text.text());
  TextBuilder number;
  const uint8_t decimals = shown_decimals(quote.price, symbol);
  add_decimal(&number, quote.price, decimals, Sign::Minus);
  const bool long_number = !can_draw(Face::Figures66, number.text());  // 1.23e21
  constexpr int kFigures55 = 2, kLarge = 5;                            // of kPriceFaces
  // The largest face needs a page with room above and below.
  int tallest = 0;
  while (cap_height(kPriceFaces[tallest]) + 2 * kLeastGap > area.height) ++tallest;
  const auto largest = [&] {
    int k = long_number ? kLarge : tallest;
    while (k < kPriceFaceCount - 1 &&
           prefix.width(kPriceFaces[k]) + text_width(kPriceFaces[k], number.text()) > area.width)
      ++k;
    return k;
  };
  const Color color = stale ? palette::kQuiet : palette::kWhite;
  int k = largest();
  char cents[3] = {};
  if (k > kFigures55 && !long_number && decimals == 2) {
    constexpr Decimal kWholeFrom{10000, 0};
    if (compare(quote.price, kWholeFrom) < 0 && compare(quote.price, {-kWholeFrom.mantissa, 0}) > 0) {
      memcpy(cents, number.text() + number.size() - 2, 2);
    }
    for (int digit = 0; digit < 3; ++digit) number.shorten();
    if (cents[0] == 0) {  // from 10’000, as for amounts
      number.clear();
      add_decimal(&number, quote.price, 0, Sign::Minus);
    }
    k = tallest;
    while (k < kPriceFaceCount - 1 && prefix.width(kPriceFaces[k]) + text_width(kPriceFaces[k], number.text()) +
                                              (cents[0] == 0 ? 0 : cents_width(kPriceFaces[k], cents)) >
                                          area.width)
      ++k;
  }
  const Face face = kPriceFaces[k];
  const int baseline = area.y + (area.height + cap_height(face)) / 2;
  int x = area.x;
  if (prefix.text.size() > 0) {
    const Face small = prefix.face(face);
    canvas.text(x, prefix.sign ? baseline - cap_height(face) + cap_height(small) : baseline, small, palette::kQuiet,
                prefix.text.text());
    x += prefix.width(face);
  }
  TextBuilder before;
  if (!is_zero(quote.before)) add_decimal(&before, quote.before, decimals, Sign::Minus);
  const bool flashes = before.size() > 0 && text_width(face, number.text()) <= area.x + area.width - x;
  if (flashes) {
    x += draw_changed(canvas, {x, baseline, face, color, flash}, number, &before);
  } else {
    x += text_cut(canvas, x, baseline, area.x + area.width - x, face, color, number.text());
  }
  if (cents[0] == 0) return;
  const Face small = cents_face(face);  // raised, as on price tags
  canvas.text(x + kCentsGap, baseline - cap_height(face) + cap_height(small), small, flashes ? flash : color, cents);
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
