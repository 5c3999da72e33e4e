// The time, the date, and the prices of the first symbols.
#include "screen/layout.h"
#include "screen/pages.h"
#include "text/format.h"

namespace hearth {
namespace {

constexpr char kWeekdays[2][7][11] = {
    {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
    {"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"}};
constexpr char kMonths[2][12][10] = {{"January", "February", "March", "April", "May", "June", "July", "August",
                                      "September", "October", "November", "December"},
                                     {"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August",
                                      "September", "Oktober", "November", "Dezember"}};
constexpr char kShortWeekdays[2][7][4] = {{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"},
                                          {"So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"}};
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
void draw_time(Canvas& canvas, int baseline, Color color, const char* time) {
  constexpr Face kFace = Face::Figures77;
  const int cell = text_width(kFace, "0"), colon = text_width(kFace, ":");
  int x = (kSide - (time[1] == ':' ? 3 : 4) * cell - colon) / 2;
  for (; *time; ++time) {
    const char one[2] = {*time, 0};
    const int width = *time == ':' ? colon : cell;
    canvas.text(x + (width - text_width(kFace, one)) / 2, baseline, kFace, color, one);
    x += width;
  }
}

/// "Friday, 6 November", "Freitag, 6. November"; with twelve hours "pm · Friday, 6 November".
void add_date(TextBuilder* date, const View& view) {
  const int language = static_cast<int>(view.settings->language);
  if (view.settings->clock.hours12) date->add(view.time.hour < 12 ? "am · " : "pm · ");
  date->add(kWeekdays[language][view.time.weekday % 7])
      .add(", ")
      .add_number(view.time.day)
      .add(say(view, " ", ". "))
      .add(kMonths[language][(view.time.month + 11) % 12]);
}

}  // namespace

const char* short_weekday(const View& view, uint8_t weekday) {
  return kShortWeekdays[static_cast<int>(view.settings->language)][weekday % 7];
}

void add_time(TextBuilder* text, uint8_t hour, uint8_t minute, const ClockSettings& settings) {
  if (settings.hours12)
    text->add_number(hour % 12 == 0 ? 12u : hour % 12u);
  else
    text->add_two_digits(hour);
  text->add(":").add_two_digits(minute);
  if (settings.hours12) text->add(hour < 12 ? " am" : " pm");
}

void draw_clock(Canvas& canvas, const View& view) {
  const TickerSettings& settings = view.settings->ticker;
  const bool red = view.night && view.settings->clock.night_clock;  // leaves eyes used to the dark
  int top = red ? 6 : draw_page_bar(canvas, view);
  const int rows = red ? 0 : settings.row_count < kMostRows ? settings.row_count : kMostRows;
  top += rows ? 74 - 5 * (rows - 1) : 116;  // the baseline of the time
  if (!view.time_known) {
    text_centred(canvas, top, Face::Figures66, palette::kQuiet, "--:--");
    text_centred(canvas, top + 32, Face::Small, palette::kQuiet,
                 say(view, "Waiting for the time", "Wartet auf die Uhrzeit"));
  } else {
    TextBuilder time, date;
    add_time(&time, view.time.hour, view.time.minute, view.settings->clock);
    for (int k = 0; k < 3 && view.settings->clock.hours12; ++k) time.shorten();  // " am" is printed beside the date
    draw_time(canvas, top, red ? palette::kRed : palette::kWhite, time.text());
    add_date(&date, view);
    text_centred(canvas, top + 32, text_width(Face::Medium, date.text()) <= kInside ? Face::Medium : Face::Small,
                 red ? palette::kRed : palette::kQuiet, date.text());
  }
  if (rows == 0) return;
  canvas.fill({kEdge, kSide - 6 - 29 * rows - 8, kInside, 1}, palette::kFaint);
  for (int k = 0; k < rows; ++k) draw_glance(canvas, view, k, kSide - 6 - 29 * (rows - 1 - k) - 5);
}

}  // namespace hearth
