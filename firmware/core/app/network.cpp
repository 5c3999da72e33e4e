// Joining a network and fetching quotes.
#include <string.h>

#include "app/app.h"
#include "app/placement_new.h"
#include "quote/format.h"
#include "screen/pages.h"

namespace hearth {
namespace {

constexpr uint8_t kMostSeen = 8;
constexpr uint32_t kPortalBlock = 16000;  // contiguous bytes that one ECDHE handshake needs on an ESP8266
constexpr uint32_t kTlsHeap = 12000;      // in addition to the receive buffer, for a static-RSA handshake

}  // namespace

void SourceText::write_request(const Url& url, bool redirected, ByteSink& sink) const {
  if (redirected) return write_redirected_request(request, url, sink);
  write_source_request(request, url, sink);
}

void App::begin_join() {
  WifiSeen seen[kMostSeen];
  uint8_t count = 0;
  if (settings_.network_count > 1) {
    const uint8_t all = ports_.wifi.scan();
    while (count < kMostSeen && count < all && ports_.wifi.seen(count, &seen[count])) count++;
  }
  join_ = join_start(settings_, seen, count, now_);
}

void App::tick_join(uint32_t now) {
  const bool was_joined = join_.phase == JoinPhase::Joined;
  switch (join_step(&join_, ports_.wifi.state(), now, setup_used_)) {
    case JoinAction::Join: {
      const Network& network = settings_.networks[join_.order[join_.at]];
      log("joining ", network.ssid);
      ports_.wifi.join(network.ssid, network.pass, settings_.hostname);
      break;
    }
    case JoinAction::OpenSetup:
      log("setup network ", settings_.ap_ssid);
      ports_.wifi.open_access_point(settings_.ap_ssid, settings_.ap_pass);
      break;
    default:
      break;
  }
  const bool joined = join_.phase == JoinPhase::Joined;
  if (joined && !was_joined) {
    log("joined");
    schedule_step(&schedule_, now, Intervals(settings_.ticker), ScheduleEvent{ScheduleEventKind::Refresh, 0});
  }
  if (joined || !was_joined) return;
  // Mark all prices as old immediately, with the reason.
  for (uint8_t i = 0; i < settings_.ticker.row_count; i++) {
    quotes_[i].reason = Reason::NoNetwork;
    quotes_[i].http_status = 0;
    if (quotes_[i].state == QuoteState::Fresh) quotes_[i].state = QuoteState::Stale;
  }
  view_.revision++;
}

SourceRequest App::source_request(uint8_t row, bool mirror, Step step) const {
  const TickerSettings& ticker = settings_.ticker;
  return SourceRequest{ticker.rows[row].source, step, mirror, ticker.rows[row].symbol,
                       row_range(ticker, ticker.rows[row]), ticker.points, ticker.webhook_url, &ports_.system.board(),
                       // Of the day alone: over several days the last candle before today must be a regular one.
                       ticker.extended_hours && row_range(ticker, ticker.rows[row]) == Range::D1, ticker.repo};
}

bool App::series_wanted() const {
  const TickerSettings& ticker = settings_.ticker;
  return ticker.points >= 2 && (ticker.show_chart || ticker.change_on_range);
}

bool App::heap_allows(const Endpoint& endpoint, Source source) {
  if (ports_.system.board().chip != Chip::Esp8266 || endpoint.tls == TlsProfile::None) return true;
  if (source == Source::Cash) return ports_.system.largest_block() >= kPortalBlock;
  return ports_.system.free_heap() >= endpoint.receive_buffer + kTlsHeap;
}

void App::tick_fetch(uint32_t now) {
  if (workspace_.owner == Owner::Fetch) {
    if (workspace_.as<FetchSpace>().get.step(now)) end_fetch(now);
    return;
  }
  if (workspace_.owner != Owner::Nobody || join_.phase != JoinPhase::Joined) return;
  if (step_waits_) {
    step_waits_ = false;
    begin_fetch(fetch_row_, fetch_mirror_, fetch_step_, now);
    return;
  }
  ScheduleEvent event{ScheduleEventKind::Tick, 0};
  if (schedule_.count != settings_.ticker.row_count)
    event = ScheduleEvent{ScheduleEventKind::Refresh, settings_.ticker.row_count};
  const ScheduleAction action = schedule_step(&schedule_, now, Intervals(settings_.ticker), event);
  if (action.kind == ScheduleAction::Fetch) begin_fetch(action.row, action.mirror, Step::Quote, now);
}

void App::begin_fetch(uint8_t row, bool mirror, Step step, uint32_t now) {
  fetch_row_ = row;
  fetch_mirror_ = mirror;
  fetch_step_ = step;
  FetchSpace& space = workspace_.make<FetchSpace>();
  space.text.request = source_request(row, mirror, step);
  const Reason reason = begin_get(space, now);
  if (reason != Reason::None) return fail_fetch(reason, 0, now);
  workspace_.owner = Owner::Fetch;
}

Reason App::begin_get(FetchSpace& space, uint32_t now) {
  const SourceRequest& request = space.text.request;
  HttpGet::Job job{};
  if (!source_address(request, &job.url))
    return is_listing_key(request.symbol) || request.source == Source::Webhook ? Reason::NotConfigured
                                                                               : Reason::UnknownSymbol;
  job.endpoint = source_endpoint(request.source, job.url);
  if (!heap_allows(job.endpoint, request.source)) return Reason::LowMemory;
  space.parser.start(request.source, request.step);
  job.text = &space.text;
  job.body = &space.parser;
  job.timeout_ms = settings_.http_timeout_ms;
  job.body_limit = kBodyLimit;
  job.location = space.parser.series.idle_space();
  job.location_bytes = Series::kIdleBytes;
  space.get.begin(ports_.net, job, now);
  return Reason::None;
}

void App::end_fetch(uint32_t now) {
  FetchSpace& space = workspace_.as<FetchSpace>();
  release(Owner::Fetch);
  Reason reason = space.get.reason();
  const uint16_t status = space.get.status();
  if (reason == Reason::None) reason = space.parser.finish();
  if (reason == Reason::HttpStatus && status == 404 && space.text.request.source != Source::Webhook)
    reason = Reason::UnknownSymbol;
  space.parser.result.now = space.get.date();
  Quote& quote = quotes_[fetch_row_];
  const Decimal before = quote.state == QuoteState::Fresh ? quote.price : Decimal{0, 0};
  if (reason != Reason::None && fetch_step_ == Step::Quote) return fail_fetch(reason, status, now);
  NextStep next = NextStep::Nothing;
  if (reason == Reason::None) {
    switch (fetch_step_) {
      case Step::Quote:
        next = apply_quote(space.parser, space.text.request, series_wanted(), &memory_[fetch_row_], &quote);
        break;
      case Step::PreviousClose:
        apply_previous_close(space.parser, &memory_[fetch_row_], &quote);
        break;
      default:
        apply_series(space.parser, space.text.request, memory_[fetch_row_], &quote);
        break;
    }
  }
  if (fetch_step_ == Step::Quote) {
    quote.state = QuoteState::Fresh;
    quote.reason = Reason::None;
    quote.http_status = 0;
    quote.age_s = 0;
    announce_price(before, now);
  }
  view_.revision++;
  if (next != NextStep::Nothing) {
    fetch_step_ = next == NextStep::Series ? Step::Series : Step::PreviousClose;
    step_waits_ = true;
    return;
  }
  schedule_step(&schedule_, now, Intervals(settings_.ticker), ScheduleEvent{ScheduleEventKind::Succeeded, 0});
}

/// A changed price flashes; one that reaches an alert is shown at once.
void App::announce_price(Decimal before, uint32_t now) {
  Quote& quote = quotes_[fetch_row_];
  RowMemory& memory = memory_[fetch_row_];
  if (!is_zero(before) && compare(before, quote.price) != 0) {
    quote.before = before;
    memory.flash_since = now;
  }
  const int8_t alert = static_cast<int8_t>(alert_of(settings_.ticker.rows[fetch_row_], quote));
  if (alert != 0 && alert != memory.alert) {
    view_.page = fetch_row_;
    page_since_ = now;
  }
  memory.alert = alert;
}

void App::end_flashes(uint32_t now) {
  constexpr uint32_t kFlashMs = 600;
  for (uint8_t i = 0; i < settings_.ticker.row_count; i++) {
    if (is_zero(quotes_[i].before) || now - memory_[i].flash_since < kFlashMs) continue;
    quotes_[i].before = Decimal{0, 0};
    view_.revision++;
  }
}

void App::fail_fetch(Reason reason, uint16_t status, uint32_t now) {
  const Source source = settings_.ticker.rows[fetch_row_].source;
  // The chart endpoint has a mirror, and the portal gets a second attempt. Permanent errors are not retried.
  const bool again = (source == Source::Yahoo || source == Source::Cash) && !fetch_mirror_ &&
                     reason != Reason::LowMemory && reason != Reason::UnknownSymbol &&
                     reason != Reason::NotConfigured && reason != Reason::RateLimited;
  ScheduleEventKind kind = again ? ScheduleEventKind::TryMirror : ScheduleEventKind::Failed;
  if (reason == Reason::LowMemory) kind = ScheduleEventKind::Skipped;
  if (fetch_step_ == Step::Quote && !again) {
    Quote& quote = quotes_[fetch_row_];
    quote.reason = reason;
    quote.http_status = status == 200 ? static_cast<uint16_t>(0) : status;
    if (quote.state == QuoteState::Fresh) quote.state = QuoteState::Stale;
    log(settings_.ticker.rows[fetch_row_].symbol, reason_code(reason));
    view_.revision++;
  }
  if (fetch_step_ != Step::Quote)
    kind = ScheduleEventKind::Succeeded;  // the price arrived, only additional data is missing
  schedule_step(&schedule_, now, Intervals(settings_.ticker), ScheduleEvent{kind, 0});
  if (reason == Reason::RateLimited) hold_source(source, now);
}

/// All rows of a source ask the same host, and its mirror counts along.
void App::hold_source(Source source, uint32_t now) {
  const uint32_t asked_s = workspace_.as<FetchSpace>().get.retry_after();
  const uint32_t wait_ms = asked_s < kMostHoldMs / 1000 ? asked_s * 1000 : kMostHoldMs;
  for (uint8_t i = 0; i < schedule_.count; i++) {
    if (settings_.ticker.rows[i].source != source) continue;
    schedule_hold(&schedule_, now, i, wait_ms);
    quotes_[i].reason = Reason::RateLimited;  // also of a row that was not asked, should its price grow old
    quotes_[i].http_status = 429;
  }
}

}  // namespace hearth
