import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** What an update file is made of. */
export interface Made {
  board: string;
  chipId: number;
  version: string;
  /** Signs it; without a key it is not signed. */
  key: KeyObject;
}

/** As firmware/boards/release.mjs makes update files: the head, a signature of 64 bytes with a key, the image. */
export function createUpdate({ board = 'sim-esp32', chipId = 0, version = '0.2.0', key }: Partial<Made> = {}): Buffer {
  const image = Buffer.alloc(4096, 7);
  image.set([0xe9, 1, 2, 0x20]);
  image.writeUInt16LE(chipId, 12);
  // Versions have different bytes, so that a test sees which one a device has.
  image.write(version, 64, 'latin1');
  const head = Buffer.alloc(128);
  head.write('HEARTHUP', 0, 'latin1');
  head.writeUInt16LE(chipId, 8);
  head.writeUInt16LE(key ? 2 : 1, 10);
  head.writeUInt32LE(image.length, 12);
  createHash('sha256').update(image).digest().copy(head, 16);
  head.write(board, 48, 31, 'latin1');
  head.write(version, 80, 15, 'latin1');
  const signature = key ? sign('sha256', head, { key, dsaEncoding: 'ieee-p1363' }) : Buffer.alloc(0);
  return Buffer.concat([head, signature, image]);
}

/** The public part of a key as the firmware knows it. */
export const keyOf = ({ publicKey }: { publicKey: KeyObject }): string => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return [x, y].map((part) => Buffer.from(part, 'base64url').toString('hex')).join('');
};

/** A key pair for updates, as the firmware verifies them. */
export const createKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** The vault of tests in which nobody sends an update. */
export const WITHOUT_UPDATES = { resolve: (path: string): string => path, discard: (): void => undefined };
