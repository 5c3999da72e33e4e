// Numbers as shown on the screens and the web page, with a decimal point and an apostrophe between thousands, which
// can't be mistaken for a decimal point.
#pragma once
#include "quote/quote.h"

namespace hearth {

constexpr size_t kFormatBytes = 40;  ///< enough for every function here

/// Decimals for a price: 2 for prices from 1 (and for 0), 4 from 0.01, otherwise 6.
uint8_t price_decimals(Decimal price);
/// "1'234.50"; from 10^15 "1.23e15". `out` has kFormatBytes.
void format_price(Decimal price, char* out);
/// With a sign and a fixed number of decimals: "+1.20", "-0.05"; a value that rounds to zero has no sign.
void format_change(Decimal change, uint8_t decimals, char* out);
/// Hundredths of a percent: "+1.23%", "0.00%".
void format_percent(int32_t hundredths, char* out);
/// "45 s", "3 min", "2 h", "5 d".
void format_age(uint32_t seconds, char* out);
/// Prefix of a price: "$", "€", "£", "¥", otherwise the ISO code and a space; a webhook's prefix is unchanged.
const char* currency_prefix(const Quote& quote, char* out);

/// Code of a reason on the wire: "too_slow". "" for None.
const char* reason_code(Reason reason);

}  // namespace hearth
