// Digest authentication (RFC 7616 with MD5, and RFC 2617 without qop). A nonce contains its time, a number that tells
// it from others of the same second, and a proof; the counts of the last nonces are remembered, so that a request that
// somebody recorded can't be sent again.
#pragma once
#include "port.h"
#include "settings/settings.h"

namespace hearth {

constexpr char kRealm[] = "SmallTV";
constexpr uint32_t kNonceSeconds = 300;
constexpr size_t kNonceBytes = 41;  ///< 8 hex digits of the time and number, 32 of the proof, NUL

enum class DigestResult : uint8_t {
  Missing,  ///< no Authorization header
  Good,
  Stale,  ///< the right password, but an old nonce or one whose count was used
  Bad,
};

class Digest {
 public:
  /// Generates a secret that is valid until the next start.
  void start(Entropy& entropy, Hashes& hashes);
  /// A new nonce, unlike all before.
  void nonce(uint32_t seconds, char out[kNonceBytes]);
  /// Checks the value of an Authorization header for a request.
  DigestResult check(const AuthSettings& auth, const char* method, const char* target, const char* header,
                     uint32_t seconds);

 private:
  struct Used {
    uint32_t stamp;  ///< of the nonce
    uint32_t count;
  };
  static constexpr uint8_t kRemembered = 4;
  void write_nonce(uint32_t stamp, char out[kNonceBytes]) const;
  bool use(uint32_t stamp, uint32_t count);
  Hashes* hashes_ = nullptr;
  Used used_[kRemembered] = {};
  uint8_t used_count_ = 0;
  uint32_t stamp_ = 0;   // of the last nonce
  bool forgot_ = false;  // nonces up to `forgotten_` are not accepted any more
  uint32_t forgotten_ = 0;
  uint8_t secret_[16] = {};
};

}  // namespace hearth
