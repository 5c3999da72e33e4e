#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace sim {
namespace {

const char kUsage[] =
    "usage: ticker-sim --state FOLDER [--chip esp8266|esp32|esp32c2|esp32c3] [--speed N] [--time UNIX] [--millis N] "
    "[--heap BYTES]\n"
    "                  [--ca FILE] [--route HOST=ADDRESS:PORT]... [--wifi SSID[,PASSWORD[,RSSI]]]... [--web-port N]\n"
    "                  [--chip-number N] [--seed N] [--repo OWNER/NAME] [--version A.B.C] [--board TAG]\n"
    "                  [--update-key HEX]...\n"
    "The first line of output is JSON: where the serial line (pty), the web page and the control port are.\n";

struct ChipFacts {
  const char* name;
  hearth::Chip chip;
  size_t heap;  ///< free while the program runs, without a connection
};
const ChipFacts kChips[] = {
    // The low estimate: of 48 KB free in an empty Wi-Fi sketch, static RAM, file system and sockets leave 28 KB. Not
    // counted is the second heap of 13 KB, which the buffers of TLS use first.
    {"esp8266", hearth::Chip::Esp8266, 28 * 1024},
    {"esp32", hearth::Chip::Esp32, 160 * 1024},
    {"esp32c2", hearth::Chip::Esp32c2, 110 * 1024},
    {"esp32c3", hearth::Chip::Esp32c3, 160 * 1024},
};

bool set_chip(const std::string& name, Options* options) {
  for (const ChipFacts& facts : kChips) {
    if (name != facts.name) continue;
    options->chip = facts.chip;
    options->chip_name = name;
    if (options->heap == 0) options->heap = facts.heap;
    return true;
  }
  return false;
}

/// HOST=ADDRESS:PORT
bool add_route(const std::string& text, Options* options) {
  const size_t equal = text.find('=');
  const size_t colon = text.rfind(':');
  if (equal == std::string::npos || colon == std::string::npos || colon < equal) return false;
  const int port = atoi(text.c_str() + colon + 1);
  if (port <= 0 || port > 65535) return false;
  options->routes[text.substr(0, equal)] =
      Route{text.substr(equal + 1, colon - equal - 1), static_cast<uint16_t>(port)};
  return true;
}

/// SSID[,PASSWORD[,RSSI]]
bool add_network(const std::string& text, Options* options) {
  FakeNetwork network;
  const size_t first = text.find(',');
  network.ssid = text.substr(0, first);
  if (first != std::string::npos) {
    const size_t second = text.find(',', first + 1);
    network.pass = text.substr(first + 1, second == std::string::npos ? second : second - first - 1);
    if (second != std::string::npos) network.rssi = static_cast<int8_t>(atoi(text.c_str() + second + 1));
  }
  options->networks.push_back(network);
  return !network.ssid.empty() && network.ssid.size() < 33;
}

/// X and Y of a public key as 128 hexadecimal digits, as boards/update-key.mjs prints them; at most two.
bool add_key(const std::string& text, Options* options) {
  if (text.size() != 128 || text.find_first_not_of("0123456789abcdef") != std::string::npos) return false;
  std::vector<uint8_t> key;
  for (size_t i = 0; i < text.size(); i += 2)
    key.push_back(static_cast<uint8_t>(strtoul(text.substr(i, 2).c_str(), nullptr, 16)));
  options->update_keys.push_back(key);
  return options->update_keys.size() <= 2;
}

bool set(const std::string& flag, const std::string& value, Options* options) {
  const auto number = [&] { return strtoll(value.c_str(), nullptr, 0); };
  if (flag == "--chip") return set_chip(value, options);
  if (flag == "--state") return !(options->state_folder = value).empty();
  if (flag == "--speed") return (options->speed = atof(value.c_str())) >= 1;
  if (flag == "--time") return (options->epoch = number()) > 0;
  if (flag == "--millis") return options->millis_start = static_cast<uint32_t>(number()), true;
  if (flag == "--heap") return (options->heap = static_cast<size_t>(number())) >= 4096;
  if (flag == "--ca") return !(options->ca_file = value).empty();
  if (flag == "--route") return add_route(value, options);
  if (flag == "--wifi") return add_network(value, options);
  if (flag == "--web-port")
    return options->web_port = static_cast<uint16_t>(number()), number() >= 0 && number() < 65536;
  if (flag == "--chip-number") return options->chip_number = static_cast<uint32_t>(number()), true;
  if (flag == "--seed") return options->seed = static_cast<uint32_t>(number()), true;
  if (flag == "--version") return !(options->version = value).empty();
  if (flag == "--board") return !(options->board = value).empty() && value.size() < 32;
  if (flag == "--update-key") return add_key(value, options);
  if (flag == "--repo") {
    const size_t slash = value.find('/');
    if (slash == std::string::npos) return false;
    options->repo_owner = value.substr(0, slash);
    options->repo_name = value.substr(slash + 1);
    return true;
  }
  return false;
}

}  // namespace

bool read_options(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && set(argv[i], argv[i + 1], options)) continue;
    fprintf(stderr, "ticker-sim: %s %s is not understood\n%s", argv[i], i + 1 < argc ? argv[i + 1] : "", kUsage);
    return false;
  }
  if (options->heap == 0) set_chip(options->chip_name, options);
  if (options->state_folder.empty()) fputs(kUsage, stderr);
  return !options->state_folder.empty();
}

}  // namespace sim
