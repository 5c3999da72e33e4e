#pragma once
extern "C" void sntp_stop(void);
