// Shared space for large objects that are never needed at the same time: a fetch, incoming settings, an update.
#pragma once
#include "http/get.h"
#include "http/multipart.h"
#include "settings/codec.h"
#include "source/apply.h"
#include "update/image.h"
#include "update/release.h"

namespace hearth {

enum class Owner : uint8_t { Nobody, Fetch, Web, Serial, Improv, Update };

/// The request of a source, in the form that HttpGet requires.
class SourceText : public RequestText {
 public:
  void write_request(const Url& url, bool redirected, ByteSink& sink) const override;
  SourceRequest request{};
};

struct FetchSpace {
  HttpGet get;
  SourceText text;
  SourceParser parser;  ///< its series holds the target of a redirect: closes only arrive after the last redirect
};

struct UploadSpace {
  UpdateWriter writer;
  Multipart multipart;
  bool wrapped;  ///< multipart, not the bare file
};

struct ReleaseSpace {
  HttpGet get;
  ReleaseText text;
  ReleaseReader release;
  UpdateWriter writer;
  uint32_t begun_ms;
  uint8_t failures;     ///< of pieces, since the last one that arrived
  char location[1200];  ///< signed download addresses are that long
};

/// Raw storage for one of these objects at a time; `make` constructs it.
class Workspace {
 public:
  Owner owner = Owner::Nobody;
  template <typename T>
  T& make();
  template <typename T>
  T& as() {
    return *reinterpret_cast<T*>(bytes_);
  }

 private:
  template <size_t A, size_t B>
  struct Larger {
    static constexpr size_t value = A > B ? A : B;
  };
  static constexpr size_t kBytes = Larger<Larger<sizeof(FetchSpace), sizeof(SettingsReader)>::value,
                                          Larger<sizeof(UploadSpace), sizeof(ReleaseSpace)>::value>::value;
  alignas(8) uint8_t bytes_[kBytes];
};

}  // namespace hearth
