#include <stdint.h>
#include <string.h>

void* memcpy(void* to, const void* from, size_t size) {
  uint8_t* t = to;
  const uint8_t* f = from;
  while (size--) *t++ = *f++;
  return to;
}

void* memmove(void* to, const void* from, size_t size) {
  uint8_t* t = to;
  const uint8_t* f = from;
  if (t <= f) return memcpy(to, from, size);
  while (size--) t[size] = f[size];
  return to;
}

void* memset(void* to, int value, size_t size) {
  uint8_t* t = to;
  while (size--) *t++ = (uint8_t)value;
  return to;
}

int memcmp(const void* a, const void* b, size_t size) {
  const uint8_t* x = a;
  const uint8_t* y = b;
  for (; size--; ++x, ++y) {
    if (*x != *y) return *x - *y;
  }
  return 0;
}

void* memchr(const void* bytes, int value, size_t size) {
  const uint8_t* b = bytes;
  for (; size--; ++b) {
    if (*b == (uint8_t)value) return (void*)(uintptr_t)b;
  }
  return 0;
}

size_t strlen(const char* text) {
  size_t size = 0;
  while (text[size]) ++size;
  return size;
}

size_t strnlen(const char* text, size_t most) {
  size_t size = 0;
  while (size < most && text[size]) ++size;
  return size;
}

char* strncpy(char* to, const char* from, size_t size) {
  const size_t length = strnlen(from, size);
  memcpy(to, from, length);
  memset(to + length, 0, size - length);
  return to;
}

char* strcat(char* to, const char* from) {
  memcpy(to + strlen(to), from, strlen(from) + 1);
  return to;
}

int strcmp(const char* a, const char* b) { return strncmp(a, b, SIZE_MAX); }

int strncmp(const char* a, const char* b, size_t size) {
  for (; size--; ++a, ++b) {
    if (*a != *b || *a == 0) return (uint8_t)*a - (uint8_t)*b;
  }
  return 0;
}

char* strchr(const char* text, int value) {
  for (;; ++text) {
    if (*text == (char)value) return (char*)(uintptr_t)text;
    if (*text == 0) return 0;
  }
}

size_t strcspn(const char* text, const char* stops) {
  size_t size = 0;
  while (text[size] && !strchr(stops, text[size])) ++size;
  return size;
}

char* strrchr(const char* text, int value) {
  for (size_t at = strlen(text) + 1; at-- > 0;) {
    if (text[at] == (char)value) return (char*)(uintptr_t)(text + at);
  }
  return 0;
}

char* strstr(const char* text, const char* part) {
  const size_t size = strlen(part);
  for (;; ++text) {
    if (strncmp(text, part, size) == 0) return (char*)(uintptr_t)text;
    if (*text == 0) return 0;
  }
}
