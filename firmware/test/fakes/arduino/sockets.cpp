// Connections of both cores: to servers, and of browsers to the device.
#include <algorithm>
#include <deque>
#include <vector>

#include "platform.h"
#include "world.h"

namespace {

struct Socket {
  fake::Server* server = nullptr;
  fake::Visitor* visitor = nullptr;
  std::string request, reply;
  size_t read = 0;
  uint64_t ready_ms = UINT64_MAX;
  bool open = true;
};
#if defined(ESP8266)
constexpr int kStrangeCertificate = 0;  // not verified there
#else
constexpr int kStrangeCertificate = -0x2700;  // MBEDTLS_ERR_X509_CERT_VERIFY_FAILED
#endif
std::vector<Socket> sockets;
std::deque<fake::Visitor*> waiting;
bool listening = false;

Socket* socket_of(int handle) {
  return handle >= 0 && sockets[static_cast<size_t>(handle)].open ? &sockets[static_cast<size_t>(handle)] : nullptr;
}

/// A piece of what a browser sends, or of a server's reply. Returns the number of bytes that can be read now.
size_t ready(Socket& socket) {
  if (socket.server != nullptr) return fake::now_ms() >= socket.ready_ms ? socket.reply.size() - socket.read : 0;
  fake::Visitor& visitor = *socket.visitor;
  if (visitor.left || fake::now_ms() < visitor.next_ms) return 0;
  return std::min({visitor.piece, visitor.request.size() - visitor.sent, visitor.leaves_at - visitor.sent});
}

bool alive(Socket& socket) {
  if (socket.server != nullptr)
    return fake::station_joined() && !(socket.read > 0 && socket.read == socket.reply.size());
  fake::Visitor& visitor = *socket.visitor;
  if (visitor.sent >= visitor.leaves_at) visitor.left = true;
  return !visitor.left;
}

int receive(int handle, uint8_t* bytes, size_t capacity) {
  Socket* const socket = socket_of(handle);
  const size_t size = socket == nullptr ? 0 : std::min(ready(*socket), capacity);
  if (size == 0) return -1;
  if (socket->server != nullptr) {
    socket->reply.copy(reinterpret_cast<char*>(bytes), size, socket->read);
    socket->read += size;
  } else {
    socket->visitor->request.copy(reinterpret_cast<char*>(bytes), size, socket->visitor->sent);
    socket->visitor->sent += size;
    socket->visitor->next_ms = fake::now_ms() + socket->visitor->every_ms;
  }
  return static_cast<int>(size);
}

size_t transmit(int handle, const uint8_t* bytes, size_t size, uint32_t stuck_ms) {
  Socket* const socket = socket_of(handle);
  if (socket == nullptr || !alive(*socket)) return 0;
  if (socket->visitor != nullptr) {
    if (!socket->visitor->reads) {
      fake::pass(stuck_ms);
      return 0;
    }
    socket->visitor->reply.append(reinterpret_cast<const char*>(bytes), size);
    return size;
  }
  socket->request.append(reinterpret_cast<const char*>(bytes), size);
  if (socket->request.find("\r\n\r\n") != std::string::npos && socket->ready_ms == UINT64_MAX &&
      socket->server->reply) {
    socket->reply = socket->server->reply(socket->request);
    socket->ready_ms = fake::now_ms() + socket->server->reply_ms;
    fake::kept().answers++;
  }
  return size;
}

void close(int handle) {
  Socket* const socket = socket_of(handle);
  if (socket == nullptr) return;
  socket->open = false;
  if (socket->visitor != nullptr) socket->visitor->ended_ms = fake::now_ms();
}

/// The login page of a hotel, in place of every server; for a connection with TLS it has a certificate of its own.
fake::Server* login_page() {
  static fake::Server page;
  page.tls_error = kStrangeCertificate;
  page.reply = [](const std::string&) -> std::string {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 26\r\n\r\n<html>Please log in</html>";
  };
  return &page;
}

fake::Server* server_at(const IPAddress& address) {
  if (fake::router.captive) return login_page();
  auto at = fake::servers.begin();
  std::advance(at, address[3]);
  return &at->second;
}

/// Returns a handle, or -1 after what it takes to fail.
int open_to(fake::Server* server, uint32_t limit_ms) {
  if (!fake::network_stack_is_up()) fake::crash("assert failed: tcpip_send_msg_wait_sem (Invalid mbox)");
  fake::kept().connections++;
  fake::pass(std::min(server->connect_ms, limit_ms));
  if (server->refuses || server->connect_ms > limit_ms || !fake::station_joined()) return -1;
  sockets.push_back(Socket());
  sockets.back().server = server;
  return static_cast<int>(sockets.size() - 1);
}

}  // namespace

namespace fake {

void visit(Visitor& visitor) {
  visitor.next_ms = now_ms();
  waiting.push_back(&visitor);
}

void forget_sockets() {
  sockets.clear();
  waiting.clear();
  listening = false;
}

bool busy_sockets() {
  if (!waiting.empty()) return true;
  for (const Socket& socket : sockets) {
    if (socket.open) return true;
  }
  sockets.clear();
  return false;
}

}  // namespace fake

#if defined(ESP8266)
using Plain = WiFiClient;
using Server = WiFiServer;
using Secure = BearSSL::WiFiClientSecure;
WiFiClient::~WiFiClient() {}
Plain::operator bool() { return connected() != 0; }
bool Plain::stop(unsigned int) {
  stop();
  return true;
}
int Plain::connect(IPAddress address, uint16_t) {
  socket = open_to(server_at(address), static_cast<uint32_t>(stream_timeout_ms));
  return socket >= 0 ? 1 : 0;
}
size_t Plain::write(const uint8_t* bytes, size_t size) {
  return transmit(socket, bytes, size, static_cast<uint32_t>(stream_timeout_ms));
}
WiFiServer::WiFiServer(uint16_t) {}
void Server::begin() { listening = true; }
// What a connection of BearSSL takes: a second stack, the contexts (both in the first heap), and around each buffer.
constexpr uint32_t kSecondStack = 6400, kContexts = 4400, kAroundReceive = 325, kAroundSend = 85;

/// Takes memory as `_alloc_iobuf` does (HeapSelectIram): from the second heap if it has as much, else from the first.
void take(Secure& client, uint32_t bytes, bool second_first) {
  fake::Memory& memory = fake::memory;
  const bool second = second_first && memory.second >= bytes;
  uint32_t& heap = second ? memory.second : memory.first;
  if (heap < bytes) fake::crash("out of memory");
  heap -= bytes;
  (second ? client.held_second : client.held_first) += bytes;
  memory.lowest = std::min(memory.lowest, memory.first);
}
void give_back(Secure& client) {
  fake::memory.first += client.held_first;
  fake::memory.second += client.held_second;
  client.held_first = client.held_second = 0;
}
Secure::WiFiClientSecure() { stream_timeout_ms = 15000; }
Secure::~WiFiClientSecure() { give_back(*this); }
void Secure::setInsecure() {}
void Secure::setBufferSizes(int receive, int send) {
  receive_bytes = receive;
  send_bytes = send;
}
bool Secure::setCiphers(const uint16_t*, int) { return true; }
void Secure::setSession(BearSSL::Session*) {}
int Secure::getLastSSLError(char*, size_t) { return error; }
int Secure::connect(const char* host, uint16_t) {
  fake::Server* const server = fake::router.captive ? login_page() : &fake::servers[host];
  const auto limit = static_cast<uint32_t>(stream_timeout_ms);
  socket = open_to(server, limit);
  if (socket < 0) return 0;
  give_back(*this);
  take(*this, kSecondStack + kContexts, false);
  take(*this, static_cast<uint32_t>(receive_bytes) + kAroundReceive, true);
  take(*this, static_cast<uint32_t>(send_bytes) + kAroundSend, true);
  fake::pass(std::min(server->handshake_ms, limit));
  error = server->tls_error;
  if (error == 0 && server->handshake_ms <= limit) return 1;
  stop();
  return 0;
}
#else
using Plain = NetworkClient;
using Server = NetworkServer;
using Secure = NetworkClientSecure;
constexpr int kWriteTries = 10;  // of a second each, WIFI_CLIENT_MAX_WRITE_RETRY
NetworkClient::~NetworkClient() {}
Plain::operator bool() { return connected() != 0; }
int Plain::connect(IPAddress address, uint16_t port) { return connect(address, port, limit_ms); }
int Plain::connect(IPAddress address, uint16_t, int32_t timeout_ms) {
  limit_ms = timeout_ms;
  socket = open_to(server_at(address), static_cast<uint32_t>(timeout_ms));
  return socket >= 0 ? 1 : 0;
}
void Plain::setConnectionTimeout(uint32_t ms) { limit_ms = static_cast<int>(ms); }
size_t Plain::write(const uint8_t* bytes, size_t size) { return transmit(socket, bytes, size, kWriteTries * 1000); }
NetworkServer::NetworkServer(uint16_t) {}
void Server::begin(uint16_t) {
  if (!fake::network_stack_is_up()) fake::crash("assert failed: tcpip_send_msg_wait_sem (Invalid mbox)");
  listening = true;
}
Secure::NetworkClientSecure() { limit_ms = 30000; }
void Secure::useBuiltinCACertBundle() {}
void Secure::setHandshakeTimeout(unsigned long seconds) { handshake_ms = static_cast<int>(seconds * 1000); }
int Secure::lastError(char* text, const size_t size) {
  if (size > 0) text[0] = 0;
  return error;
}
int Secure::connect(const char* host, uint16_t port) {
  IPAddress address;
  return WiFi.hostByName(host, address) == 1 ? connect(address, port, host, nullptr, nullptr, nullptr) : 0;
}
int Secure::connect(IPAddress address, uint16_t, const char*, const char*, const char*, const char*) {
  fake::Server* const server = server_at(address);
  error = -1;
  socket = open_to(server, static_cast<uint32_t>(limit_ms));
  if (socket < 0) return 0;
  fake::pass(std::min(server->handshake_ms, static_cast<uint32_t>(handshake_ms)));
  if (server->tls_error != 0) error = server->tls_error;
  if (server->tls_error == 0 && server->handshake_ms <= static_cast<uint32_t>(handshake_ms)) {
    error = socket;
    return 1;
  }
  stop();
  return 0;
}
#endif

void Stream::setTimeout(unsigned long ms) { stream_timeout_ms = ms; }
int Plain::connect(const char*, uint16_t) { return 0; }
int Plain::available() {
  Socket* const at = socket_of(socket);
  return at == nullptr ? 0 : static_cast<int>(ready(*at));
}
int Plain::read() {
  uint8_t byte = 0;
  return receive(socket, &byte, 1) == 1 ? byte : -1;
}
int Plain::read(uint8_t* bytes, size_t size) { return receive(socket, bytes, size); }
void Plain::stop() {
  close(socket);
  socket = -1;
}
uint8_t Plain::connected() {
  Socket* const at = socket_of(socket);
  return at != nullptr && (alive(*at) || ready(*at) > 0) ? 1 : 0;
}
Plain Server::accept() {
  Plain client;
  if (!listening || waiting.empty()) return client;
  sockets.push_back(Socket());
  sockets.back().visitor = waiting.front();
  waiting.front()->accepted = true;
  waiting.pop_front();
  client.socket = static_cast<int>(sockets.size() - 1);
  return client;
}
