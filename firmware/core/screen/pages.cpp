#include "screen/pages.h"

#include "screen/layout.h"

namespace hearth {

void draw_page(Canvas& canvas, const View& view) {
  canvas.fill({0, 0, kSide, kSide}, palette::kBlack);
  switch (view.scene) {
    case Scene::Ticker:
      return draw_ticker(canvas, view);
    case Scene::Portfolio:
      return draw_portfolio(canvas, view);
    case Scene::Watchlist:
      return draw_watchlist(canvas, view);
    case Scene::Clock:
      return draw_clock(canvas, view);
    case Scene::Setup:
      return draw_setup(canvas, view);
    case Scene::Boot:
    case Scene::Joined:
    case Scene::NoSymbols:
    case Scene::NoNetwork:
    case Scene::Updating:
    case Scene::SafeMode:
    case Scene::Confirm:
    case Scene::Loader:
      return draw_notice(canvas, view);
  }
}

int alert_of(const Row& row, const Quote& quote) {
  if (quote.state == QuoteState::Empty) return 0;
  if (!is_zero(row.above) && compare(quote.price, row.above) >= 0) return 1;
  return !is_zero(row.below) && compare(quote.price, row.below) <= 0 ? -1 : 0;
}

int draw_page_bar(Canvas& canvas, const View& view) {
  constexpr int kBarTop = 5, kBarHeight = 4, kGap = 4, kMostPages = 16;
  if (!view.settings->ticker.show_page_dots || view.pages < 2 || view.pages > kMostPages) return 6;
  const int pages = view.pages;
  for (int page = 0; page < pages; ++page) {
    const int from = kEdge + (kInside + kGap) * page / pages,
              till = kEdge + (kInside + kGap) * (page + 1) / pages - kGap;
    canvas.pill({from, kBarTop, till - from, kBarHeight}, 2, page == view.page ? palette::kText : palette::kFaint);
  }
  return 16;
}

const char* row_name(const Row& row, const Quote& quote) {
  if (row.name[0] && can_draw(Face::Medium, row.name)) return row.name;
  if (quote.name[0] && can_draw(Face::Medium, quote.name)) return quote.name;
  return row.symbol;
}

Trend shown_trend(const TickerSettings& settings, const Quote& quote) {
  Trend trend = {false, {0, 0}, 0};
  if (settings.change_on_range) {
    trend.known = span_change(quote, &trend.change, &trend.percent);
    return trend;
  }
  if (quote.has_change) trend = {true, quote.change, quote.percent};
  return trend;
}

Color trend_color(const TickerSettings& settings, int direction) {
  if (direction == 0) return palette::kText;
  return (direction > 0) != settings.color_inverted ? palette::kGreen : palette::kRed;
}

}  // namespace hearth
