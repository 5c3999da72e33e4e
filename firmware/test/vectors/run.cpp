#include "run.h"

#include <string.h>

#include "clock/time_zone.h"
#include "http/reply.h"
#include "io/text_out.h"
#include "parse/json.h"
#include "quote/format.h"
#include "render/play.h"
#include "schedule/schedule.h"
#include "settings/codec.h"
#include "source/apply.h"

namespace hearth {
namespace {

/// Cuts off the text up to `end` (or all of it); the rest begins after it.
struct Cutter {
  const char* at;
  const char* end;
  /// Copies the next part, at most `capacity` - 1 bytes.
  template <size_t N>
  const char* next(char stop, char (&to)[N]) {
    size_t size = 0;
    while (at < end && *at != stop) {
      if (size + 1 < N) to[size++] = *at;
      ++at;
    }
    if (at < end) ++at;
    to[size] = 0;
    return to;
  }
};

uint32_t whole_number(const char* text) {
  uint32_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + static_cast<uint32_t>(*text - '0');
  return value;
}

/// The events of a JSON document, fed in pieces of 1, 2, 3 … 7 bytes.
void play_json(const Vector& vector, TextOut& out) {
  static JsonReader reader;
  reader.start(65536);
  size_t at = 0, piece = 1;
  for (;;) {
    const JsonEvent event = reader.next();
    if (event == JsonEvent::NeedMore) {
      if (at == vector.size) {
        reader.finish();
        continue;
      }
      const size_t size = vector.size - at < piece ? vector.size - at : piece;
      reader.feed(vector.text + at, size);
      at += size;
      piece = piece % 7 + 1;
      continue;
    }
    out.character(static_cast<char>('a' + static_cast<int>(event)));
    if (event == JsonEvent::Key || event == JsonEvent::String) out.quoted(reader.text());
    if (event == JsonEvent::Number) out.decimal(reader.number());
    if (event == JsonEvent::End || event == JsonEvent::Error) return;
  }
}

/// A number in every displayed form.
void play_number(const Vector& vector, TextOut& out) {
  Decimal value, third, product;
  char text[kFormatBytes];
  if (!parse_decimal(vector.text, vector.size, &value)) {
    out.text("no number");
    return;
  }
  format_price(value, text);
  out.text(text).character(' ');
  format_change(value, price_decimals(value), text);
  out.text(text).character(' ').decimal(reduced(value)).character(' ');
  int32_t ratio_value = 0;
  if (percent_change(value, {7, 1}, &ratio_value)) {
    format_percent(ratio_value, text);
    out.text(text);
  }
  out.character(' ');
  if (multiply(value, {333333, -6}, &third)) out.decimal(third);
  out.character(' ');
  if (subtract(value, {1, -3}, &product)) out.decimal(product);
  const int decimals = price_decimals(value);
  out.character(' ').number(decimals);
}

Range range_of(const char* name) {
  for (uint8_t k = 0; k <= static_cast<uint8_t>(Range::Max); ++k) {
    if (strcmp(range_name(static_cast<Range>(k)), name) == 0) return static_cast<Range>(k);
  }
  return Range::D1;
}

/// "yahoo quote 1y
/// " and the body of a reply.
void play_answer(const Vector& vector, TextOut& out) {
  static SourceParser parser;
  Cutter cut = {vector.text, vector.text + vector.size};
  char source[16], step[16], range[16];
  cut.next(' ', source);
  cut.next(' ', step);
  cut.next('\n', range);
  SourceRequest request = {};
  for (uint8_t k = 0; k < 4; ++k) {
    if (strcmp(source_name(static_cast<Source>(k)), source) == 0) request.source = static_cast<Source>(k);
  }
  request.step = strcmp(step, "series") == 0     ? Step::Series
                 : strcmp(step, "previous") == 0 ? Step::PreviousClose
                                                 : Step::Quote;
  request.symbol = "X";
  request.range = range_of(range);
  request.points = 48;
  parser.start(request.source, request.step);
  for (size_t piece = 1; cut.at < cut.end; piece = piece % 11 + 1) {
    const size_t left = static_cast<size_t>(cut.end - cut.at), size = left < piece ? left : piece;
    if (!parser.write(cut.at, size)) break;
    cut.at += size;
  }
  const Reason reason = parser.finish();
  out.text("reason ").number(static_cast<int>(reason));
  if (reason != Reason::None) return;
  Quote quote = {};
  RowMemory memory = {};
  const NextStep next =
      request.step == Step::Quote ? apply_quote(parser, request, true, &memory, &quote) : NextStep::Nothing;
  if (request.step == Step::PreviousClose) apply_previous_close(parser, &memory, &quote);
  if (request.step == Step::Series) apply_series(parser, request, memory, &quote);
  out.text(" next ")
      .number(static_cast<int>(next))
      .text(" price ")
      .decimal(quote.price)
      .text(" previous ")
      .decimal(quote.previous)
      .text(" change ")
      .decimal(quote.change);
  out.text(" percent ")
      .number(quote.percent)
      .text(quote.has_change ? " known " : " unknown ")
      .quoted(quote.name)
      .quoted(quote.currency)
      .quoted(quote.range);
  out.text(" spark ")
      .number(quote.spark.low)
      .character(' ')
      .number(quote.spark.high)
      .character(' ')
      .number(quote.spark.exponent);
  for (uint8_t k = 0; k < quote.spark.count; ++k) out.character(' ').hex(quote.spark.points[k], 4);
}

/// A seed: 400 turns of the schedule with random events, times and intervals.
void play_schedule(const Vector& vector, TextOut& out) {
  char seed_text[16];
  Cutter cut = {vector.text, vector.text + vector.size};
  uint32_t seed = whole_number(cut.next(' ', seed_text));
  const auto chance = [&](uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % below;
  };
  ScheduleState state = schedule_start();
  uint32_t now = 0u - chance(60000) * 10;  // soon after the wrap of the clock
  const uint32_t poll = 10000 + chance(300) * 1000;
  bool busy = false;
  constexpr ScheduleEventKind kEnds[] = {ScheduleEventKind::Succeeded, ScheduleEventKind::Failed,
                                         ScheduleEventKind::Failed, ScheduleEventKind::TryMirror,
                                         ScheduleEventKind::Skipped};
  for (int turn = 0; turn < 400; ++turn) {
    ScheduleEvent event = {busy ? kEnds[chance(5)] : ScheduleEventKind::Tick, 0};
    if (turn == 0 || chance(60) == 0)
      event = {ScheduleEventKind::Refresh, static_cast<uint8_t>(1 + chance(kMaxSymbols))};
    const ScheduleAction action = schedule_step(&state, now, poll, event);
    busy = action.kind == ScheduleAction::Fetch;
    if (busy)
      out.character(action.mirror ? 'm' : 'f').number(action.row);
    else
      out.character('w').number(action.wait_ms);
    out.character(' ');
    now += chance(40) == 0 ? 3600000 : busy ? chance(9000) : action.wait_ms;
  }
}

/// Settings as JSON: the result, or the reason for rejection.
void play_settings(const Vector& vector, TextOut& out) {
  static SettingsReader reader;
  static Settings settings;
  set_defaults(&settings, 0x12ab, true);
  reader.start(settings, Strictness::Refuse);
  if (!reader.feed(vector.text, vector.size) || !reader.finish()) {
    out.text("refused ")
        .text(reader.error().key ? reader.error().key : "document")
        .character(' ')
        .text(reader.error().rule);
    return;
  }
  JsonOut json(out);
  json.begin_object();
  write_settings(reader.result(), Secrets::Included, json);
  json.end_object();
}

/// The bytes of an HTTP reply, in pieces.
void play_reply(const Vector& vector, TextOut& out) {
  struct Body final : ByteSink {
    explicit Body(TextOut& to) : out(to) {}
    bool write(const void* bytes, size_t size) override { return out.bytes(bytes, size), true; }
    TextOut& out;
  } body(out);
  static HttpReply reply;
  char location[128] = {};
  reply.start(100000, location, sizeof location);
  HttpProgress progress = HttpProgress::More;
  size_t piece = 1;
  for (size_t at = 0; at < vector.size && progress == HttpProgress::More; piece = piece % 13 + 1) {
    const size_t size = vector.size - at < piece ? vector.size - at : piece;
    progress = reply.feed(reinterpret_cast<const uint8_t*>(vector.text) + at, size, &body);
    at += size;
  }
  if (progress == HttpProgress::More) progress = reply.finish();
  out.text(" status ")
      .number(reply.status())
      .text(" progress ")
      .number(static_cast<int>(progress))
      .character(' ')
      .quoted(location);
}

/// "CET-1CEST,M3.5.0,M10.5.0/3 1774000000"
void play_zone(const Vector& vector, TextOut& out) {
  char zone_text[64], seconds[16];
  Cutter cut = {vector.text, vector.text + vector.size};
  cut.next(' ', zone_text);
  const uint32_t begin = whole_number(cut.next(' ', seconds));
  TimeZone zone;
  if (!parse_time_zone(zone_text, &zone)) {
    out.text("no zone");
    return;
  }
  for (int64_t month = 0; month < 13; ++month) {
    const int64_t at = begin + month * 2629746;
    const int32_t offset = utc_offset(zone, at);
    const CivilTime local = civil_from_seconds(at + offset);
    out.number(offset)
        .character(' ')
        .number(local.year)
        .two(local.month)
        .two(local.day)
        .two(local.hour)
        .two(local.minute)
        .number(local.weekday)
        .character(' ');
  }
}

/// Settings and view, one per line.
bool play_scene(const Vector& vector, TextOut& out) {
  static Player player;
  const auto* line_end = static_cast<const char*>(memchr(vector.text, '\n', vector.size));
  if (!line_end) return false;
  const size_t settings = static_cast<size_t>(line_end - vector.text);
  const int32_t sent = player.follow(vector.text, settings, line_end + 1, vector.size - settings - 1);
  out.text("crc ").hex(player.frame().crc(), 8).text(" sent ").number(sent);
  return sent >= 0;
}

bool play(const Vector& vector, TextOut& out) {
  switch (vector.kind) {
    case 'j':
      return play_json(vector, out), true;
    case 'n':
      return play_number(vector, out), true;
    case 'a':
      return play_answer(vector, out), true;
    case 's':
      return play_schedule(vector, out), true;
    case 'c':
      return play_settings(vector, out), true;
    case 'r':
      return play_reply(vector, out), true;
    case 'z':
      return play_zone(vector, out), true;
    case 'v':
      return play_scene(vector, out);
    default:
      return false;
  }
}

}  // namespace

bool run_vectors(const uint8_t* pack, size_t size, ByteSink& sink) {
  const uint8_t* at = pack;
  const uint8_t* end = pack + size;
  Vector vector;
  bool good = true;
  for (int number = 1; next_vector(&at, end, &vector); ++number) {
    TextOut out(sink);
    out.number(number).character(' ').character(vector.kind).character(' ');
    if (!play(vector, out)) {
      out.text(" not played");
      good = false;
    }
    out.character('\n');
  }
  return good && at == end;
}

}  // namespace hearth
