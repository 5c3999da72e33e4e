// How to set the device up: its network, the password, and the page to open.
#include "screen/layout.h"
#include "screen/pages.h"
#include "text/format.h"

namespace hearth {
namespace {

constexpr size_t kLeastPassword = 8;   // shorter ones leave the network open

/// One line large, one line small, or two small ones broken anywhere.
void draw_value(Canvas& canvas, int top, Color color, const char* value) {
  if (text_width(Face::Small, value) <= kInside) {
    canvas.text(kEdge, top + 46, text_width(Face::Medium, value) <= kInside ? Face::Medium : Face::Small, color, value);
    return;
  }
  TextBuilder first;
  first.add(value);
  while (text_width(Face::Small, first.text()) > kInside) first.shorten();
  canvas.text(kEdge, top + 42, Face::Small, color, first.text());
  text_cut(canvas, kEdge, top + 60, kInside, Face::Small, color, value + first.size());
}

void draw_step(Canvas& canvas, int top, const char* number, const char* label, Color color, const char* value) {
  canvas.pill({kEdge, top, 24, 24}, 12, palette::kPanel);
  canvas.text(kEdge + 12 - text_width(Face::Small, number) / 2, top + 18, Face::Small, palette::kBlue, number);
  text_cut(canvas, kEdge + 34, top + 17, kInside - 34, Face::Small, palette::kQuiet, label);
  draw_value(canvas, top, color, value);
}

}  // namespace

void draw_setup(Canvas& canvas, const View& view) {
  size_t password = 0;
  while (view.settings->ap_pass[password]) ++password;
  const bool open = password < kLeastPassword;
  TextBuilder page;
  page.add("http://").add(view.address[0] ? view.address : "192.168.4.1");
  canvas.text(kEdge, 28, Face::Large, palette::kWhite, "Set me up");
  draw_step(canvas, 44, "1", "Join this Wi-Fi", palette::kText, view.network);
  draw_step(canvas, 110, "2", open ? "Password" : "with the password", open ? palette::kQuiet : palette::kText, open ? "none, it is open" : view.settings->ap_pass);
  draw_step(canvas, 178, "3", "Open in the browser", palette::kText, page.text());
}

}  // namespace hearth
