// Downloads new firmware from the newest firmware release of the repository in which this firmware was built.
#include <string.h>

#include "app/app.h"
#include "app/placement_new.h"

namespace hearth {
namespace {

constexpr char kLatestHost[] = "https://raw.githubusercontent.com/";
constexpr char kListHost[] = "https://api.github.com/";
constexpr uint32_t kUpdateMs = 300000;  // allows a download over a slow network
constexpr uint32_t kPieceMs = 60000;
constexpr uint32_t kAllPiecesMs = 3600000;
constexpr uint8_t kMostFailures = 5;
constexpr uint32_t kCheckMs = 60000;     // a list of releases has up to 1 MB, and an ESP8266 reads slowly
constexpr uint32_t kLatestHeap = 17500;  // its certificates come in one record of about 4 KB
constexpr uint32_t kListHeap = 20000;
constexpr uint32_t kInstallHeap = 22000;
constexpr uint16_t kLatestBuffer = 5120;
constexpr uint16_t kListBuffer = 4096;
constexpr uint16_t kRecordBuffer = 16384;  // the largest record of TLS
constexpr char kTooLittle[] = "There is too little memory for an update now. Choose the update file on this page.";
constexpr uint32_t kDownloadLimit = 8u << 20;

}  // namespace

void App::begin_update(UpdateJob job) {
  const BoardInfo& board = ports_.system.board();
  latest_newer_ = false;
  if (board.repo_owner[0] == 0 || board.repo_name[0] == 0)
    return end_update("This firmware was built without a repository to update from.");
  if (!view_.online && join_.phase != JoinPhase::Joined) return end_update("There is no network.");
  const bool small = board.chip == Chip::Esp8266 || job == UpdateJob::Check;
  if (ports_.system.free_heap() < (small ? kLatestHeap : kInstallHeap)) return end_update(kTooLittle);
  if (!claim(Owner::Update)) return end_update("Something else is being saved or updated.");
  ReleaseSpace& space = workspace_.make<ReleaseSpace>();
  space.text.board = &board;
  space.begun_ms = now_;
  space.failures = 0;
  update_job_ = job;
  update_message_ = "Looking for the newest release.";
  Url url{};
  parse_url(kLatestHost, &url);
  begin_release(ReleaseStep::Latest, url, now_);
}

/// The next request of an update; its body goes to the reader, or to the writer of the image.
void App::begin_release(ReleaseStep step, const Url& url, uint32_t now) {
  ReleaseSpace& space = workspace_.as<ReleaseSpace>();
  const bool file = step == ReleaseStep::File;
  if (!file) space.release.start(ports_.system.board(), step);
  space.text.step = step;
  HttpGet::Job get{};
  get.url = url;
  get.text = &space.text;
  get.body = file ? static_cast<ByteSink*>(&space.writer) : &space.release;
  const bool small = ports_.system.board().chip == Chip::Esp8266;
  get.in_pieces = space.text.in_pieces = file && small;
  const uint16_t buffer = step == ReleaseStep::Latest || get.in_pieces ? kLatestBuffer
                          : small || update_job_ == UpdateJob::Check   ? kListBuffer
                                                                       : kRecordBuffer;
  // The other hosts have certificates for ECDSA alone.
  const TlsProfile tls = step == ReleaseStep::Latest ? TlsProfile::StaticRsa : TlsProfile::Ecdhe;
  get.endpoint = Endpoint{nullptr, 0, tls, buffer, 512};
  get.timeout_ms = get.in_pieces ? kPieceMs : file ? kUpdateMs : kCheckMs;
  get.body_limit = kDownloadLimit;
  get.location = space.location;
  get.location_bytes = sizeof space.location;
  space.get.begin(ports_.net, get, now);
}

void App::end_update(const char* message) {
  update_message_ = message;
  update_job_ = UpdateJob::None;
  if (workspace_.owner == Owner::Update) {
    workspace_.as<ReleaseSpace>().get.cancel();
    release(Owner::Update);
  }
  view_.revision++;
}

/// Asks for the piece after the last one, or for one again whose connection broke. False at the end, and when there is
/// nothing to hope for.
bool App::next_piece(ReleaseSpace& space, uint32_t now) {
  const uint32_t received = space.writer.received();
  const bool more = received > space.text.from;
  const bool failed = space.get.reason() != Reason::None;
  const bool said_no = space.get.reason() == Reason::HttpStatus || space.get.reason() == Reason::RateLimited;
  if (space.writer.fault() != UpdateFault::None || space.writer.whole() || said_no) return false;
  if (now - space.begun_ms >= kAllPiecesMs) return false;
  if (more) space.failures = 0;
  if (!more && !failed) return false;  // an empty piece
  if (failed && space.failures++ == kMostFailures) return false;
  space.text.from = received;
  space.get.again(now);
  return true;
}

void App::tick_update(uint32_t now) {
  ReleaseSpace& space = workspace_.as<ReleaseSpace>();
  if (!space.get.step(now)) return;
  if (update_job_ == UpdateJob::Download) {
    if (space.text.in_pieces && next_piece(space, now)) return;
    const UpdateFault fault = space.writer.finish();
    if (fault == UpdateFault::None) restart_soon(1200);
    const bool cut = space.get.reason() != Reason::None;
    return end_update(fault == UpdateFault::None ? "The update is installed."
                      : cut                      ? "The update could not be downloaded. The old firmware stays."
                                                 : update_fault_text(fault));
  }
  Url url{};
  if (space.text.step == ReleaseStep::Latest && space.get.reason() == Reason::HttpStatus && space.get.status() == 404) {
    if (ports_.system.free_heap() < kListHeap) return end_update(kTooLittle);
    parse_url(kListHost, &url);
    return begin_release(ReleaseStep::List, url, now);
  }
  if (space.get.reason() != Reason::None || !space.release.finish())
    return end_update("The newest release could not be read.");
  if (space.release.version[0] == 0) return end_update("The repository has no release of this firmware.");
  memcpy(latest_, space.release.version, sizeof latest_);
  latest_newer_ = version_number(latest_) > version_number(ports_.system.board().version);
  if (update_job_ == UpdateJob::Check) return end_update("");
  if (!latest_newer_) return end_update("This is the newest release.");
  if (space.release.address[0] == 0 || !parse_url(space.release.address, &url) || !url.tls)
    return end_update("The newest release has no update file for this board.");
  space.writer.start(ports_.system, ports_.hashes, false);
  update_job_ = UpdateJob::Download;
  update_message_ = "Downloading.";
  begin_release(ReleaseStep::File, url, now);
}

}  // namespace hearth
