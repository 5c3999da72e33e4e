#include "app/web_reply.h"

namespace hearth {

void reply_head(TextOut& out, const char* status, const char* type, const char* more) {
  out.text("HTTP/1.1 ").text(status).text("\r\nContent-Type: ").text(type);
  out.text(
         "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: "
         "no-referrer\r\nConnection: close\r\n")
      .text(more)
      .text("\r\n");
}

void reply_json(ByteSink& client, const char* status, const char* json, const char* more) {
  TextOut out(client);
  reply_head(out, status, "application/json", more);
  out.text(json);
}

void reply_error(ByteSink& client, const char* status, const char* code, const char* message) {
  TextOut out(client);
  reply_head(out, status, "application/json");
  JsonOut json(out);
  json.begin_object().flag("ok", false).text("error", code);
  if (message[0] != 0) json.text("message", message);
  json.end_object();
}

}  // namespace hearth
