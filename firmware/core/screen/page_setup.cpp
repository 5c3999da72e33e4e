// How to set up the device: its network, the password, and the page to open.
#include <string.h>

#include "screen/layout.h"
#include "screen/pages.h"
#include "text/format.h"

namespace hearth {
namespace {

constexpr size_t kLeastPassword = 8;  // shorter passwords leave the network open

constexpr int kLine = 18;

/// Number of lines of a value. A password must be shown completely, so it may be broken anywhere.
int lines_of(const char* value) {
  const int width = text_width(Face::Small, value);
  return width <= kInside ? 1 : width <= 2 * kInside - kLine ? 2 : 3;
}

/// A numbered line with the value below it, large if it fits; returns the top of the next step.
int draw_step(Canvas& canvas, int top, const char* number, const char* label, Color color, const char* value, int gap) {
  canvas.pill({kEdge, top, 22, 22}, 11, palette::kPanel);
  canvas.text(kEdge + 11 - text_width(Face::Small, number) / 2, top + 17, Face::Small, palette::kBlue, number);
  text_cut(canvas, kEdge + 32, top + 16, kInside - 32, Face::Small, palette::kQuiet, label);
  const int lines = lines_of(value);
  top += lines == 1 ? 26 : 22;
  for (int line = lines; line > 0; --line) {
    TextBuilder part;
    part.add(value);
    while (line > 1 && text_width(Face::Small, part.text()) > kInside) part.shorten();
    value += part.size();
    top += kLine;
    text_cut(canvas, kEdge, top, kInside,
             lines == 1 && text_width(Face::Medium, part.text()) <= kInside ? Face::Medium : Face::Small, color,
             part.text());
  }
  return top + gap;
}

}  // namespace

void draw_setup(Canvas& canvas, const View& view) {
  const char* password = view.settings->ap_pass;
  const bool open = strlen(password) < kLeastPassword;
  if (open) password = "none, it is open";
  TextBuilder page;
  page.add("http://").add(view.address[0] ? view.address : "192.168.4.1");
  const int gap = 24 - (lines_of(view.network) + lines_of(password) - 2) * 5;
  canvas.text(kEdge, 26, Face::Large, palette::kWhite, "Set me up");
  int top = draw_step(canvas, 40, "1", "Join this Wi-Fi", palette::kText, view.network, gap);
  top = draw_step(canvas, top, "2", open ? "Password" : "with the password", open ? palette::kQuiet : palette::kText,
                  password, gap);
  draw_step(canvas, top, "3", "Open in the browser", palette::kText, page.text(), gap);
}

}  // namespace hearth
