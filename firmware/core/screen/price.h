// The large price and its chart.
#pragma once
#include "screen/canvas.h"
#include "settings/settings.h"
#include "text/format.h"

namespace hearth {

/// Draws the price as large as it fits, with its currency; in a muted color if it is old.
/// `flash`: of the digits that have just changed.
void draw_price(Canvas& canvas, Rect area, const Quote& quote, const char* symbol, bool stale, Color flash);
/// Draws the sparkline, a dotted line at the reference of the change, and a mark on the last point.
void draw_chart(Canvas& canvas, Rect area, const TickerSettings& settings, const Quote& quote, Color color);
/// Number of decimals that the value has, at most four.
uint8_t most_decimals(Decimal value);

}  // namespace hearth
