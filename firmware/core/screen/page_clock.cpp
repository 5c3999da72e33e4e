// The time, the date, and the prices of the first symbols.
#include "screen/layout.h"
#include "screen/pages.h"
#include "text/format.h"

namespace hearth {
namespace {

constexpr char kWeekdays[7][10] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
constexpr char kMonths[12][10] = {"January", "February", "March",     "April",   "May",      "June",
                                  "July",    "August",   "September", "October", "November", "December"};
constexpr int kMostRows = 3;

void draw_glance(Canvas& canvas, const View& view, int index, int baseline) {
  const TickerSettings& settings = view.settings->ticker;
  const Quote& quote = view.quotes[index];
  const Trend trend = shown_trend(settings, quote);
  TextBuilder percent;
  const bool known = quote.state != QuoteState::Empty && trend.known;
  if (known)
    add_percent(&percent, trend.percent);
  else
    percent.add("–");
  const Color color =
      !known || quote.state == QuoteState::Stale ? palette::kQuiet : trend_color(settings, direction_of(trend.change));
  text_pair(canvas, baseline, Face::Medium, palette::kText, row_name(settings.rows[index], quote), color,
            percent.text());
}

/// Each digit has a fixed position, so that a new minute does not move the others.
void draw_time(Canvas& canvas, int baseline, const char* time) {
  const int cell = text_width(Face::Figures66, "0"), colon = text_width(Face::Figures66, ":");
  int x = (kSide - 4 * cell - colon) / 2;
  for (; *time; ++time) {
    const char one[2] = {*time, 0};
    const int width = *time == ':' ? colon : cell;
    canvas.text(x + (width - text_width(Face::Figures66, one)) / 2, baseline, Face::Figures66, palette::kWhite, one);
    x += width;
  }
}

}  // namespace

void draw_clock(Canvas& canvas, const View& view) {
  int top = draw_page_bar(canvas, view);
  const TickerSettings& settings = view.settings->ticker;
  const int rows = settings.row_count < kMostRows ? settings.row_count : kMostRows;
  top += rows ? 74 - 5 * (rows - 1) : 116;  // the baseline of the time
  if (!view.time_known) {
    text_centred(canvas, top, Face::Figures66, palette::kQuiet, "--:--");
    text_centred(canvas, top + 32, Face::Small, palette::kQuiet, "Waiting for the time");
  } else {
    TextBuilder time, date;
    time.add_two_digits(view.time.hour).add(":").add_two_digits(view.time.minute);
    draw_time(canvas, top, time.text());
    date.add(kWeekdays[view.time.weekday % 7])
        .add(", ")
        .add_number(view.time.day)
        .add(" ")
        .add(kMonths[(view.time.month + 11) % 12]);
    text_centred(canvas, top + 32, text_width(Face::Medium, date.text()) <= kInside ? Face::Medium : Face::Small,
                 palette::kQuiet, date.text());
  }
  if (rows == 0) return;
  canvas.fill({kEdge, kSide - 6 - 29 * rows - 8, kInside, 1}, palette::kFaint);
  for (int k = 0; k < rows; ++k) draw_glance(canvas, view, k, kSide - 6 - 29 * (rows - 1 - k) - 5);
}

}  // namespace hearth
