/*
 * The functions of <string.h> that the core uses, for builds without a C library: runs under QEMU and WebAssembly.
 * memory.c implements them.
 */
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void* memcpy(void* to, const void* from, size_t size);
void* memmove(void* to, const void* from, size_t size);
void* memset(void* to, int value, size_t size);
int memcmp(const void* a, const void* b, size_t size);
void* memchr(const void* bytes, int value, size_t size);
size_t strlen(const char* text);
size_t strnlen(const char* text, size_t most);
char* strncpy(char* to, const char* from, size_t size);
char* strcat(char* to, const char* from);
int strcmp(const char* a, const char* b);
int strncmp(const char* a, const char* b, size_t size);
size_t strcspn(const char* text, const char* stops);
char* strchr(const char* text, int value);
char* strrchr(const char* text, int value);
char* strstr(const char* text, const char* part);
#ifdef __cplusplus
}
#endif
