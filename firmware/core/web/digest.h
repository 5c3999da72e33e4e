// Digest authentication (RFC 7616 with MD5, and RFC 2617 without qop), stateless: a nonce contains its time and a
// proof.
#pragma once
#include "port.h"
#include "settings/settings.h"

namespace hearth {

constexpr char kRealm[] = "SmallTV";
constexpr uint32_t kNonceSeconds = 300;
constexpr size_t kNonceBytes = 41;  ///< 8 hex digits of the time, 32 of the proof, NUL

enum class DigestResult : uint8_t { Good, Stale, Bad };

class Digest {
 public:
  /// Generates a secret that is valid until the next start.
  void start(Entropy& entropy, Hashes& hashes);
  void nonce(uint32_t seconds, char out[kNonceBytes]) const;
  /// Checks the value of an Authorization header for a request.
  DigestResult check(const AuthSettings& auth, const char* method, const char* target, const char* header,
                     uint32_t seconds) const;

 private:
  Hashes* hashes_ = nullptr;
  uint8_t secret_[16] = {};
};

}  // namespace hearth
