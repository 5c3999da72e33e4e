// Short texts: numbers, time zones, addresses, versions, listing keys.
#include <string.h>

#include "clock/time_zone.h"
#include "fuzz.h"
#include "http/url.h"
#include "io/text_out.h"
#include "source/parser.h"
#include "update/release.h"

using namespace hearth;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::Input input(data, size);
  const char* text = input.text.c_str();
  Decimal value{};
  if (parse_decimal(input.text.data(), input.text.size(), &value)) {
    // A written number is read back as the same number.
    char out[64];
    BufferSink sink(out, sizeof out);
    TextOut(sink).decimal(value);
    Decimal again{};
    fuzz::must(parse_decimal(out, strlen(out), &again) && compare(again, value) == 0);
    Decimal result{};
    int32_t ratio_value = 0;
    add(value, again, &result);
    multiply(value, again, &result);
    divide(value, again, &result);
    percent_change(value, Decimal{7, -3}, &ratio_value);
  }
  parse_portal_number(text, &value);
  TimeZone zone;
  if (parse_time_zone(text, &zone)) {
    for (int64_t time = 0; time < 2000000000; time += 86400 * 91) {
      const int32_t offset = utc_offset(zone, time);
      fuzz::must(offset == zone.offset || offset == zone.dst_offset);
    }
  }
  Url url;
  if (parse_url(text, &url))
    fuzz::must(strlen(url.host) > 0 && url.port > 0 && url.path + url.path_size <= text + strlen(text));
  version_number(text);
  is_listing_key(text);
  return 0;
}
