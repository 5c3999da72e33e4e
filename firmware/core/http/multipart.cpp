#include "http/multipart.h"

#include <string.h>

namespace hearth {

bool Multipart::start(const char* boundary, size_t size) {
  if (size == 0 || size >= kBoundaryBytes) return false;
  memcpy(boundary_, "\r\n--", 4);
  memcpy(boundary_ + 4, boundary, size);
  size_ = static_cast<uint8_t>(size + 4);
  matched_ = 2;  // the first boundary may be at the very beginning
  line_ends_ = 0;
  state_ = State::Preamble;
  return true;
}

bool Multipart::feed(const uint8_t* bytes, size_t size, ByteSink& file) {
  size_t begin = 0;  // of content that has not been passed on yet
  for (size_t i = 0; i < size; i++) {
    const char c = static_cast<char>(bytes[i]);
    if (state_ == State::Done) return true;
    if (state_ == State::Headers) {
      // An empty line ends the headers: two line feeds with only carriage returns between them.
      if (c == '\n') {
        line_ends_++;
      } else if (c != '\r') {
        line_ends_ = 0;
      }
      if (line_ends_ < 2) continue;
      state_ = State::Content;
      begin = i + 1;
      matched_ = 0;
      continue;
    }
    // The boundary contains \r only at its start, so after a mismatch only the current byte can start a new match.
    const uint8_t held = matched_;
    if (c == boundary_[matched_]) {
      matched_++;
    } else {
      matched_ = c == '\r' ? 1 : 0;
      if (state_ == State::Content && held > 0 && i - begin < held) {
        // Bytes that matched the start of the boundary arrived in earlier chunks.
        if (!file.write(boundary_, held - (i - begin))) return false;
      }
    }
    if (matched_ < size_) continue;
    if (state_ == State::Preamble) {
      state_ = State::Headers;
      line_ends_ = 0;
      continue;
    }
    const size_t end = i + 1 >= begin + size_ ? i + 1 - size_ : begin;
    state_ = State::Done;
    return end == begin || file.write(bytes + begin, end - begin);
  }
  if (state_ != State::Content) return true;
  const size_t keep = matched_;
  if (size - begin <= keep) return true;
  return file.write(bytes + begin, size - begin - keep);
}

}  // namespace hearth
