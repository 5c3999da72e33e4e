// The large price and its chart.
#pragma once
#include "screen/canvas.h"
#include "settings/settings.h"
#include "text/format.h"

namespace hearth {

/// The price as large as it fits, with its currency; quiet when it is old.
void draw_price(Canvas& canvas, Rect area, const Quote& quote, const char* symbol, bool stale);
/// The sparkline, where the change is counted from as a dotted line, and the last point marked.
void draw_chart(Canvas& canvas, Rect area, const TickerSettings& settings, const Quote& quote, Color color);
/// Decimals that the value really has, at most four.
uint8_t most_decimals(Decimal value);

}  // namespace hearth
