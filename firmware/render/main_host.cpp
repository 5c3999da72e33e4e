// The host's twin of the runs under QEMU and of the WebAssembly.
//   render vectors PACK            prints a line a vector
//   render pictures PACK [seen]    writes each scene's 240 x 240 pixels, four bytes each, to standard output
#include <stdio.h>
#include <string.h>

#include <vector>

#include "render/play.h"
#include "test/vectors/run.h"

namespace {

std::vector<uint8_t> contents(const char* path) {
  std::vector<uint8_t> bytes;
  FILE* file = fopen(path, "rb");
  if (!file) return bytes;
  uint8_t buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;) bytes.insert(bytes.end(), buffer, buffer + n);
  fclose(file);
  return bytes;
}

struct Output final : hearth::ByteSink {
  bool write(const void* bytes, size_t size) override { return fwrite(bytes, 1, size, stdout) == size; }
};

bool pictures(const std::vector<uint8_t>& pack, hearth::Look look) {
  static hearth::Player player;
  const uint8_t* at = pack.data();
  const uint8_t* end = at + pack.size();
  std::vector<uint8_t> rgba(hearth::kSide * hearth::kSide * 4);
  for (hearth::Vector vector; hearth::next_vector(&at, end, &vector);) {
    const auto* line_end = static_cast<const char*>(memchr(vector.text, '\n', vector.size));
    if (!line_end) return false;
    const size_t settings = static_cast<size_t>(line_end - vector.text);
    if (player.show(vector.text, settings, line_end + 1, vector.size - settings - 1, look) != hearth::Outcome::Done)
      return false;
    player.frame().rgba(rgba.data());
    fwrite(rgba.data(), 1, rgba.size(), stdout);
  }
  return at == end;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return fprintf(stderr, "render vectors|pictures PACK [seen]\n"), 2;
  const std::vector<uint8_t> pack = contents(words[2]);
  Output output;
  const bool good = strcmp(words[1], "vectors") == 0
                        ? hearth::run_vectors(pack.data(), pack.size(), output)
                        : pictures(pack, count > 3 ? hearth::Look::Seen : hearth::Look::Panel);
  return good ? 0 : (fprintf(stderr, "a vector cannot be played\n"), 1);
}
