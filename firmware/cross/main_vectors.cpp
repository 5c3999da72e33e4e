// Runs the vectors with the instruction set of a chip; prints the same as `render vectors` on the host.
#include "test/vectors/run.h"

extern "C" void out(const char* bytes, int size);
extern "C" const uint8_t vectors_begin[], vectors_end[];
extern "C" void __cxa_pure_virtual() {
  for (;;) {
  }
}

namespace {
struct Console final : hearth::ByteSink {
  bool write(const void* bytes, size_t size) override {
    out(static_cast<const char*>(bytes), static_cast<int>(size));
    return true;
  }
};
}  // namespace

int main() {
  Console console;
  return hearth::run_vectors(vectors_begin, static_cast<size_t>(vectors_end - vectors_begin), console) ? 0 : 1;
}
