#pragma once
typedef int esp_err_t;
extern "C" esp_err_t esp_ota_mark_app_valid_cancel_rollback(void);
