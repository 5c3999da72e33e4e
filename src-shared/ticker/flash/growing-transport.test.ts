import { expect, it } from 'vitest';
import { GrowingTransport } from './growing-transport.ts';

const createTransport = (): GrowingTransport =>
  new GrowingTransport({} as unknown as ConstructorParameters<typeof GrowingTransport>[0]);

it('joins a packet byte by byte in a few buffers, not in one for each byte', () => {
  const transport = createTransport();
  const buffers = new Set<ArrayBufferLike>();
  let packet: Uint8Array = new Uint8Array(0);
  for (let n = 0; n < 4096; n += 1) {
    packet = transport.appendArray(packet, Uint8Array.of(n % 251));
    buffers.add(packet.buffer);
  }
  expect(packet).toEqual(Uint8Array.from({ length: 4096 }, (_, n) => n % 251));
  expect(buffers.size).toBeLessThan(8);
});

it('keeps every result as it was returned, also when the same bytes are continued in two ways', () => {
  const transport = createTransport();
  const start = transport.appendArray(new Uint8Array(0), Uint8Array.of(1, 2));
  const one = transport.appendArray(start, Uint8Array.of(3));
  const other = transport.appendArray(start, Uint8Array.of(4));
  const longer = transport.appendArray(one, Uint8Array.of(5));
  const middle = transport.appendArray(longer.subarray(1, 3), Uint8Array.of(6));
  const both = [start, one, other, longer, middle].map((bytes) => [...bytes]);
  expect(both).toEqual([
    [1, 2],
    [1, 2, 3],
    [1, 2, 4],
    [1, 2, 3, 5],
    [2, 3, 6],
  ]);
});

it('never writes into bytes that it was given', () => {
  const given = new Uint8Array(10).fill(7);
  expect([...createTransport().appendArray(given.subarray(0, 2), Uint8Array.of(1))]).toEqual([7, 7, 1]);
  expect([...given]).toEqual(Array(10).fill(7));
});
