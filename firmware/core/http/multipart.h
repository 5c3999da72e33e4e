// Extracts the first file of a multipart/form-data body (RFC 7578) while it is streamed.
#pragma once
#include "port.h"

namespace hearth {

constexpr size_t kBoundaryBytes = 71;  ///< RFC 2046: at most 70 characters

class Multipart {
 public:
  /// False for a boundary that is empty or too long.
  bool start(const char* boundary, size_t size);
  /// Accepts bytes in chunks of any size; the content of the part goes to `file`. Returns false if `file` refused or
  /// the body is malformed.
  bool feed(const uint8_t* bytes, size_t size, ByteSink& file);
  /// Whether the part was ended by its boundary.
  bool whole() const { return state_ == State::Done; }

 private:
  enum class State : uint8_t { Preamble, Headers, Content, Done };
  char boundary_[kBoundaryBytes + 4] = {};  // with the line end and two hyphens before it
  uint8_t size_ = 0;
  uint8_t matched_ = 0;
  uint8_t line_ends_ = 0;
  State state_ = State::Done;
};

}  // namespace hearth
