#include "update/release.h"

#include <string.h>

#include "http/ascii.h"
#include "io/text_out.h"
#include "io/utf8.h"

namespace hearth {
namespace {

constexpr uint32_t kReleaseLimit = 2u << 20;  // GitHub describes a release with its files in up to 40 KB

}  // namespace

uint32_t version_number(const char* text) {
  if (*text == 'v' || *text == 'V') text++;
  uint32_t result = 0;
  for (int part = 0; part < 3; part++) {
    size_t size = 0;
    while (text[size] >= '0' && text[size] <= '9') size++;
    uint32_t value = 0;
    if (!parse_uint(text, size, part == 0 ? 1000 : 99, &value)) return 0;
    result = result * 100 + value;
    text += size;
    if (part < 2 && *text++ != '.') return 0;
  }
  return *text == 0 ? result : 0;
}

void ReleaseText::write_request(const Url& url, bool redirected, ByteSink& sink) const {
  TextOut out(sink);
  out.text("GET ");
  if (redirected || step == ReleaseStep::File) {
    if (url.path_size == 0 || url.path[0] != '/') out.character('/');
    out.bytes(url.path, url.path_size);
  } else {
    out.text(step == ReleaseStep::List ? "/repos/" : "/").percent(board->repo_owner).character('/');
    out.percent(board->repo_name);
    out.text(step == ReleaseStep::List ? "/releases?per_page=30" : "/data/firmware/latest.json");
  }
  out.text(" HTTP/1.1\r\nHost: ").text(url.host).text("\r\nUser-Agent: SmallTV/").text(board->version);
  out.text(step == ReleaseStep::File ? "\r\nAccept: application/octet-stream"
                                     : "\r\nAccept: application/vnd.github+json, application/json");
  if (in_pieces) {
    out.text("\r\nRange: bytes=").number(from).character('-').number(from + kPieceBytes - 1);
    out.text("\r\nConnection: keep-alive\r\n\r\n");
  } else {
    out.text("\r\nConnection: close\r\n\r\n");
  }
}

void ReleaseReader::start(const BoardInfo& board, ReleaseStep step) {
  *this = ReleaseReader();
  version[0] = address[0] = 0;
  board_ = &board;
  step_ = step;
  reader_.start(kReleaseLimit);
  path_.start();
}

/// The workflow names tags and files, see .github/workflows/firmware.yml.
void ReleaseReader::name_file() {
  BufferSink sink(address, sizeof address);
  TextOut out(sink);
  out.text("https://github.com/").percent(board_->repo_owner).character('/').percent(board_->repo_name);
  out.text("/releases/download/").text(kReleaseTag).text(version).character('/').percent(board_->update_asset);
  if (!out.flush() || sink.full()) address[0] = 0;
}

bool ReleaseReader::write(const void* bytes, size_t size) {
  reader_.feed(bytes, size);
  return drain();
}

bool ReleaseReader::drain() {
  while (!failed_) {
    const JsonEvent event = reader_.next();
    if (event == JsonEvent::NeedMore || event == JsonEvent::End) return true;
    failed_ = event == JsonEvent::Error;
    if (failed_) return false;
    path_.update(event, reader_.text());
    if (step_ == ReleaseStep::List && reader_.depth() == 1 && event == JsonEvent::EndObject) {
      found_ = published_ && version_number(version) > 0;
      if (found_) return false;
    }
    value(event);
  }
  return false;
}

void ReleaseReader::value(JsonEvent event) {
  if (step_ == ReleaseStep::Latest) {
    if (!path_.is("version") || event != JsonEvent::String || reader_.size() >= sizeof version) return;
    memcpy(version, reader_.text(), reader_.size() + 1);
    return;
  }
  if (reader_.depth() == 1 && event == JsonEvent::BeginArray) list_ = true;
  if (reader_.depth() == 2 && event == JsonEvent::BeginObject && path_.is("*")) {
    version[0] = address[0] = 0;
    published_ = true;
  }
  if (path_.is("*.assets.*") && event == JsonEvent::BeginObject) wanted_ = false;
  if (event == JsonEvent::True && (path_.is("*.draft") || path_.is("*.prerelease"))) published_ = false;
  if (event != JsonEvent::String || reader_.truncated()) return;
  const size_t tag = sizeof kReleaseTag - 1;
  if (path_.is("*.tag_name") && strncmp(reader_.text(), kReleaseTag, tag) == 0)
    copy_text(version, sizeof version, reader_.text() + tag, sizeof version);
  if (path_.is("*.assets.*.name")) wanted_ = strcmp(reader_.text(), board_->update_asset) == 0;
  if (path_.is("*.assets.*.browser_download_url") && wanted_ && reader_.size() < sizeof address)
    memcpy(address, reader_.text(), reader_.size() + 1);
}

bool ReleaseReader::finish() {
  if (found_) return true;
  if (step_ == ReleaseStep::Latest) {
    reader_.finish();
    if (!drain() || failed_ || version_number(version) == 0) return false;
    name_file();
    return true;
  }
  version[0] = 0;
  reader_.finish();
  return drain() && !failed_ && list_;
}

}  // namespace hearth
