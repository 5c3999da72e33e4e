// All rows at a glance: name, small chart, percentage.
#include "screen/layout.h"
#include "screen/pages.h"
#include "screen/price.h"

namespace hearth {
namespace {

constexpr int kTallest = 52, kTwoLines = 38, kChartWidth = 48, kLowChartWidth = 96, kGap = 8;

HEARTH_OWN_FRAME void draw_row(Canvas& canvas, const View& view, int index, int top, int height) {
  const TickerSettings& settings = view.settings->ticker;
  const Row& row = settings.rows[index];
  const Quote& quote = view.quotes[index];
  const Trend trend = shown_trend(settings, quote);
  const bool priced = quote.state != QuoteState::Empty, stale = quote.state == QuoteState::Stale;
  const bool two_lines = height >= kTwoLines;
  const Face face = two_lines ? Face::Medium : Face::Small;
  const int baseline = top + (two_lines ? 18 : (height + 12) / 2);
  TextBuilder percent, price;
  if (priced && trend.known)
    add_percent(&percent, trend.percent);
  else
    percent.add("–");
  const Color color = stale || !trend.known ? palette::kQuiet : trend_color(settings, direction_of(trend.change));
  text_right(canvas, kRight, baseline, face, color, percent.text());
  const bool chart = priced && settings.show_chart && quote.spark.count >= 2;
  int right = kRight - text_width(face, percent.text()) - kGap;
  if (chart && two_lines) {  // below the percentage
    draw_chart(canvas, {kRight - kLowChartWidth, top + 22, kLowChartWidth, height - 25}, settings, quote, color);
  } else if (chart) {
    constexpr int kWidest = kRight - 70;  // the charts are in one column
    if (right > kWidest) right = kWidest;
    draw_chart(canvas, {right - kChartWidth, top + 3, kChartWidth, height - 6}, settings, quote, color);
    right -= kChartWidth + kGap;
  }
  text_cut(canvas, kEdge, baseline, right - kEdge, face, alert_of(row, quote) == 0 ? palette::kText : palette::kAmber,
           row_name(row, quote));
  if (!two_lines || !priced) return;
  add_currency(&price, quote);
  if (price.size() > 0) price.add(" ");
  add_decimal(&price, quote.price, shown_decimals(quote.price, row.symbol), Sign::Minus);
  const int below = chart ? kRight - kLowChartWidth - kGap : kRight;
  text_cut(canvas, kEdge, baseline + 17, below - kEdge, Face::Small, palette::kQuiet, price.text());
}

}  // namespace

void draw_watchlist(Canvas& canvas, const View& view) {
  const int rows = view.settings->ticker.row_count;
  int top = draw_page_bar(canvas, view);
  if (rows == 0) return;
  int height = (kSide - 4 - top) / rows;
  if (height > kTallest) height = kTallest;
  for (int k = 0; k < rows; ++k, top += height) {
    if (k > 0) canvas.fill({kEdge, top - 1, kInside, 1}, palette::kFaint);
    draw_row(canvas, view, k, top, height);
  }
}

}  // namespace hearth
