#include "fuzz.h"
#include "http/multipart.h"
#include "http/reply.h"

using namespace hearth;

namespace {

class Body : public ByteSink {
 public:
  bool write(const void* bytes, size_t size) override {
    for (size_t i = 0; i < size; i++) hash = hash * 31 + static_cast<const uint8_t*>(bytes)[i];
    return true;
  }
  uint32_t hash = 1;
};

uint32_t reply(const fuzz::Input& input, bool whole) {
  HttpReply reader;
  Body body;
  char location[50] = "";
  reader.start(1000, location, sizeof location);
  HttpProgress progress = HttpProgress::More;
  const auto take = [&](const uint8_t* bytes, size_t size) {
    progress = reader.feed(bytes, size, &body);
    return progress == HttpProgress::More;
  };
  if (whole) {
    take(reinterpret_cast<const uint8_t*>(input.text.data()), input.text.size());
  } else {
    input.pieces(take);
  }
  progress = reader.finish();
  uint32_t hash = static_cast<uint32_t>(progress) * 1000 + reader.status();
  if (progress == HttpProgress::Done) hash = hash * 31 + body.hash;
  for (const char* at = location; *at != 0; at++) hash = hash * 31 + static_cast<uint8_t>(*at);
  return hash;
}

uint32_t parts(const fuzz::Input& input, bool whole) {
  Multipart reader;
  Body body;
  reader.start("b", 1);
  const auto take = [&](const uint8_t* bytes, size_t size) { return reader.feed(bytes, size, body); };
  if (whole) {
    take(reinterpret_cast<const uint8_t*>(input.text.data()), input.text.size());
  } else {
    input.pieces(take);
  }
  return reader.whole() ? body.hash : 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::Input input(data, size);
  const auto run = input.kind % 2 == 0 ? reply : parts;
  fuzz::must(run(input, true) == run(input, false));
  return 0;
}
