#include "fuzz.h"
#include "parse/json.h"

using namespace hearth;

/// Hash of all events; `whole` passes the text at once.
static uint32_t events(const fuzz::Input& input, bool whole) {
  JsonReader reader;
  JsonPath path;
  reader.start(4096);
  path.start();
  uint32_t hash = 1;
  bool over = false;
  const auto drain = [&] {
    for (JsonEvent event = reader.next(); event != JsonEvent::NeedMore; event = reader.next()) {
      path.update(event, reader.text());
      hash = hash * 31 + static_cast<uint32_t>(event) + (path.is("a.*.b") ? 7 : 0);
      for (size_t i = 0; i < reader.size(); i++) hash = hash * 31 + static_cast<uint8_t>(reader.text()[i]);
      over = event == JsonEvent::End || event == JsonEvent::Error;
      if (over) return false;
    }
    return true;
  };
  if (whole) {
    reader.feed(input.text.data(), input.text.size());
    drain();
  } else {
    input.pieces([&](const uint8_t* bytes, size_t size) {
      reader.feed(bytes, size);
      return drain();
    });
  }
  reader.finish();
  if (!over) drain();
  return hash;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::Input input(data, size);
  fuzz::must(events(input, true) == events(input, false));
  return 0;
}
