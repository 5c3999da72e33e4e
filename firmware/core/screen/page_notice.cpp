// Notices: starting, joining, nothing configured, no network, update, safe mode.
#include "screen/layout.h"
#include "screen/pages.h"
#include "text/format.h"

namespace hearth {
namespace {

constexpr Face kTitles[] = {Face::Large, Face::Medium};

/// A colored bar, a title, a text below it, and gray lines at the bottom.
struct Notice {
  Color color;
  const char* title;
  const char* text;
  const char* lines[2];
};

void draw(Canvas& canvas, const Notice& notice) {
  canvas.pill({kEdge, 64, 34, 5}, 2, notice.color);
  text_cut(canvas, kEdge, 100, kInside, fitting_face(notice.title, kInside, kTitles, 2), palette::kWhite, notice.title);
  text_wrapped(canvas, 128, 3, Face::Small, palette::kQuiet, Align::Left, notice.text);
  int baseline = 230;
  for (int k = 1; k >= 0; --k) {
    if (!notice.lines[k][0]) continue;
    text_cut(canvas, kEdge, baseline, kInside,
             text_width(Face::Medium, notice.lines[k]) <= kInside ? Face::Medium : Face::Small, palette::kText,
             notice.lines[k]);
    baseline -= 26;
  }
}

void draw_confirm(Canvas& canvas, const View& view) {
  canvas.pill({kEdge, 36, 34, 5}, 2, palette::kAmber);
  text_wrapped(canvas, 70, 2, Face::Medium, palette::kText, Align::Left, "Is it you?");
  text_centred(canvas, 142, Face::Figures55, palette::kWhite, view.code);
  text_wrapped(canvas, 182, 3, Face::Small, palette::kQuiet, Align::Centre,
               "Type this code on the page. If you did not ask for it, do nothing.");
}

void draw_update(Canvas& canvas, const View& view) {
  constexpr int16_t kTop = 150, kHeight = 10;
  const int percent = view.progress > 100 ? 100 : view.progress;
  TextBuilder figure;
  figure.add_number(static_cast<uint32_t>(percent)).add("%");
  text_centred(canvas, 124, Face::Figures66, palette::kWhite, figure.text());
  text_centred(canvas, 54, Face::Medium, palette::kText, "New firmware");
  canvas.pill({kEdge, kTop, kInside, kHeight}, 5, palette::kFaint);
  const int width = kHeight + (kInside - kHeight) * percent / 100;
  canvas.pill({kEdge, kTop, width, kHeight}, 5, palette::kBlue);
  text_wrapped(canvas, 192, 2, Face::Small, palette::kQuiet, Align::Centre,
               percent < 100 ? "Leave it plugged in. The ticker starts again by itself." : "Done. Starting again…");
  if (view.unsigned_) text_centred(canvas, 24, Face::Small, palette::kAmber, "Not signed by anybody");
}

}  // namespace

void draw_notice(Canvas& canvas, const View& view) {
  TextBuilder local, page;
  local.add(view.settings->hostname).add(".local");
  page.add(view.address[0] ? "http://" : "").add(view.address);
  switch (view.scene) {
    case Scene::Joined:
      return draw(canvas, {palette::kGreen, "Connected", view.network, {local.text(), view.address}});
    case Scene::NoSymbols:
      return draw(canvas, {palette::kBlue,
                           "No symbols yet",
                           "Add stocks, funds or currencies on this page:",
                           {local.text(), view.address}});
    case Scene::NoNetwork:
      return draw(canvas, {palette::kAmber,
                           "No Wi-Fi",
                           "Looking for the saved networks. Prices come back by themselves.",
                           {"", view.network}});
    case Scene::SafeMode:
      return draw(canvas, {palette::kRed,
                           "Safe mode",
                           "The ticker stopped after a fault. Mend the settings or the firmware on this page:",
                           {local.text(), page.text()}});
    case Scene::Updating:
      return draw_update(canvas, view);
    case Scene::Confirm:
      return draw_confirm(canvas, view);
    default:
      return draw(canvas,
                  {palette::kBlue, "Hello", view.network[0] ? "Joining the network" : "Starting…", {"", view.network}});
  }
}

}  // namespace hearth
