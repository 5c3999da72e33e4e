// The newest release of this firmware on GitHub. The repository also releases other programs.
#pragma once
#include "http/get.h"
#include "parse/json.h"
#include "port.h"

namespace hearth {

/// a * 10000 + b * 100 + c for "v1.2.3" or "1.2.3"; 0 for other texts.
uint32_t version_number(const char* text);

enum class ReleaseStep : uint8_t {
  Latest,  ///< firmware/latest.json on the branch `data`: a line that names the newest version
  List,    ///< the descriptions of the newest releases, where that file is missing
  File,    ///< the update file, through redirects
};

/// Bytes of a file that a chip with little memory asks for at once: with the head of a reply they fit into a record of
/// TLS for which it has room.
constexpr uint32_t kPieceBytes = 3072;

/// Requests to GitHub.
class ReleaseText : public RequestText {
 public:
  void write_request(const Url& url, bool redirected, ByteSink& sink) const override;
  const BoardInfo* board = nullptr;
  ReleaseStep step = ReleaseStep::Latest;
  bool in_pieces = false;
  uint32_t from = 0;  ///< where the next piece begins
};

/// Begins the tag of every firmware release, see .github/workflows/firmware.yml.
constexpr char kReleaseTag[] = "firmware-";

/// Reads either reply: `{"version":"1.2.3"}`, or the descriptions up to the first release of the firmware that is
/// published and no trial. The result is its version and the address of the board's file.
class ReleaseReader : public ByteSink {
 public:
  void start(const BoardInfo& board, ReleaseStep step);
  /// Returns false when nothing more needs to be read.
  bool write(const void* bytes, size_t size) override;
  /// Returns false if the reply was something else.
  bool finish();
  char version[16];   ///< "1.2.3", "" when no release is one of the firmware
  char address[240];  ///< "" when the release has no file of that name

 private:
  bool drain();
  void value(JsonEvent event);
  JsonReader reader_;
  JsonPath path_;
  void name_file();
  const BoardInfo* board_ = nullptr;
  ReleaseStep step_ = ReleaseStep::Latest;
  bool wanted_ = false;
  bool published_ = false;
  bool found_ = false;
  bool list_ = false;
  bool failed_ = false;
};

}  // namespace hearth
