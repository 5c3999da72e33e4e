#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <mbedtls/net_sockets.h>
#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>

#include "heap.h"
#include "tls.h"

namespace sim {
namespace {

/// Shared by all connections. On the chip the roots are in flash, so they don't count as heap.
struct Shared {
  mbedtls_entropy_context entropy;
  mbedtls_ctr_drbg_context random;
  mbedtls_x509_crt roots;
  explicit Shared(const std::string& ca_file) {
    mbedtls_entropy_init(&entropy);
    mbedtls_ctr_drbg_init(&random);
    mbedtls_ctr_drbg_seed(&random, mbedtls_entropy_func, &entropy, nullptr, 0);
    mbedtls_x509_crt_init(&roots);
    mbedtls_x509_crt_parse_file(&roots, ca_file.c_str());
  }
};

int send_some(void* socket, const unsigned char* bytes, size_t size) {
  const ssize_t sent = ::send(*static_cast<int*>(socket), bytes, size, MSG_NOSIGNAL);
  if (sent >= 0) return static_cast<int>(sent);
  return errno == EAGAIN ? MBEDTLS_ERR_SSL_WANT_WRITE : MBEDTLS_ERR_NET_CONN_RESET;
}

int receive_some(void* socket, unsigned char* bytes, size_t size) {
  const ssize_t got = ::recv(*static_cast<int*>(socket), bytes, size, 0);
  if (got >= 0) return static_cast<int>(got);
  return errno == EAGAIN ? MBEDTLS_ERR_SSL_WANT_READ : MBEDTLS_ERR_NET_CONN_RESET;
}

class MbedTls final : public Tls {
 public:
  explicit MbedTls(Shared& shared) {
    const OnDevice on_device;
    mbedtls_ssl_init(&ssl_);
    mbedtls_ssl_config_init(&config_);
    mbedtls_ssl_config_defaults(&config_, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_STREAM,
                                MBEDTLS_SSL_PRESET_DEFAULT);
    mbedtls_ssl_conf_authmode(&config_, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_ca_chain(&config_, &shared.roots, nullptr);
    mbedtls_ssl_conf_rng(&config_, mbedtls_ctr_drbg_random, &shared.random);
  }
  ~MbedTls() override {
    const OnDevice on_device;
    mbedtls_ssl_free(&ssl_);
    mbedtls_ssl_config_free(&config_);
  }

  hearth::NetFault handshake(int socket, const hearth::Endpoint& endpoint, int timeout_ms) override {
    const OnDevice on_device;
    socket_ = socket;
    if (mbedtls_ssl_setup(&ssl_, &config_) != 0 || mbedtls_ssl_set_hostname(&ssl_, endpoint.host) != 0)
      return hearth::NetFault::Tls;
    mbedtls_ssl_set_bio(&ssl_, &socket_, send_some, receive_some, nullptr);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    for (;;) {
      const int result = mbedtls_ssl_handshake(&ssl_);
      if (result == 0) return hearth::NetFault::None;
      if (result == MBEDTLS_ERR_X509_CERT_VERIFY_FAILED) return hearth::NetFault::Certificate;
      if (result == MBEDTLS_ERR_NET_CONN_RESET || result == MBEDTLS_ERR_SSL_CONN_EOF) return hearth::NetFault::Broken;
      if (result != MBEDTLS_ERR_SSL_WANT_READ && result != MBEDTLS_ERR_SSL_WANT_WRITE) return hearth::NetFault::Tls;
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
      if (!wait_for(socket, result == MBEDTLS_ERR_SSL_WANT_READ ? POLLIN : POLLOUT, static_cast<int>(left)))
        return hearth::NetFault::Broken;
    }
  }

  Taken send(const void* bytes, size_t size) override {
    const OnDevice on_device;
    return taken(mbedtls_ssl_write(&ssl_, static_cast<const unsigned char*>(bytes), size));
  }
  Taken receive(void* bytes, size_t capacity) override {
    const OnDevice on_device;
    return taken(mbedtls_ssl_read(&ssl_, static_cast<unsigned char*>(bytes), capacity));
  }
  std::string suite() const override {
    const char* name = mbedtls_ssl_get_ciphersuite(&ssl_);
    return name != nullptr ? name : "";
  }
  bool resumed() const override { return false; }

 private:
  static Taken taken(int result) {
    if (result > 0) return {Flow::Bytes, static_cast<size_t>(result)};
    if (result == MBEDTLS_ERR_SSL_WANT_READ || result == MBEDTLS_ERR_SSL_WANT_WRITE) return {Flow::Nothing, 0};
    if (result == 0 || result == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY || result == MBEDTLS_ERR_SSL_CONN_EOF)
      return {Flow::Ended, 0};
    return {Flow::Broken, 0};
  }
  mbedtls_ssl_context ssl_;
  mbedtls_ssl_config config_;
  int socket_ = -1;
};

}  // namespace

std::unique_ptr<Tls> make_mbedtls(const std::string& ca_file) {
  static Shared shared(ca_file);
  return std::make_unique<MbedTls>(shared);
}

}  // namespace sim
