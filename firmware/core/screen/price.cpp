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

/// A price as it fits: in the largest face, its cents smaller and raised where that makes room.
struct PriceText {
  Prefix prefix;
  TextBuilder number;
  char cents[3];
  Face face;
};

/// The largest face from `first` on in which everything fits into a width; an index of kPriceFaces.
int largest_face(const PriceText& price, int first, int width) {
  int k = first;
  for (; k < kPriceFaceCount - 1; ++k) {
    const Face face = kPriceFaces[k];
    const int cents = price.cents[0] == 0 ? 0 : cents_width(face, price.cents);
    if (price.prefix.width(face) + text_width(face, price.number.text()) + cents <= width) break;
  }
  return k;
}

/// From 10’000 on, cents are left out, as for amounts.
bool shows_cents(Decimal price) {
  constexpr Decimal kWholeFrom{10000, 0};
  return compare(price, kWholeFrom) < 0 && compare(price, {-kWholeFrom.mantissa, 0}) > 0;
}

HEARTH_OWN_FRAME void fit_price(PriceText* price, Rect area, const Quote& quote, uint8_t decimals) {
  constexpr int kFigures55 = 2, kLarge = 5;  // of kPriceFaces
  memset(price->cents, 0, sizeof price->cents);
  add_currency(&price->prefix.text, quote);
  price->prefix.sign = can_draw(Face::Figures66, price->prefix.text.text());
  add_decimal(&price->number, quote.price, decimals, Sign::Minus);
  const bool long_number = !can_draw(Face::Figures66, price->number.text());  // 1.23e21
  // The largest face needs a page with room above and below.
  int tallest = 0;
  while (cap_height(kPriceFaces[tallest]) + 2 * kLeastGap > area.height) ++tallest;
  int k = largest_face(*price, long_number ? kLarge : tallest, area.width);
  if (k > kFigures55 && !long_number && decimals == 2) {
    if (shows_cents(quote.price)) {
      memcpy(price->cents, price->number.text() + price->number.size() - 2, 2);
      for (int digit = 0; digit < 3; ++digit) price->number.shorten();
    } else {
      price->number.clear();
      add_decimal(&price->number, quote.price, 0, Sign::Minus);
    }
    k = largest_face(*price, tallest, area.width);
  }
  price->face = kPriceFaces[k];
}

/// Draws the number, with its new digits in another color if the price has just changed; `flashes` says whether.
/// Returns its width.
HEARTH_OWN_FRAME int draw_number(Canvas& canvas, const Ink& ink, int room, const TextBuilder& number, Decimal old,
                                 uint8_t decimals, bool* flashes) {
  TextBuilder before;
  if (!is_zero(old)) add_decimal(&before, old, decimals, Sign::Minus);
  *flashes = before.size() > 0 && text_width(ink.face, number.text()) <= room;
  if (*flashes) return draw_changed(canvas, ink, number, &before);
  return text_cut(canvas, ink.x, ink.baseline, room, ink.face, ink.same, number.text());
}

}  // namespace

uint8_t most_decimals(Decimal value) {
  constexpr int kMost = 4;
  const int decimals = -reduced(value).exponent;
  return static_cast<uint8_t>(decimals < 0 ? 0 : decimals > kMost ? kMost : decimals);
}

void draw_price(Canvas& canvas, Rect area, const Quote& quote, const char* symbol, bool stale, Color flash) {
  PriceText price;
  const uint8_t decimals = shown_decimals(quote.price, symbol);
  fit_price(&price, area, quote, decimals);
  const Face face = price.face;
  const Color color = stale ? palette::kQuiet : palette::kWhite;
  const int baseline = area.y + (area.height + cap_height(face)) / 2;
  int x = area.x;
  if (price.prefix.text.size() > 0) {
    const Face small = price.prefix.face(face);
    canvas.text(x, price.prefix.sign ? baseline - cap_height(face) + cap_height(small) : baseline, small,
                palette::kQuiet, price.prefix.text.text());
    x += price.prefix.width(face);
  }
  bool flashes = false;
  x += draw_number(canvas, {x, baseline, face, color, flash}, area.x + area.width - x, price.number, quote.before,
                   decimals, &flashes);
  if (price.cents[0] == 0) return;
  const Face small = cents_face(face);  // raised, as on price tags
  canvas.text(x + kCentsGap, baseline - cap_height(face) + cap_height(small), small, flashes ? flash : color,
              price.cents);
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
