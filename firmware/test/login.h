// Digest logins for the tests.
#pragma once
#include "hashes.h"

namespace device {

/// A quoted parameter of a header.
inline std::string field(const std::string& header, const std::string& name) {
  const size_t at = header.find(name + "=\"") + name.size() + 2;
  return header.substr(at, header.find('"', at) - at);
}

/// What a browser answers to a challenge with the user "admin"; `count` 0 = without qop, as RFC 2617 allows.
inline std::string login(const std::string& challenge, const std::string& method, const std::string& target,
                         const std::string& pass, int count = 1) {
  const bool qop = count > 0;
  const std::string nc = "0000000" + std::to_string(count);
  const std::string nonce = field(challenge, "nonce");
  const std::string first = md5("admin:SmallTV:" + pass);
  const std::string second = md5(method + ":" + target);
  const std::string response =
      qop ? md5(first + ":" + nonce + ":" + nc + ":abc:auth:" + second) : md5(first + ":" + nonce + ":" + second);
  return "Authorization: Digest username=\"admin\", realm=\"SmallTV\", nonce=\"" + nonce + "\", uri=\"" + target +
         "\", " + (qop ? "qop=auth, nc=" + nc + ", cnonce=\"abc\", " : "") + "response=\"" + response + "\"\r\n";
}

}  // namespace device
