#pragma once
/// The core takes a std::function.
void settimeofday_cb(void (*answered)());
