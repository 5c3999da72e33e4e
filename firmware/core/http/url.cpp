#include "http/url.h"

#include <string.h>

#include "http/ascii.h"

namespace hearth {
namespace {

bool host_byte(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

}  // namespace

bool parse_url(const char* text, Url* url) {
  if (begins_fold(text, "https://")) {
    url->tls = true;
  } else if (begins_fold(text, "http://")) {
    url->tls = false;
  } else {
    return false;
  }
  const char* at = text + (url->tls ? 8 : 7);
  size_t host = 0;
  for (; host_byte(at[host]); host++) {
    if (host + 1 >= kHostBytes) return false;
    url->host[host] = lower(at[host]);
  }
  if (host == 0) return false;
  url->host[host] = 0;
  at += host;
  url->port = url->tls ? 443 : 80;
  if (*at == ':') {
    size_t digits = 0;
    while (at[1 + digits] >= '0' && at[1 + digits] <= '9') digits++;
    uint32_t port = 0;
    if (!parse_uint(at + 1, digits, 65535, &port) || port == 0) return false;
    url->port = static_cast<uint16_t>(port);
    at += 1 + digits;
  }
  if (*at != 0 && *at != '/' && *at != '?' && *at != '#') return false;
  url->path = at;
  url->path_size = 0;
  url->has_query = false;
  bool fragment = false;
  for (; *at != 0; at++) {
    const uint8_t byte = static_cast<uint8_t>(*at);
    if (byte <= 0x20 || byte >= 0x7f) return false;
    if (*at == '#') fragment = true;
    if (fragment) continue;
    if (*at == '?') url->has_query = true;
    url->path_size++;
  }
  return true;
}

}  // namespace hearth
