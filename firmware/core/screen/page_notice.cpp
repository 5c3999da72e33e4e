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
  text_wrapped(canvas, 70, 2, Face::Medium, palette::kText, Align::Left, say(view, "Is it you?", "Sind Sie es?"));
  text_centred(canvas, 142, Face::Figures55, palette::kWhite, view.code);
  text_wrapped(canvas, 182, 3, Face::Small, palette::kQuiet, Align::Centre,
               say(view, "Type this code on the page. If you did not ask for it, do nothing.",
                   "Diesen Code auf der Seite eintippen. Wer ihn nicht verlangt hat, tut nichts."));
}

void draw_update(Canvas& canvas, const View& view) {
  constexpr int16_t kTop = 150, kHeight = 10;
  const int percent = view.progress > 100 ? 100 : view.progress;
  TextBuilder figure;
  figure.add_number(static_cast<uint32_t>(percent)).add("%");
  text_centred(canvas, 124, Face::Figures66, palette::kWhite, figure.text());
  text_centred(canvas, 54, Face::Medium, palette::kText, say(view, "New firmware", "Neue Firmware"));
  canvas.pill({kEdge, kTop, kInside, kHeight}, 5, palette::kFaint);
  const int width = kHeight + (kInside - kHeight) * percent / 100;
  canvas.pill({kEdge, kTop, width, kHeight}, 5, palette::kBlue);
  text_wrapped(canvas, 192, 2, Face::Small, palette::kQuiet, Align::Centre,
               percent < 100 ? say(view, "Leave it plugged in. The ticker starts again by itself.",
                                   "Am Strom lassen. Der Ticker startet von selbst neu.")
                             : say(view, "Done. Starting again…", "Fertig. Startet neu…"));
  if (view.unsigned_)
    text_centred(canvas, 24, Face::Small, palette::kAmber,
                 say(view, "Not signed by anybody", "Von niemandem signiert"));
}

/// The code leads to the settings page; its addresses are for people without a camera at hand.
void draw_empty(Canvas& canvas, const View& view, const char* local) {
  constexpr int kCodeTop = 36, kCodeSide = 136;
  const char* title = say(view, "No symbols yet", "Noch keine Symbole");
  text_cut(canvas, kEdge, 26, kInside, fitting_face(title, kInside, kTitles, 2), palette::kWhite, title);
  draw_code(canvas, view.scan_code, kCodeTop, kCodeSide);
  text_wrapped(canvas, 188, 1, Face::Small, palette::kQuiet, Align::Centre,
               say(view, "Add some on this page:", "Auf dieser Seite hinzufügen:"));
  text_wrapped(canvas, 208, 1, Face::Small, palette::kText, Align::Centre, local);
  text_centred(canvas, 232, Face::Medium, palette::kText, view.address);
}

}  // namespace

void draw_notice(Canvas& canvas, const View& view) {
  TextBuilder local, page;
  local.add(view.settings->hostname).add(".local");
  page.add(view.address[0] ? "http://" : "").add(view.address);
  switch (view.scene) {
    case Scene::Joined:
      return draw(canvas,
                  {palette::kGreen, say(view, "Connected", "Verbunden"), view.network, {local.text(), view.address}});
    case Scene::NoSymbols:
      if (view.scan_code.modules > 0) return draw_empty(canvas, view, local.text());
      return draw(canvas, {palette::kBlue,
                           say(view, "No symbols yet", "Noch keine Symbole"),
                           say(view, "Add stocks, funds or currencies on this page:",
                               "Aktien, Fonds oder Währungen auf dieser Seite hinzufügen:"),
                           {local.text(), view.address}});
    case Scene::NoNetwork:
      return draw(canvas, {palette::kAmber,
                           say(view, "No Wi-Fi", "Kein WLAN"),
                           say(view, "Looking for the saved networks. Prices come back by themselves.",
                               "Sucht die gespeicherten Netze. Die Kurse kommen von selbst zurück."),
                           {"", view.network}});
    case Scene::SafeMode:
      return draw(canvas,
                  {palette::kRed,
                   say(view, "Safe mode", "Notbetrieb"),
                   say(view, "The ticker stopped after a fault. Mend the settings or the firmware on this page:",
                       "Der Ticker hielt nach Fehlern an. Auf dieser Seite reparieren:"),
                   {local.text(), page.text()}});
    case Scene::Loader:
      return draw(canvas, {palette::kBlue,
                           say(view, "One step left", "Noch ein Schritt"),
                           say(view, "Choose the update file of this board under Firmware on this page:",
                               "Auf dieser Seite die Update-Datei für dieses Gerät wählen:"),
                           {local.text(), view.address}});
    case Scene::Updating:
      return draw_update(canvas, view);
    case Scene::Confirm:
      return draw_confirm(canvas, view);
    default:
      return draw(canvas, {palette::kBlue,
                           say(view, "Hello", "Hallo"),
                           view.network[0] ? say(view, "Joining the network", "Verbindet sich mit dem Netz")
                                           : say(view, "Starting…", "Startet…"),
                           {"", view.network}});
  }
}

}  // namespace hearth
