#include "serial.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

namespace sim {

namespace {
constexpr int kSlowLineMs = 50;
}

bool Pty::start() {
  master_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0) return false;
  name_ = ptsname(master_);
  slave_ = open(name_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios line{};
  if (slave_ < 0 || tcgetattr(slave_, &line) != 0) return false;
  cfmakeraw(&line);
  cfsetspeed(&line, B115200);
  return tcsetattr(slave_, TCSANOW, &line) == 0 && fcntl(master_, F_SETFL, O_NONBLOCK) == 0;
}

bool Pty::write(const void* bytes, size_t size) {
  if (faults_.serial_unplugged) return true;
  const auto* at = static_cast<const uint8_t*>(bytes);
  while (size > 0) {
    const ssize_t written = ::write(master_, at, size);
    if (written > 0) {
      at += written;
      size -= static_cast<size_t>(written);
      continue;
    }
    pollfd one{master_, POLLOUT, 0};
    if (poll(&one, 1, kSlowLineMs) > 0) continue;
    tcflush(slave_, TCIFLUSH);  // nothing reads: drop the oldest bytes
    return true;
  }
  return true;
}

size_t Pty::read(void* bytes, size_t capacity) {
  const ssize_t got = ::read(master_, bytes, capacity);
  return got > 0 && !faults_.serial_unplugged ? static_cast<size_t>(got) : 0;
}

}  // namespace sim
