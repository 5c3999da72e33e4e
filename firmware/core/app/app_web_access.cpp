// Who may use the page: host names, origins, the password, the code on the screen.
#include <string.h>

#include "app/app.h"
#include "app/web_reply.h"

namespace hearth {
namespace {

constexpr char kSetupHost[] = "192.168.4.1";
constexpr uint8_t kFreeFailures = 5;  // wrong passwords without a delay
constexpr uint8_t kCodeTries = 3;

}  // namespace

/// Accepts only addresses and the device's own names as Host, because a foreign name that resolves to the device (DNS
/// rebinding) must not give access to it. The domains are those that routers give their home network; none of them can
/// be bought.
bool App::own_host() const {
  char host[64];
  memcpy(host, web_.host(), sizeof host);
  char* port = strchr(host, ':');
  if (port != nullptr) *port = 0;
  if (strcmp(host, view_.address) == 0 || strcmp(host, "localhost") == 0 || strcmp(host, kSetupHost) == 0 ||
      strcmp(host, "127.0.0.1") == 0)
    return host[0] != 0;
  const size_t name = strlen(settings_.hostname);
  for (size_t i = 0; i < name; i++) {
    const char c = settings_.hostname[i];
    if (host[i] != (c >= 'A' && c <= 'Z' ? c + 32 : c)) return false;
  }
  size_t size = strlen(host);
  if (size > name && host[size - 1] == '.') host[--size] = 0;  // a complete name may end in a dot
  static const char* const kHomes[] = {"", ".local", ".lan", ".home", ".home.arpa", ".fritz.box", ".internal"};
  for (const char* home : kHomes) {
    if (strcmp(host + name, home) == 0) return true;
  }
  return false;
}

bool App::web_allowed(ByteSink& client) {
  if (!own_host()) {
    // In the setup network every name resolves to the device, so phones that probe for internet access are redirected
    // to the page.
    if (join_.phase == JoinPhase::Setup && strcmp(web_.method(), "GET") == 0 &&
        strncmp(web_.target(), "/api/", 5) != 0) {
      web_redirect(client);
    } else {
      reply_error(client, "403 Forbidden", "unknown host", "Open this device by its address or by its own name.");
    }
    return false;
  }
  if (web_.foreign() && (strcmp(web_.method(), "GET") != 0 || strncmp(web_.target(), "/api/", 5) == 0)) {
    reply_error(client, "403 Forbidden", "foreign origin", "Another web page asked for this.");
    return false;
  }
  if (strcmp(web_.method(), "POST") == 0 && !web_.deliberate()) {
    reply_error(client, "403 Forbidden", "header missing", "A POST needs the header X-Hearth: 1.");
    return false;
  }
  return web_logged_in(client);
}

/// After five wrong passwords each answer takes 2 s, also that to the right one: otherwise a guess would be known to be
/// wrong before its answer, and there is one client at a time. A browser then repeats the right one by itself
/// (`stale`).
bool App::web_logged_in(ByteSink& client) {
  if (!settings_.auth.enabled) return true;
  const DigestResult login = web_.login();
  if (login == DigestResult::Bad && web_failures_ <= kFreeFailures) web_failures_++;
  if (web_failures_ > kFreeFailures && login != DigestResult::Missing) {
    web_state_ = WebState::Denied;
    return false;
  }
  if (login == DigestResult::Good) {
    web_failures_ = 0;
    return true;
  }
  web_deny(client);
  return false;
}

void App::web_deny(ByteSink& client) {
  if (web_state_ == WebState::Denied) web_state_ = WebState::Close;
  if (web_.login() == DigestResult::Good) web_failures_ = 0;
  char nonce[kNonceBytes];
  digest_.nonce(uptime_s_, nonce);
  char header[192];
  BufferSink sink(header, sizeof header);
  {
    TextOut text(sink);
    text.text("WWW-Authenticate: Digest realm=\"")
        .text(kRealm)
        .text("\", qop=\"auth\", algorithm=MD5, nonce=\"")
        .text(nonce)
        .character('"');
    if (web_.login() == DigestResult::Stale || web_.login() == DigestResult::Good) text.text(", stale=true");
    text.text("\r\n");
  }
  reply_json(client, "401 Unauthorized", "{\"ok\":false,\"error\":\"password needed\"}", header);
}

/// Shows a code on the screen: only somebody in front of the device can answer it.
void App::web_code(ByteSink& client) {
  constexpr uint32_t kMillion = 1000000;
  constexpr uint32_t kPauseMs = 30000;  // against guessing: six tries a minute
  if (code_tries_ != kNoCode && now_ - code_since_ < kPauseMs)
    return reply_error(client, "429 Too Many Requests", "wait", "A code was shown a moment ago. Wait half a minute.");
  uint32_t chance = 0;
  ports_.entropy.fill(&chance, sizeof chance);
  BufferSink sink(view_.code, sizeof view_.code);
  {
    TextOut out(sink);
    for (uint32_t place = kMillion / 10; place > 0; place /= 10)
      out.character(static_cast<char>('0' + chance % kMillion / place % 10));
  }
  code_since_ = now_;
  code_tries_ = kCodeTries;
  view_.revision++;
  reply_json(client, "200 OK", "{\"ok\":true,\"seconds\":120}");
}

/// Whether this request has the code from the screen. A code serves one request and ends after three wrong ones.
bool App::present() {
  if (view_.code[0] == 0 || web_.code()[0] == 0) return false;
  const bool right = strcmp(view_.code, web_.code()) == 0;
  if (right || --code_tries_ == 0) view_.code[0] = 0;
  view_.revision++;
  return right;
}

/// The setup network opens when the own one is away, which a neighbor can bring about: there, the password on the
/// screen is not enough to take the device over.
bool App::needs_presence() const {
  return join_.phase == JoinPhase::Setup && settings_.network_count > 0 &&
         (web_.is("POST", "/update") || web_.is("POST", "/api/import") || web_.is("POST", "/api/factory"));
}

}  // namespace hearth
