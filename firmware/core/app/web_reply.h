// Replies of the web server.
#pragma once
#include "io/text_out.h"

namespace hearth {

/// Status line and headers; `more` = further header lines.
void reply_head(TextOut& out, const char* status, const char* type, const char* more = "");
void reply_json(ByteSink& client, const char* status, const char* json, const char* more = "");
/// {"ok":false,"error":code,"message":message}
void reply_error(ByteSink& client, const char* status, const char* code, const char* message = "");

}  // namespace hearth
