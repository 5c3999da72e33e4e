/** What a boot ROM tells of its chip: registers, MAC, revision, and how it speaks. */

export type ChipName = 'esp8266' | 'esp32' | 'esp32c2' | 'esp32c3';

export interface Chip {
  name: ChipName;
  /** Bytes of the status at the end of each reply of the ROM; loaders in RAM send two. */
  statusBytes: 2 | 4;
  /** Commands that the ROM knows. */
  romCommands: ReadonlySet<number>;
  /** In image headers and in the security information; ESP8266 and ESP32 have neither that command nor, the first, an id. */
  chipId: number;
  hasSecurityInfo: boolean;
  /** Words of FLASH_BEGIN and FLASH_DEFL_BEGIN in the ROM: later chips have a flag for encryption. */
  beginWords: 4 | 5;
  /** Where the first program is that the ROM starts. */
  bootOffset: number;
  /** Speed of the ROM's own lines after a reset. */
  bootLogBaud: number;
  bootLog: string;
  downloadLog: string;
  spi: { base: number; usr: number; usr2: number; w0: number };
  /** RAM into which loaders may be written. */
  ram: readonly (readonly [number, number])[];
  registers: ReadonlyMap<number, number>;
}

const ROM_OF_ALL = [0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a];
const ROM_OF_ESP32 = [...ROM_OF_ALL, 0x0b, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13];
const MAGIC_REGISTER = 0x40001000;

function esp8266([m0, m1, m2, m3, m4, m5]: Mac): Chip {
  return {
    name: 'esp8266',
    statusBytes: 2,
    romCommands: new Set(ROM_OF_ALL),
    chipId: 0xffff,
    hasSecurityInfo: false,
    beginWords: 4,
    bootOffset: 0,
    bootLogBaud: 74880,
    bootLog: '\r\n ets Jan  8 2013,rst cause:2, boot mode:(3,6)\r\n\r\n',
    downloadLog: '\r\n ets Jan  8 2013,rst cause:2, boot mode:(1,6)\r\n\r\n',
    spi: { base: 0x60000200, usr: 0x1c, usr2: 0x24, w0: 0x40 },
    ram: [
      [0x3ffe8000, 0x40000000],
      [0x40100000, 0x40110000],
    ],
    registers: new Map([
      [MAGIC_REGISTER, 0xfff0c101],
      [0x3ff00050, (m5 << 24) >>> 0],
      [0x3ff00054, (m3 << 8) | m4],
      [0x3ff00058, 0],
      [0x3ff0005c, (m0 << 16) | (m1 << 8) | m2],
      // Crystal of 26 MHz: the divider at 115,200 baud, counted twice.
      [0x60000014, 451],
    ]),
  };
}

function esp32([m0, m1, m2, m3, m4, m5]: Mac): Chip {
  return {
    name: 'esp32',
    statusBytes: 4,
    romCommands: new Set(ROM_OF_ESP32),
    chipId: 0,
    hasSecurityInfo: false,
    beginWords: 4,
    bootOffset: 0x1000,
    bootLogBaud: 115200,
    bootLog: 'ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n',
    downloadLog:
      'ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))' +
      '\r\nwaiting for download\r\n',
    spi: { base: 0x3ff42000, usr: 0x1c, usr2: 0x24, w0: 0x80 },
    ram: [
      [0x3ffae000, 0x40000000],
      [0x40070000, 0x400c0000],
    ],
    registers: new Map([
      [MAGIC_REGISTER, 0x00f01d83],
      [0x3ff5a004, word(m2, m3, m4, m5)],
      [0x3ff5a008, (m0 << 8) | m1],
      // Package D0WD, and one of the three bits of revision 3.
      [0x3ff5a00c, (1 << 9) | (1 << 15)],
      [0x3ff5a010, 0],
      [0x3ff5a014, 1 << 20],
      [0x3ff5a018, 0],
      [0x3ff6607c, 0x80000000],
      [0x3ff5f06c, 0],
      [0x3ff44038, 0],
      [0x3ff48074, 0],
      [0x3ff40014, 347],
    ]),
  };
}

function esp32c(name: 'esp32c2' | 'esp32c3', [m0, m1, m2, m3, m4, m5]: Mac): Chip {
  const isC2 = name === 'esp32c2';
  const mac = isC2 ? 0x60008840 : 0x60008844;
  const registers = new Map([
    [MAGIC_REGISTER, isC2 ? 0x6f51306f : 0x1b31506f],
    [mac, word(m2, m3, m4, m5)],
    // The C2 has revision and package in the word of the MAC's first bytes.
    [mac + 4, (isC2 ? 1 << 20 : 0) | (m0 << 8) | m1],
    ...(isC2
      ? [[0x60000014, 226] as const]
      : ([
          [0x60008850, 3 << 18],
          [0x60008854, 0],
          [0x60008858, 0],
          [0x3fcdf07c, 0],
        ] as const)),
  ]);
  return {
    name,
    statusBytes: 4,
    romCommands: new Set([...ROM_OF_ESP32, 0x14]),
    chipId: isC2 ? 12 : 5,
    hasSecurityInfo: true,
    beginWords: 5,
    bootOffset: 0,
    bootLogBaud: 115200,
    bootLog: `ESP-ROM:${name}-api1-20220117\r\nrst:0x1 (POWERON),boot:0xc (SPI_FAST_FLASH_BOOT)\r\n`,
    downloadLog:
      `ESP-ROM:${name}-api1-20220117\r\nrst:0x1 (POWERON),boot:0x4 (DOWNLOAD(USB/UART0/1))\r\n` +
      'waiting for download\r\n',
    spi: { base: 0x60002000, usr: 0x18, usr2: 0x20, w0: 0x58 },
    ram: [
      [0x3fc80000, 0x3fce0000],
      [0x4037c000, 0x403e0000],
    ],
    registers,
  };
}

type Mac = readonly [number, number, number, number, number, number];

function word(high: number, b2: number, b1: number, low: number): number {
  return ((high << 24) | (b2 << 16) | (b1 << 8) | low) >>> 0;
}

/** The chip of this name with this MAC. */
export function createChip(name: ChipName, mac: Mac = [0x24, 0x0a, 0xc4, 0x12, 0x34, 0x56]): Chip {
  if (name === 'esp8266') return esp8266(mac);
  if (name === 'esp32') return esp32(mac);
  return esp32c(name, mac);
}
