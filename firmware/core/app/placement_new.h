// Placement new without <new>, which freestanding compilers don't have. Include it in .cpp files only.
#pragma once
#include "app/workspace.h"

namespace hearth {
struct Place {
  void* at;
};
}  // namespace hearth

inline void* operator new(size_t, hearth::Place place) noexcept { return place.at; }

namespace hearth {

template <typename T>
T& Workspace::make() {
  static_assert(sizeof(T) <= kBytes && alignof(T) <= 8, "does not fit into the workspace");
  return *new (Place{bytes_}) T();
}

}  // namespace hearth
