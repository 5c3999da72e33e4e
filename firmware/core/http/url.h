// http and https URLs, as far as a webhook or a redirect needs them.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

constexpr size_t kHostBytes = 64;

struct Url {
  bool tls;
  uint16_t port;
  char host[kHostBytes];
  const char* path;  ///< points into the text: "/…", "?…" or ""; a fragment may follow
  size_t path_size;  ///< without the fragment
  bool has_query;
};

/// Returns false for other schemes, credentials in the URL, a host that is empty or too long, an invalid port, spaces
/// and control bytes.
bool parse_url(const char* text, Url* url);

}  // namespace hearth
