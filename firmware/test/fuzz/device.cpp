// Serial bytes and web requests against a whole device.
#include "device.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::Input input(data, size);
  device::Device d;
  d.start(input.kind & 2 ? R"({"wifi":[{"ssid":"home","pass":"password"}],"auth":{"enabled":true,"pass":"x"}})"
                         : R"({"wifi":[{"ssid":"home","pass":"password"}]})");
  d.run(200);
  if (input.kind % 2 == 0) {
    input.pieces([&](const uint8_t* bytes, size_t count) {
      d.app.serial(bytes, count);
      return true;
    });
  } else {
    device::Bytes client;
    d.app.web_open();
    input.pieces([&](const uint8_t* bytes, size_t count) {
      d.app.web_receive(bytes, count, client);
      return !d.app.web_poll(client);
    });
    // The stored password of the network leaves only for somebody with the page's own, which no input here has.
    fuzz::must(client.text.find("\"password\"") == std::string::npos);
    d.app.web_closed();
    // Whatever the client left behind, the next one is served.
    const bool restarts = d.system.restarts > 0;
    fuzz::must(restarts || device::status_of(d.get("/nothing")) == (input.kind & 2 ? "401" : "404"));
  }
  d.run(300);
  return 0;
}
