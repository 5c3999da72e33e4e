/** The chips of tickers. */
export type ChipName = 'esp8266' | 'esp32' | 'esp32c2' | 'esp32c3';

/** What an image for a chip looks like. */
export interface ChipFacts {
  name: ChipName;
  /** As people and manifests of ESP Web Tools write it. */
  label: string;
  /** In bytes 12 and 13 of the image head; the ESP8266 has none there. */
  imageId: number | null;
  /** Where the first program lies. */
  bootOffset: number;
  /** Flash sizes of the upper half of byte 3 in the image head, in MB. */
  sizes: Readonly<Record<number, number>>;
}

const SIZES_OF_ESP32 = { 0: 1, 1: 2, 2: 4, 3: 8, 4: 16, 5: 32, 6: 64, 7: 128 };

export const CHIPS: Readonly<Record<ChipName, ChipFacts>> = {
  esp8266: {
    name: 'esp8266',
    label: 'ESP8266',
    imageId: null,
    bootOffset: 0,
    sizes: { 0: 0.5, 1: 0.25, 2: 1, 3: 2, 4: 4, 5: 2, 6: 4, 8: 8, 9: 16 },
  },
  esp32: { name: 'esp32', label: 'ESP32', imageId: 0, bootOffset: 0x1000, sizes: SIZES_OF_ESP32 },
  esp32c2: { name: 'esp32c2', label: 'ESP32-C2', imageId: 12, bootOffset: 0, sizes: SIZES_OF_ESP32 },
  esp32c3: { name: 'esp32c3', label: 'ESP32-C3', imageId: 5, bootOffset: 0, sizes: SIZES_OF_ESP32 },
};

/** The chip that a library or a manifest calls by this label, or null. */
export function findChip(label: string): ChipFacts | null {
  return Object.values(CHIPS).find((chip) => chip.label === label) ?? null;
}

/** The chip with this id in its images, or null. */
export function findChipByImageId(id: number): ChipFacts | null {
  return Object.values(CHIPS).find((chip) => chip.imageId === id) ?? null;
}
