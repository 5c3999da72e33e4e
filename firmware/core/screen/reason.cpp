#include "screen/reason.h"

namespace hearth {

void add_reason(TextBuilder* text, const Quote& quote) {
  switch (quote.reason) {
    case Reason::None:
    case Reason::NotYet:
      text->add("Loading…");
      return;
    case Reason::NotConfigured:
      text->add("Source not set up");
      return;
    case Reason::NoNetwork:
      text->add("No Wi-Fi");
      return;
    case Reason::NoAddress:
      text->add("Server not found");
      return;
    case Reason::NoConnection:
      text->add("No connection");
      return;
    case Reason::TlsFailed:
      text->add("Encryption failed");
      return;
    case Reason::Certificate:
      text->add("Certificate refused");
      return;
    case Reason::TooSlow:
      text->add("No answer in time");
      return;
    case Reason::RateLimited:
      text->add("Too many requests");
      return;
    case Reason::HttpStatus:
      text->add("Server error ").add_number(quote.http_status);
      return;
    case Reason::BadAnswer:
      text->add("Answer not readable");
      return;
    case Reason::TooLarge:
      text->add("Answer too large");
      return;
    case Reason::UnknownSymbol:
      text->add("Unknown symbol");
      return;
    case Reason::NoPrice:
      text->add("No price now");
      return;
    case Reason::SourceSaysNo:
      text->add("Source has no data");
      return;
    case Reason::LowMemory:
      text->add("Memory too low");
      return;
  }
}

const char* reason_hint(Reason reason, Source source) {
  switch (reason) {
    case Reason::None:
    case Reason::NotYet:
      return "Asking for the first price.";
    case Reason::NotConfigured:
      return source == Source::Webhook ? "Enter the webhook address in the settings."
                                       : "This firmware was built without a repository.";
    case Reason::NoNetwork:
      return "Waiting for the network to come back.";
    case Reason::NoAddress:
      return "The name of the server is unknown. Is the internet reachable?";
    case Reason::NoConnection:
      return "The server refused or broke off. Trying again.";
    case Reason::TlsFailed:
      return "No common encryption with the server.";
    case Reason::Certificate:
      return "The server could not prove who it is. Is the time right?";
    case Reason::TooSlow:
      return "The server was too slow. Trying again.";
    case Reason::RateLimited:
      return "The source asks for a pause. A longer interval helps.";
    case Reason::HttpStatus:
      return "The source did not give a price. Trying again.";
    case Reason::BadAnswer:
      return "The source answered in another format than agreed.";
    case Reason::TooLarge:
      return "The answer is larger than the device can take.";
    case Reason::UnknownSymbol:
      return "The source does not know it. Check the spelling in the settings.";
    case Reason::NoPrice:
      return "Known, but without a price. Perhaps the market has not opened.";
    case Reason::SourceSaysNo:
      return "The webhook reports that it has nothing now.";
    case Reason::LowMemory:
      return "Waiting for free memory. Night mode off helps.";
  }
  return "";
}

}  // namespace hearth
