// Fetches a symbol once that is not in the settings, so that a person sees whether its source knows it.
#include <string.h>

#include "app/app.h"
#include "app/placement_new.h"
#include "app/web_reply.h"
#include "http/ascii.h"
#include "quote/format.h"
#include "settings/fields.h"

namespace hearth {
namespace {

int hex_value(char c) {
  return c >= '0' && c <= '9' ? c - '0' : lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : -1;
}

/// A field of the query, percent-decoded. Returns false if it is missing, malformed or too long.
bool query_field(const char* target, const char* name, char* to, size_t capacity) {
  const size_t length = strlen(name);
  for (const char* at = strchr(target, '?'); at != nullptr; at = strchr(at, '&')) {
    at++;
    if (strncmp(at, name, length) != 0 || at[length] != '=') continue;
    size_t size = 0;
    for (at += length + 1; *at != 0 && *at != '&'; at++) {
      char c = *at;
      if (c == '%') {
        const int high = hex_value(at[1]), low = high < 0 ? -1 : hex_value(at[2]);
        if (low < 0) return false;
        c = static_cast<char>(high << 4 | low);
        at += 2;
      }
      if (c == 0 || size + 1 >= capacity) return false;
      to[size++] = c;
    }
    to[size] = 0;
    return size > 0;
  }
  return false;
}

}  // namespace

/// Reads symbol and source from the query and begins. Returns false if they are not understood or nothing can be asked.
bool App::begin_try() {
  char name[12];
  uint8_t source = 0;
  if (!query_field(web_.target(), "symbol", try_symbol_, sizeof try_symbol_) ||
      !query_field(web_.target(), "source", name, sizeof name))
    return false;
  while (source < 4 && strcmp(name, kSourceNames[source]) != 0) source++;
  if (source == 4 || join_.phase != JoinPhase::Joined || !claim(Owner::Web)) return false;
  FetchSpace& space = workspace_.make<FetchSpace>();
  const TickerSettings& ticker = settings_.ticker;
  space.text.request =
      SourceRequest{static_cast<Source>(source), Step::Quote, false,      try_symbol_, Range::D1, 0, ticker.webhook_url,
                    &ports_.system.board(),      false,       ticker.repo};
  if (begin_get(space, now_) != Reason::None) {
    release(Owner::Web);
    return false;
  }
  tried_ = false;
  return true;
}

void App::tick_try() {
  if (tried_) return;
  web_used_at_ = now_;  // the client waits in silence
  tried_ = workspace_.as<FetchSpace>().get.step(now_);
}

void App::web_tried(ByteSink& client) {
  FetchSpace& space = workspace_.as<FetchSpace>();
  web_state_ = WebState::Close;
  Reason reason = space.get.reason();
  if (reason == Reason::None) reason = space.parser.finish();
  if (reason == Reason::HttpStatus && space.get.status() == 404 && space.text.request.source != Source::Webhook)
    reason = Reason::UnknownSymbol;
  TextOut out(client);
  reply_head(out, "200 OK", "application/json");
  JsonOut json(out);
  json.begin_object().flag("ok", reason == Reason::None).text("error", reason_code(reason));
  if (reason == Reason::HttpStatus) json.number("httpStatus", space.get.status());
  const SourceResult& result = space.parser.result;
  if (reason == Reason::None)
    json.decimal("price", result.price).text("currency", result.currency).text("name", result.name);
  json.end_object();
  release(Owner::Web);
}

}  // namespace hearth
