// Settings as JSON, in the same form for the stored file, the web API and the serial channel.
#pragma once
#include "io/text_out.h"
#include "parse/json.h"
#include "settings/settings.h"

namespace hearth {

constexpr uint32_t kSettingsLimit = 16384;  ///< bytes of a document

enum class Secrets : uint8_t { Hidden, Included };

/// Writes the fields of all settings into an open object. Hidden secrets are written as passSet, apPassSet.
void write_settings(const Settings& settings, Secrets secrets, JsonOut& json);

/// Why a document was rejected; both texts are constants. `key` is null for invalid JSON.
struct SettingsError {
  const char* key;
  const char* rule;
};

enum class Strictness : uint8_t {
  Refuse,  ///< the first invalid value refuses the document (web, serial)
  Ignore,  ///< invalid values are skipped (the stored file)
};

/// Reads a partial document over a copy of the current settings. Missing keys are not changed, unknown keys are
/// ignored, and `wifi` and `ticker.symbols` replace their lists. The copy is valid only if `finish` returns true.
class SettingsReader {
 public:
  /// `current` must not change until `finish`.
  void start(const Settings& current, Strictness strictness);
  /// Accepts bytes in chunks of any size; returns false as soon as the document is rejected.
  bool feed(const void* bytes, size_t size);
  bool finish();
  Settings& result() { return staged_; }
  SettingsError error() const { return error_; }

 private:
  void value(JsonEvent event);
  void simple(JsonEvent event);
  bool assign(const struct Field& field, JsonEvent event);
  bool assign_text(const struct Field& field, char* to);
  void network(JsonEvent event);
  void row(JsonEvent event);
  void close_network();
  void close_row();
  void refuse(const char* key, const char* rule);
  bool source(JsonEvent event, Source* source);
  bool own_range(JsonEvent event, uint8_t* range);
  bool drain();

  const Settings* current_ = nullptr;
  SettingsError error_{nullptr, nullptr};
  Strictness strictness_ = Strictness::Refuse;
  bool failed_ = false;
  bool in_network_ = false;
  bool in_row_ = false;
  bool skip_ = false;  // the entry does not fit into its list
  bool has_pass_ = false;
  bool has_global_source_ = false;
  uint8_t without_source_ = 0;  // bit per row
  Source global_source_ = Source::Yahoo;
  JsonReader reader_;
  JsonPath path_;
  Settings staged_;
};

}  // namespace hearth
