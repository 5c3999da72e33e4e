#include <bearssl.h>
#include <errno.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>

#include "heap.h"
#include "tls.h"

namespace sim {
namespace {

using hearth::NetFault;
using hearth::TlsProfile;

// Overhead of a record in addition to its plaintext, as the ESP8266's Arduino core calculates it.
constexpr size_t kInOverhead = 325;
constexpr size_t kOutOverhead = 85;
constexpr size_t kSmallestBuffer = 512;

const uint16_t kStaticRsa[] = {BR_TLS_RSA_WITH_AES_128_GCM_SHA256, BR_TLS_RSA_WITH_AES_256_GCM_SHA384,
                               BR_TLS_RSA_WITH_AES_128_CBC_SHA256, BR_TLS_RSA_WITH_AES_256_CBC_SHA256,
                               BR_TLS_RSA_WITH_AES_128_CBC_SHA,    BR_TLS_RSA_WITH_AES_256_CBC_SHA};

struct SuiteName {
  uint16_t suite;
  const char* name;
};
const SuiteName kNames[] = {
    {BR_TLS_RSA_WITH_AES_128_GCM_SHA256, "AES128-GCM-SHA256"},
    {BR_TLS_RSA_WITH_AES_256_GCM_SHA384, "AES256-GCM-SHA384"},
    {BR_TLS_RSA_WITH_AES_128_CBC_SHA256, "AES128-SHA256"},
    {BR_TLS_RSA_WITH_AES_256_CBC_SHA256, "AES256-SHA256"},
    {BR_TLS_RSA_WITH_AES_128_CBC_SHA, "AES128-SHA"},
    {BR_TLS_RSA_WITH_AES_256_CBC_SHA, "AES256-SHA"},
    {BR_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, "ECDHE-RSA-AES128-GCM-SHA256"},
    {BR_TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, "ECDHE-RSA-AES256-GCM-SHA384"},
    {BR_TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, "ECDHE-RSA-CHACHA20-POLY1305"},
    {BR_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, "ECDHE-ECDSA-AES128-GCM-SHA256"},
    {BR_TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, "ECDHE-ECDSA-AES256-GCM-SHA384"},
    {BR_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, "ECDHE-ECDSA-CHACHA20-POLY1305"},
};

/// Uses the key of the first certificate and does not verify the chain.
struct AnyCertificate {
  const br_x509_class* vtable;
  br_x509_decoder_context decoder;
  bool first;
};
AnyCertificate* any(const br_x509_class** context) { return reinterpret_cast<AnyCertificate*>(context); }

void start_chain(const br_x509_class** context, const char*) { any(context)->first = true; }
void start_certificate(const br_x509_class** context, uint32_t) {
  if (any(context)->first) br_x509_decoder_init(&any(context)->decoder, nullptr, nullptr);
}
void append(const br_x509_class** context, const unsigned char* bytes, size_t size) {
  if (any(context)->first) br_x509_decoder_push(&any(context)->decoder, bytes, size);
}
void end_certificate(const br_x509_class** context) { any(context)->first = false; }
unsigned end_chain(const br_x509_class** context) {
  return br_x509_decoder_get_pkey(&any(context)->decoder) != nullptr
             ? 0u
             : static_cast<unsigned>(br_x509_decoder_last_error(&any(context)->decoder));
}
const br_x509_pkey* key_of(const br_x509_class* const* context, unsigned* usages) {
  if (usages != nullptr) *usages = BR_KEYTYPE_KEYX | BR_KEYTYPE_SIGN;
  return br_x509_decoder_get_pkey(&any(const_cast<const br_x509_class**>(context))->decoder);
}
const br_x509_class kAnyCertificate = {
    sizeof(AnyCertificate), start_chain, start_certificate, append, end_certificate, end_chain, key_of};

/// The cached session of the last Ecdhe connection.
struct KeptSession {
  std::string host;
  br_ssl_session_parameters parameters;
} kept;

class BearTls final : public Tls {
 public:
  ~BearTls() override {
    for (void* block : {static_cast<void*>(client_), static_cast<void*>(certificate_), static_cast<void*>(in_),
                        static_cast<void*>(out_)})
      heap_give(block);
  }

  NetFault handshake(int socket, const hearth::Endpoint& endpoint, int timeout_ms) override {
    socket_ = socket;
    const size_t in_size = std::max<size_t>(endpoint.receive_buffer, kSmallestBuffer) + kInOverhead;
    const size_t out_size = std::max<size_t>(endpoint.send_buffer, kSmallestBuffer) + kOutOverhead;
    client_ = static_cast<br_ssl_client_context*>(heap_take(sizeof *client_));
    certificate_ = static_cast<AnyCertificate*>(heap_take(sizeof *certificate_));
    in_ = static_cast<uint8_t*>(heap_take(in_size));
    out_ = static_cast<uint8_t*>(heap_take(out_size));
    if (client_ == nullptr || certificate_ == nullptr || in_ == nullptr || out_ == nullptr) return NetFault::Tls;

    br_x509_minimal_context unused;
    br_ssl_client_init_full(client_, &unused, nullptr, 0);
    engine_ = &client_->eng;
    certificate_->vtable = &kAnyCertificate;
    br_ssl_engine_set_x509(engine_, &certificate_->vtable);
    br_ssl_engine_set_ec(engine_, &br_ec_p256_m15);
    br_ssl_engine_set_versions(engine_, BR_TLS10, BR_TLS12);
    if (endpoint.tls == TlsProfile::StaticRsa)
      br_ssl_engine_set_suites(engine_, kStaticRsa, sizeof kStaticRsa / sizeof *kStaticRsa);
    br_ssl_engine_set_buffers_bidi(engine_, in_, in_size, out_, out_size);
    uint8_t chance[32];
    if (getrandom(chance, sizeof chance, 0) != sizeof chance) return NetFault::Tls;
    br_ssl_engine_inject_entropy(engine_, chance, sizeof chance);

    const bool resume = endpoint.tls == TlsProfile::Ecdhe && kept.host == endpoint.host;
    if (resume) br_ssl_engine_set_session_parameters(engine_, &kept.parameters);
    if (br_ssl_client_reset(client_, endpoint.host, resume ? 1 : 0) == 0) return NetFault::Tls;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    while ((br_ssl_engine_current_state(engine_) & BR_SSL_SENDAPP) == 0) {
      const Flow flow = pump();
      if (flow == Flow::Ended || flow == Flow::Broken) {
        if (br_ssl_engine_last_error(engine_) == BR_ERR_OK) return NetFault::Broken;
        if (endpoint.tls == TlsProfile::Ecdhe) kept.host.clear();
        return NetFault::Tls;
      }
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
      if (flow == Flow::Nothing && !wait_for(socket, POLLIN, static_cast<int>(left))) return NetFault::Broken;
    }
    br_ssl_session_parameters now;
    br_ssl_engine_get_session_parameters(engine_, &now);
    suite_ = now.cipher_suite;
    resumed_ = resume && now.session_id_len != 0 && now.session_id_len == kept.parameters.session_id_len &&
               std::equal(now.session_id, now.session_id + now.session_id_len, kept.parameters.session_id);
    if (endpoint.tls == TlsProfile::Ecdhe) kept = KeptSession{endpoint.host, now};
    return NetFault::None;
  }

  Taken send(const void* bytes, size_t size) override {
    const Flow flow = pump();
    size_t room = 0;
    uint8_t* buffer = br_ssl_engine_sendapp_buf(engine_, &room);
    if (buffer == nullptr) return {flow == Flow::Bytes ? Flow::Nothing : flow, 0};
    const size_t part = std::min(room, size);
    std::copy_n(static_cast<const uint8_t*>(bytes), part, buffer);
    br_ssl_engine_sendapp_ack(engine_, part);
    br_ssl_engine_flush(engine_, 0);
    pump();
    return {Flow::Bytes, part};
  }

  Taken receive(void* bytes, size_t capacity) override {
    const Flow flow = pump();
    size_t there = 0;
    const uint8_t* buffer = br_ssl_engine_recvapp_buf(engine_, &there);
    if (buffer == nullptr) return {flow == Flow::Bytes ? Flow::Nothing : flow, 0};
    const size_t part = std::min(there, capacity);
    std::copy_n(buffer, part, static_cast<uint8_t*>(bytes));
    br_ssl_engine_recvapp_ack(engine_, part);
    return {Flow::Bytes, part};
  }

  std::string suite() const override {
    for (const SuiteName& one : kNames) {
      if (one.suite == suite_) return one.name;
    }
    return std::to_string(suite_);
  }
  bool resumed() const override { return resumed_; }

 private:
  /// Transfers records between engine and socket until no more can be transferred.
  Flow pump() {
    bool moved = false;
    for (;;) {
      const unsigned state = br_ssl_engine_current_state(engine_);
      if ((state & BR_SSL_CLOSED) != 0)
        return br_ssl_engine_last_error(engine_) == BR_ERR_OK ? Flow::Ended : Flow::Broken;
      if ((state & BR_SSL_SENDREC) != 0) {
        size_t size = 0;
        const uint8_t* record = br_ssl_engine_sendrec_buf(engine_, &size);
        const ssize_t sent = ::send(socket_, record, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) return Flow::Broken;
        if (sent > 0) {
          br_ssl_engine_sendrec_ack(engine_, static_cast<size_t>(sent));
          moved = true;
          continue;
        }
      }
      if ((state & BR_SSL_RECVREC) == 0) return moved ? Flow::Bytes : Flow::Nothing;
      size_t room = 0;
      uint8_t* buffer = br_ssl_engine_recvrec_buf(engine_, &room);
      const ssize_t got = ::recv(socket_, buffer, room, 0);
      if (got == 0) return Flow::Ended;
      if (got < 0) return errno != EAGAIN ? Flow::Broken : moved ? Flow::Bytes : Flow::Nothing;
      br_ssl_engine_recvrec_ack(engine_, static_cast<size_t>(got));
      moved = true;
    }
  }

  int socket_ = -1;
  br_ssl_client_context* client_ = nullptr;
  br_ssl_engine_context* engine_ = nullptr;
  AnyCertificate* certificate_ = nullptr;
  uint8_t* in_ = nullptr;
  uint8_t* out_ = nullptr;
  uint16_t suite_ = 0;
  bool resumed_ = false;
};

}  // namespace

std::unique_ptr<Tls> make_bearssl() { return std::make_unique<BearTls>(); }

}  // namespace sim
