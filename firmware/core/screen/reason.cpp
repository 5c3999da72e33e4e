#include "screen/reason.h"

#include "screen/pages.h"

namespace hearth {

void add_reason(TextBuilder* text, const View& view, const Quote& quote) {
  switch (quote.reason) {
    case Reason::None:
    case Reason::NotYet:
      text->add(say(view, "Loading…", "Lädt…"));
      return;
    case Reason::NotConfigured:
      text->add(say(view, "Source not set up", "Quelle nicht eingerichtet"));
      return;
    case Reason::NoNetwork:
      text->add(say(view, "No Wi-Fi", "Kein WLAN"));
      return;
    case Reason::NoAddress:
      text->add(say(view, "Server not found", "Server nicht gefunden"));
      return;
    case Reason::NoConnection:
      text->add(say(view, "No connection", "Keine Verbindung"));
      return;
    case Reason::TlsFailed:
      text->add(say(view, "Encryption failed", "Verschlüsselung scheitert"));
      return;
    case Reason::Certificate:
      text->add(say(view, "Certificate refused", "Zertifikat abgelehnt"));
      return;
    case Reason::TooSlow:
      text->add(say(view, "No answer in time", "Antwort zu spät"));
      return;
    case Reason::RateLimited:
      text->add(say(view, "Too many requests", "Zu viele Anfragen"));
      return;
    case Reason::HttpStatus:
      text->add(say(view, "Server error ", "Serverfehler ")).add_number(quote.http_status);
      return;
    case Reason::BadAnswer:
      text->add(say(view, "Answer not readable", "Antwort unlesbar"));
      return;
    case Reason::TooLarge:
      text->add(say(view, "Answer too large", "Antwort zu groß"));
      return;
    case Reason::UnknownSymbol:
      text->add(say(view, "Unknown symbol", "Unbekanntes Symbol"));
      return;
    case Reason::NoPrice:
      text->add(say(view, "No price now", "Jetzt kein Kurs"));
      return;
    case Reason::SourceSaysNo:
      text->add(say(view, "Source has no data", "Quelle ohne Daten"));
      return;
    case Reason::LowMemory:
      text->add(say(view, "Memory too low", "Zu wenig Speicher"));
      return;
  }
}

const char* reason_hint(const View& view, Reason reason, Source source) {
  switch (reason) {
    case Reason::None:
    case Reason::NotYet:
      return say(view, "Asking for the first price.", "Fragt nach dem ersten Kurs.");
    case Reason::NotConfigured:
      return source == Source::Webhook
                 ? say(view, "Enter the webhook address in the settings.",
                       "Die Webhook-Adresse in den Einstellungen eintragen.")
                 : say(view, "This firmware was built without a repository.", "Diese Firmware kennt kein Repository.");
    case Reason::NoNetwork:
      return say(view, "Waiting for the network to come back.", "Wartet, bis das Netz zurück ist.");
    case Reason::NoAddress:
      return say(view, "The name of the server is unknown. Is the internet reachable?",
                 "Der Name des Servers ist unbekannt. Geht das Internet?");
    case Reason::NoConnection:
      return say(view, "The server refused or broke off. Trying again.",
                 "Der Server lehnte ab oder brach ab. Neuer Versuch.");
    case Reason::TlsFailed:
      return say(view, "No common encryption with the server.", "Keine gemeinsame Verschlüsselung mit dem Server.");
    case Reason::Certificate:
      return say(view, "The server could not prove who it is. Is the time right?",
                 "Der Server konnte sich nicht ausweisen. Stimmt die Uhrzeit?");
    case Reason::TooSlow:
      return say(view, "The server was too slow. Trying again.", "Der Server war zu langsam. Neuer Versuch.");
    case Reason::RateLimited:
      return say(view, "The source asks for a pause. A longer interval helps.",
                 "Die Quelle bittet um eine Pause. Seltener fragen hilft.");
    case Reason::HttpStatus:
      return say(view, "The source did not give a price. Trying again.", "Die Quelle gab keinen Kurs. Neuer Versuch.");
    case Reason::BadAnswer:
      return say(view, "The source answered in another format than agreed.",
                 "Die Quelle antwortete in einem anderen Format.");
    case Reason::TooLarge:
      return say(view, "The answer is larger than the device can take.",
                 "Die Antwort ist größer, als das Gerät verträgt.");
    case Reason::UnknownSymbol:
      return say(view, "The source does not know it. Check the spelling in the settings.",
                 "Die Quelle kennt es nicht. Schreibweise in den Einstellungen prüfen.");
    case Reason::NoPrice:
      return say(view, "Known, but without a price. Perhaps the market has not opened.",
                 "Bekannt, aber ohne Kurs. Vielleicht ist die Börse noch zu.");
    case Reason::SourceSaysNo:
      return say(view, "The webhook reports that it has nothing now.", "Der Webhook meldet, dass er jetzt nichts hat.");
    case Reason::LowMemory:
      return say(view, "Waiting for free memory. Night mode off helps.",
                 "Wartet auf freien Speicher. Ohne Nachtmodus geht es eher.");
  }
  return "";
}

}  // namespace hearth
