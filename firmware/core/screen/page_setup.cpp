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

/// The values must be shown completely, for people without a camera at hand; a label gives way.
bool draw_with_code(Canvas& canvas, const View& view, const char* password, const char* page) {
  constexpr int kCodeSide = 156, kFirstLine = 180, kNextLine = 24, kGap = 8;
  const struct {
    const char* label;
    const char* value;
  } lines[] = {{say(view, "Wi-Fi", "WLAN"), view.network},
               {say(view, "Password", "Passwort"), password},
               {say(view, "Then", "Dann"), page}};
  for (const auto& line : lines) {
    if (text_width(Face::Small, line.value) > kInside) return false;
  }
  draw_code(canvas, view.scan_code, 4, kCodeSide);
  int baseline = kFirstLine;
  for (const auto& line : lines) {
    const bool fits = text_width(Face::Small, line.label) + kGap + text_width(Face::Small, line.value) <= kInside;
    text_pair(canvas, baseline, Face::Small, palette::kQuiet, fits ? line.label : "", palette::kText, line.value);
    baseline += kNextLine;
  }
  return true;
}

}  // namespace

void draw_code(Canvas& canvas, const QrCode& code, int top, int most) {
  constexpr int kFree = 4;
  const int size = most / (code.modules + 2 * kFree);
  const int side = size * (code.modules + 2 * kFree);
  const int left = (kSide - side) / 2;
  canvas.pill({left, top, side, side}, 4, palette::kWhite);
  for (int y = 0; y < code.modules; ++y) {
    for (int x = 0; x < code.modules; ++x) {
      int end = x;
      while (end < code.modules && code.dark(end, y)) ++end;
      if (end > x)
        canvas.fill({left + (kFree + x) * size, top + (kFree + y) * size, (end - x) * size, size}, palette::kBlack);
      x = end;
    }
  }
}

void draw_setup(Canvas& canvas, const View& view) {
  const char* password = view.settings->ap_pass;
  const bool open = strlen(password) < kLeastPassword;
  if (open) password = say(view, "none, it is open", "keines, es ist offen");
  TextBuilder page;
  page.add("http://").add(view.address[0] ? view.address : "192.168.4.1");
  if (view.scan_code.modules > 0 && draw_with_code(canvas, view, password, page.text())) return;
  const int gap = 24 - (lines_of(view.network) + lines_of(password) - 2) * 5;
  canvas.text(kEdge, 26, Face::Large, palette::kWhite, say(view, "Set me up", "Einrichten"));
  int top = draw_step(canvas, 40, "1", say(view, "Join this Wi-Fi", "Mit diesem WLAN verbinden"), palette::kText,
                      view.network, gap);
  top = draw_step(canvas, top, "2",
                  open ? say(view, "Password", "Passwort") : say(view, "with the password", "mit dem Passwort"),
                  open ? palette::kQuiet : palette::kText, password, gap);
  draw_step(canvas, top, "3", say(view, "Open in the browser", "Im Browser öffnen"), palette::kText, page.text(), gap);
}

}  // namespace hearth
