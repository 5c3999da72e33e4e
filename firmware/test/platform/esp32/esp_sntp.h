#pragma once
#include <sys/time.h>
extern "C" {
void sntp_set_time_sync_notification_cb(void (*callback)(struct timeval*));
void esp_sntp_stop(void);
}
