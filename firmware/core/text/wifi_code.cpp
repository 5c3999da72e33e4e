#include "text/wifi_code.h"

#include "io/text_out.h"

namespace hearth {
namespace {

void escaped(const char* text, TextOut& out) {
  for (; *text != 0; text++) {
    const char c = *text;
    if (c == '\\' || c == ';' || c == ',' || c == ':' || c == '"') out.character('\\');
    out.character(c);
  }
}

}  // namespace

bool make_wifi_code(const char* name, const char* password, QrCode* code) {
  char text[kMostQrText + 1];
  BufferSink sink(text, sizeof text);
  {
    TextOut out(sink);
    out.text("WIFI:T:WPA;S:");
    escaped(name, out);
    out.text(";P:");
    escaped(password, out);
    out.text(";;");
  }
  code->modules = 0;
  return password[0] != 0 && !sink.full() && make_qr(text, sink.size(), code);
}

bool make_page_code(const char* address, QrCode* code) {
  char text[kMostQrText + 1];
  BufferSink sink(text, sizeof text);
  TextOut(sink).text("http://").text(address).character('/');
  code->modules = 0;
  return address[0] != 0 && !sink.full() && make_qr(text, sink.size(), code);
}

}  // namespace hearth
