/* Integer arithmetic that Debian's libgcc omits because the ESP8266 has it in its mask ROM. */
#include <stdint.h>

static uint64_t divide(uint64_t value, uint64_t by, uint64_t* rest) {
  uint64_t quotient = 0, left = 0;
  for (int bit = 63; bit >= 0; --bit) {
    left = (left << 1) | ((value >> bit) & 1);
    if (left >= by) {
      left -= by;
      quotient |= (uint64_t)1 << bit;
    }
  }
  *rest = left;
  return quotient;
}

static uint32_t divide32(uint32_t value, uint32_t by, uint32_t* rest) {
  uint32_t quotient = 0, left = 0;
  for (int bit = 31; bit >= 0; --bit) {
    left = (left << 1) | ((value >> bit) & 1);
    if (left >= by) {
      left -= by;
      quotient |= (uint32_t)1 << bit;
    }
  }
  *rest = left;
  return quotient;
}

static uint64_t size_of(int64_t value) { return value < 0 ? 0 - (uint64_t)value : (uint64_t)value; }

uint32_t __udivsi3(uint32_t a, uint32_t b) {
  uint32_t rest;
  return divide32(a, b, &rest);
}
uint32_t __umodsi3(uint32_t a, uint32_t b) {
  uint32_t rest;
  divide32(a, b, &rest);
  return rest;
}
int32_t __divsi3(int32_t a, int32_t b) {
  uint32_t rest, quotient = divide32((uint32_t)size_of(a), (uint32_t)size_of(b), &rest);
  return (int32_t)((a < 0) != (b < 0) ? 0 - quotient : quotient);
}
int32_t __modsi3(int32_t a, int32_t b) {
  uint32_t rest;
  divide32((uint32_t)size_of(a), (uint32_t)size_of(b), &rest);
  return (int32_t)(a < 0 ? 0 - rest : rest);
}
uint64_t __udivdi3(uint64_t a, uint64_t b) {
  uint64_t rest;
  return divide(a, b, &rest);
}
uint64_t __umoddi3(uint64_t a, uint64_t b) {
  uint64_t rest;
  divide(a, b, &rest);
  return rest;
}
int64_t __divdi3(int64_t a, int64_t b) {
  uint64_t rest, quotient = divide(size_of(a), size_of(b), &rest);
  return (int64_t)((a < 0) != (b < 0) ? 0 - quotient : quotient);
}
int64_t __moddi3(int64_t a, int64_t b) {
  uint64_t rest;
  divide(size_of(a), size_of(b), &rest);
  return (int64_t)(a < 0 ? 0 - rest : rest);
}
int64_t __muldi3(int64_t a, int64_t b) {
  const uint32_t a_low = (uint32_t)a, b_low = (uint32_t)b;
  const uint32_t a0 = a_low & 0xffff, a1 = a_low >> 16, b0 = b_low & 0xffff, b1 = b_low >> 16;
  const uint32_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
  const uint32_t middle = (p00 >> 16) + (p01 & 0xffff) + (p10 & 0xffff);
  const uint32_t low = (p00 & 0xffff) | (middle << 16);
  const uint32_t high = p11 + (p01 >> 16) + (p10 >> 16) + (middle >> 16) + a_low * (uint32_t)((uint64_t)b >> 32) +
                        (uint32_t)((uint64_t)a >> 32) * b_low;
  return (int64_t)(((uint64_t)high << 32) | low);
}
