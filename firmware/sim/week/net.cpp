#include "net.h"

#include <string.h>

#include <algorithm>

namespace week {

using hearth::NetFault;
using hearth::NetState;

namespace {
constexpr uint64_t kConnectMs = 80, kTlsMs = 400, kThinkMs = 60;

NetFault fault_of(Trouble trouble, bool tls) {
  switch (trouble) {
    case Trouble::NoAddress:
      return NetFault::NoAddress;
    case Trouble::Refused:
      return NetFault::Refused;
    case Trouble::TlsFails:
      return tls ? NetFault::Tls : NetFault::None;
    case Trouble::BadCertificate:
      return tls ? NetFault::Certificate : NetFault::None;
    default:
      return NetFault::None;
  }
}
}  // namespace

bool VirtualNet::open(const hearth::Endpoint& endpoint, uint32_t) {
  close();
  open_ = true;
  ++opened;
  host_ = endpoint.host;
  request_.clear();
  answered_ = false;
  read_ = 0;
  ready_ = clock_.total() + kConnectMs + (endpoint.tls != hearth::TlsProfile::None ? kTlsMs : 0);
  trouble_ = trouble_of(host_, "", clock_.total());
  fault_ = wifi_.joined() ? fault_of(trouble_, endpoint.tls != hearth::TlsProfile::None) : NetFault::NoAddress;
  return true;
}

NetState VirtualNet::state() {
  if (!open_) return NetState::Idle;
  if (clock_.total() < ready_ || trouble_ == Trouble::Silent) return NetState::Connecting;
  if (fault_ != NetFault::None) return NetState::Failed;
  if (trouble_ == Trouble::BreaksOff && !request_.empty()) return fault_ = NetFault::Broken, NetState::Failed;
  if (!answered_ || arrived() < answer_.bytes.size()) return NetState::Open;
  if (answer_.breaks) return fault_ = NetFault::Broken, NetState::Failed;
  return NetState::Closed;
}

size_t VirtualNet::arrived() const {
  const uint64_t since = clock_.total() - answered_ms_;
  return since < kThinkMs ? 0
                          : std::min<uint64_t>(answer_.bytes.size(), (since - kThinkMs) * answer_.per_second / 1000);
}

size_t VirtualNet::send(const void* bytes, size_t size) {
  if (state() != NetState::Open || answered_) return 0;
  request_.append(static_cast<const char*>(bytes), size);
  if (request_.find("\r\n\r\n") == std::string::npos) return size;
  answered_ = true;
  answered_ms_ = clock_.total();
  answer_ = market_.answer(host_, request_, clock_.total());
  return size;
}

size_t VirtualNet::receive(void* bytes, size_t capacity) {
  if (!answered_ || trouble_ == Trouble::BreaksOff) return 0;
  const size_t part = std::min(capacity, arrived() - read_);
  memcpy(bytes, answer_.bytes.data() + read_, part);
  read_ += part;
  if (part > 0 && read_ == answer_.bytes.size() && !answer_.price.empty()) {
    Delivered& record = delivered[answer_.symbol];
    record = Delivered{answer_.price, record.price, clock_.total()};
  }
  return part;
}

void VirtualNet::close() {
  if (open_) ++closed;
  open_ = false;
  answered_ = false;
  fault_ = NetFault::None;
}

}  // namespace week
