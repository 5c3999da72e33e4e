#include "web/digest.h"

#include <string.h>

#include "http/ascii.h"
#include "io/text_out.h"

namespace hearth {
namespace {

struct Part {
  const char* text = "";
  size_t size = 0;
};

/// Finds `name=value` or `name="value"` among the comma-separated parameters of the header.
Part parameter(const char* at, const char* name) {
  const size_t length = strlen(name);
  while (*at != 0) {
    while (*at == ' ' || *at == ',' || *at == '\t') at++;
    const char* begin = at;
    while (*at != 0 && *at != '=' && *at != ',') at++;
    const size_t found = static_cast<size_t>(at - begin);
    if (*at != '=') continue;
    at++;
    Part part;
    if (*at == '"') {
      part.text = ++at;
      while (*at != 0 && *at != '"') at++;
      part.size = static_cast<size_t>(at - part.text);
      if (*at == '"') at++;
    } else {
      part.text = at;
      while (*at != 0 && *at != ',' && *at != ' ') at++;
      part.size = static_cast<size_t>(at - part.text);
    }
    if (found == length && equal_fold(begin, found, name)) return part;
  }
  return Part();
}

constexpr uint32_t kNoncesPerSecond = 16;  // its stamps last for eight years without a restart
constexpr uint32_t kOnce = UINT32_MAX;     // RFC 2617 without qop has no counts: its nonces serve one request

/// Eight hex digits.
bool hex_number(const char* text, size_t size, uint32_t* value) {
  *value = 0;
  for (size_t i = 0; i < size; i++) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) return false;
    *value = *value << 4 | static_cast<uint32_t>(digit);
  }
  return size == 8;
}

/// Compares in constant time.
bool same(const char* a, const char* b, size_t size) {
  uint8_t difference = 0;
  for (size_t i = 0; i < size; i++) difference = static_cast<uint8_t>(difference | (a[i] ^ b[i]));
  return difference == 0;
}

/// MD5 as HTTP uses it: 32 lower-case hex digits.
class Md5 {
 public:
  explicit Md5(Hashes& hashes) : hashes_(hashes) { hashes_.md5_start(); }
  Md5& add(const void* bytes, size_t size) {
    hashes_.md5_add(bytes, size);
    return *this;
  }
  Md5& text(const char* text) { return add(text, strlen(text)); }
  void hex(char out[33]) {
    uint8_t digest[16];
    hashes_.md5_finish(digest);
    for (int i = 0; i < 16; i++) {
      out[2 * i] = "0123456789abcdef"[digest[i] >> 4];
      out[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    out[32] = 0;
  }

 private:
  Hashes& hashes_;
};

}  // namespace

void Digest::start(Entropy& entropy, Hashes& hashes) {
  hashes_ = &hashes;
  entropy.fill(secret_, sizeof secret_);
}

void Digest::nonce(uint32_t seconds, char out[kNonceBytes]) {
  const uint32_t first = seconds * kNoncesPerSecond;
  stamp_ = first > stamp_ ? first : stamp_ + 1;
  write_nonce(stamp_, out);
}

void Digest::write_nonce(uint32_t stamp, char out[kNonceBytes]) const {
  {
    BufferSink sink(out, kNonceBytes);
    TextOut(sink).hex(stamp, 8);
  }
  Md5(*hashes_).add(out, 8).add(secret_, sizeof secret_).hex(out + 8);
}

DigestResult Digest::check(const AuthSettings& auth, const char* method, const char* target, const char* header,
                           uint32_t seconds) {
  if (!begins_fold(header, "digest ")) return DigestResult::Bad;
  header += 7;
  const Part user = parameter(header, "username");
  const Part nonce_part = parameter(header, "nonce");
  const Part uri = parameter(header, "uri");
  const Part response = parameter(header, "response");
  const Part qop = parameter(header, "qop");
  const Part nc = parameter(header, "nc");
  const Part cnonce = parameter(header, "cnonce");
  if (user.size != strlen(auth.user) || memcmp(user.text, auth.user, user.size) != 0) return DigestResult::Bad;
  if (nonce_part.size != kNonceBytes - 1 || response.size != 32 || auth.pass[0] == 0) return DigestResult::Bad;
  if (uri.size != strlen(target) || memcmp(uri.text, target, uri.size) != 0) return DigestResult::Bad;

  char first[33];
  char second[33];
  char expected[33];
  Md5(*hashes_).text(auth.user).text(":").text(kRealm).text(":").text(auth.pass).hex(first);
  Md5(*hashes_).text(method).text(":").text(target).hex(second);
  Md5 sum(*hashes_);
  sum.add(first, 32).text(":").add(nonce_part.text, nonce_part.size).text(":");
  if (qop.size > 0) {
    if (!equal_fold(qop.text, qop.size, "auth")) return DigestResult::Bad;
    sum.add(nc.text, nc.size).text(":").add(cnonce.text, cnonce.size).text(":auth:");
  }
  sum.add(second, 32).hex(expected);
  uint32_t count = kOnce;
  if (qop.size > 0 && !hex_number(nc.text, nc.size, &count)) return DigestResult::Bad;
  char given[32];
  for (int i = 0; i < 32; i++) given[i] = lower(response.text[i]);
  if (!same(given, expected, 32)) return DigestResult::Bad;

  // The password is correct; the nonce must also be valid and recent.
  uint32_t stamp = 0;
  if (!hex_number(nonce_part.text, 8, &stamp)) return DigestResult::Stale;
  char ours[kNonceBytes];
  write_nonce(stamp, ours);
  const uint32_t issued = stamp / kNoncesPerSecond;  // later than now if there were more in a second
  const bool young = issued > seconds || seconds - issued <= kNonceSeconds;
  if (!same(ours, nonce_part.text, kNonceBytes - 1) || !young) return DigestResult::Stale;
  return use(stamp, count) ? DigestResult::Good : DigestResult::Stale;
}

/// Accepts each count of a nonce once, in rising order. Of more nonces than fit, the oldest are given up.
bool Digest::use(uint32_t stamp, uint32_t count) {
  if (forgot_ && stamp <= forgotten_) return false;
  for (uint8_t i = 0; i < used_count_; i++) {
    if (used_[i].stamp != stamp) continue;
    if (count <= used_[i].count || used_[i].count == kOnce) return false;
    used_[i].count = count;
    return true;
  }
  uint8_t at = used_count_;
  if (used_count_ < kRemembered) {
    used_count_++;
  } else {
    at = 0;
    for (uint8_t i = 1; i < kRemembered; i++) at = used_[i].stamp < used_[at].stamp ? i : at;
    if (stamp < used_[at].stamp) return false;
    forgot_ = true;
    forgotten_ = used_[at].stamp;
  }
  used_[at] = Used{stamp, count};
  return true;
}

}  // namespace hearth
