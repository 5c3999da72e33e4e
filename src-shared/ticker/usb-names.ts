/**
 * Names of the USB chips on boards that tickers are built from, by vendor and product in hexadecimal (USB ID
 * repository, and the data sheets of the makers).
 */
const NAMES: Readonly<Record<string, string>> = {
  '303a:1001': 'Espressif USB JTAG/serial',
  '303a:0002': 'Espressif ESP32-S2',
  '303a:1002': 'Espressif ESP32-S3',
  '10c4:ea60': 'Silicon Labs CP210x',
  '10c4:ea70': 'Silicon Labs CP2105',
  '1a86:7523': 'WCH CH340',
  '1a86:5523': 'WCH CH341',
  '1a86:55d3': 'WCH CH343',
  '1a86:55d4': 'WCH CH9102',
  '0403:6001': 'FTDI FT232R',
  '0403:6010': 'FTDI FT2232',
  '0403:6015': 'FTDI FT231X',
  '067b:2303': 'Prolific PL2303',
};
const VENDORS: Readonly<Record<string, string>> = {
  '303a': 'Espressif',
  '10c4': 'Silicon Labs',
  '1a86': 'WCH',
  '0403': 'FTDI',
  '067b': 'Prolific',
  '2341': 'Arduino',
  '239a': 'Adafruit',
};

/**
 * Lets whoever sits at a computer with Linux use these chips. Saved below number 73, where systemd gives the access that
 * `uaccess` asks for.
 */
export const UDEV_FILE = '/etc/udev/rules.d/70-ticker.rules';
export const UDEV_RULE = [...new Set(Object.keys(NAMES).map((ids) => ids.slice(0, 4)))]
  .map((vendor) => `SUBSYSTEM=="tty", ATTRS{idVendor}=="${vendor}", TAG+="uaccess"`)
  .join('\n');

/** The name of a USB chip, or of its maker; null if neither is known. */
export function usbName(vendor: string | null, product: string | null): string | null {
  if (vendor === null) return null;
  return NAMES[`${vendor}:${product ?? ''}`] ?? VENDORS[vendor] ?? null;
}
