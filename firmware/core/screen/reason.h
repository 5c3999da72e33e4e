// Texts for why a price is missing or old.
#pragma once
#include "app/view.h"
#include "settings/settings.h"
#include "text/format.h"

namespace hearth {

/// Two or three words: "No answer in time".
void add_reason(TextBuilder* text, const View& view, const Quote& quote);
/// The first reply has not arrived yet: this is not an error.
inline bool waits(const Quote& quote) { return quote.reason == Reason::NotYet || quote.reason == Reason::None; }
/// What the user can do, or what happens next, in one or two short sentences.
const char* reason_hint(const View& view, Reason reason, Source source);

}  // namespace hearth
