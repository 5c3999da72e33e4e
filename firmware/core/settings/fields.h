// The only table of simple settings, from which reading, limits and writing are derived. Lists (wifi, symbols) are in
// codec.cpp.
#pragma once
#include "settings/settings.h"

namespace hearth {

enum class FieldKind : uint8_t {
  Flag,
  Byte,        ///< low..high
  Word,        ///< low..high
  Choice,      ///< one of `names`, low = number of names
  Minutes,     ///< "HH:MM"
  Text,        ///< at most `low` characters; `high` bytes with the NUL
  Host,        ///< as Text: letters, digits and hyphens
  Address,     ///< as Text: "" or an http(s) address of 8 characters or more
  Zone,        ///< as Text: a POSIX TZ string
  Repo,        ///< as Text: "" or "owner/name" of GitHub
  Secret,      ///< as Text of at least kLeastPass characters or "", written only into an export
  KeptSecret,  ///< as Secret; "" in an update keeps the old one
};

struct Field {
  const char* section;  ///< "" or "ticker", "clock", "display", "auth"
  const char* key;
  FieldKind kind;
  uint16_t offset;  ///< in Settings
  uint16_t low;
  uint16_t high;
  const char* const* names;
  const char* rule;  ///< message for a refused value
};

extern const Field kFields[];
extern const uint8_t kFieldCount;
extern const char* const kRangeNames[10];
extern const char* const kSourceNames[4];

}  // namespace hearth
