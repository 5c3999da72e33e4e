// The latest release of this firmware on GitHub.
#pragma once
#include "http/get.h"
#include "parse/json.h"
#include "port.h"

namespace hearth {

/// a * 10000 + b * 100 + c for "v1.2.3" or "1.2.3"; 0 for other texts.
uint32_t version_number(const char* text);

/// Requests to GitHub: the description of the latest release, then (through redirects) its file.
class ReleaseText : public RequestText {
 public:
  void write_request(const Url& url, bool redirected, ByteSink& sink) const override;
  const BoardInfo* board = nullptr;
  bool download = false;
};

/// Reads the description: its version and the address of the wanted file.
class ReleaseReader : public ByteSink {
 public:
  void start(const char* asset);
  bool write(const void* bytes, size_t size) override;
  /// Returns false if the reply was not a release.
  bool finish();
  char version[16];
  char address[200];  ///< "" when the release has no file of that name

 private:
  bool drain();
  JsonReader reader_;
  JsonPath path_;
  const char* asset_ = nullptr;
  bool wanted_ = false;
  bool failed_ = false;
};

}  // namespace hearth
