/** The ticker's frames in TypeScript against the vectors that the firmware's own tests read. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  createFrameReader,
  decodeScreen,
  encodeFrame,
  isReplyTo,
  LINK_TYPES,
  type LinkFrame,
} from '../../src-shared/ticker/protocol.ts';

const lines = readFileSync(new URL('../../firmware/test/vectors/link.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const bytes = (hex: string): Uint8Array => (hex === '-' ? new Uint8Array() : Uint8Array.from(Buffer.from(hex, 'hex')));
const vectors = lines.map((line) => {
  const [type = '', sequence = '', payload = '', whole = ''] = line.split(' ');
  return {
    frame: { type: Number.parseInt(type, 16), sequence: Number.parseInt(sequence, 16), payload: bytes(payload) },
    whole: bytes(whole),
  };
});
const noise = new TextEncoder().encode('boot\u00a5Z log IMPROV\n');
const stream = Uint8Array.from(vectors.flatMap(({ whole }) => [...noise, 0xa5, ...whole]));

function read(chunks: Uint8Array[]): LinkFrame[] {
  const reader = createFrameReader();
  return chunks.flatMap((chunk) => reader.push(chunk));
}

describe('frames of the serial line', () => {
  it('are encoded as in the vectors', () => {
    expect(vectors.length).toBeGreaterThan(10);
    for (const { frame, whole } of vectors) expect(encodeFrame(frame)).toEqual(whole);
    expect(() => encodeFrame({ type: 3, sequence: 0, payload: new Uint8Array(16385) })).toThrow(/16384/);
  });

  it('are found in noise and in any chunks', () => {
    const frames = vectors.map(({ frame }) => frame);
    for (const size of [1, 2, 3, 7, 64, stream.length]) {
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < stream.length; at += size) chunks.push(stream.subarray(at, at + size));
      expect(read(chunks)).toEqual(frames);
    }
  });

  it('are dropped when damaged, and the next one is found', () => {
    const [first, second] = vectors;
    for (let at = 0; at < first!.whole.length; at += 1) {
      const damaged = Uint8Array.from(first!.whole);
      damaged[at]! ^= 0x40;
      const found = read([damaged, second!.whole, new Uint8Array(20000)]);
      expect(found).not.toContainEqual(first!.frame);
      if (at !== 4 && at !== 5) expect(found).toContainEqual(second!.frame);
    }
  });

  it('respond to their request', () => {
    const payload = new Uint8Array();
    expect(isReplyTo({ type: 0x81, sequence: 4, payload }, LINK_TYPES.info, 4)).toBe(true);
    expect(isReplyTo({ type: 0xff, sequence: 4, payload }, LINK_TYPES.info, 4)).toBe(true);
    expect(isReplyTo({ type: 0x81, sequence: 5, payload }, LINK_TYPES.info, 4)).toBe(false);
    expect(isReplyTo({ type: 0x82, sequence: 4, payload }, LINK_TYPES.info, 4)).toBe(false);
  });

  it('compose an image row by row', () => {
    const row = (y: number): LinkFrame => ({
      type: 0x85,
      sequence: 1,
      payload: Uint8Array.from([y, 100, 0xe0, 0x07, 140, y, 0]),
    });
    const rows = Array.from({ length: 240 }, (_, y) => row(y));
    const picture = decodeScreen([...rows, { type: 0x85, sequence: 1, payload: Uint8Array.of(240) }]);
    expect([picture?.[0], picture?.[99], picture?.[100], picture?.[239 * 240 + 239]]).toEqual([0x07e0, 0x07e0, 0, 239]);
    expect(decodeScreen(rows.slice(1))).toBeNull();
    expect(decodeScreen([{ type: 0x85, sequence: 1, payload: Uint8Array.from([0, 241, 0, 0]) }])).toBeNull();
  });
});
