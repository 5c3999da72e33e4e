#include <string.h>

#include "fuzz.h"
#include "settings/codec.h"

using namespace hearth;

namespace {

class Text : public ByteSink {
 public:
  bool write(const void* bytes, size_t size) override {
    text.append(static_cast<const char*>(bytes), size);
    return true;
  }
  std::string text;
};

std::string written(const Settings& settings) {
  Text sink;
  TextOut out(sink);
  JsonOut json(out);
  json.begin_object();
  write_settings(settings, Secrets::Included, json);
  json.end_object();
  out.flush();
  return sink.text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::Input input(data, size);
  static Settings defaults;
  set_defaults(&defaults, 1, true);
  const Strictness strictness = input.kind % 2 == 0 ? Strictness::Refuse : Strictness::Ignore;
  static SettingsReader whole;
  static SettingsReader cut;
  whole.start(defaults, strictness);
  whole.feed(input.text.data(), input.text.size());
  const bool good = whole.finish();
  cut.start(defaults, strictness);
  input.pieces([&](const uint8_t* bytes, size_t count) { return cut.feed(bytes, count); });
  fuzz::must(good == cut.finish());
  if (!good) {
    fuzz::must(strcmp(whole.error().rule, cut.error().rule) == 0);
    return 0;
  }
  // Accepted settings are within all limits, so they can be written and are accepted again unchanged; of a stored file,
  // as a stored file, in which short passwords of older versions stay.
  const std::string text = written(whole.result());
  fuzz::must(text == written(cut.result()));
  cut.start(defaults, strictness);
  cut.feed(text.data(), text.size());
  fuzz::must(cut.finish() && written(cut.result()) == text);
  return 0;
}
