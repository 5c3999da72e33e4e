import { describe, expect, it } from 'vitest';
import { Message, ProtobufError } from './protobuf.ts';

const message = (...bytes: number[]): Message => new Message(Uint8Array.from(bytes));
const text = (value: string): number[] => [...new TextEncoder().encode(value)];
const repeat = (count: number, byte: number): number[] => Array.from({ length: count }, () => byte);

/** Checks that bytes are not a message, and why. */
function expectError(bytes: readonly number[], reason: string): void {
  expect(() => message(...bytes)).toThrow(new ProtobufError(reason));
}

describe('a number of a message', () => {
  it.each<[number[], number]>([
    [[0x00], 0],
    [[0x7f], 127],
    [[0x80, 0x01], 128],
    [[0x96, 0x01], 150],
    [[0xff, 0xff, 0xff, 0xff, 0x0f], 2 ** 32 - 1],
    [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f], 2 ** 53 - 1],
    [[0x80, 0x00], 0],
    [[...repeat(9, 0x80), 0x01], 2 ** 63],
  ])('%j is %d', (bytes, expected) => {
    expect(message(0x08, ...bytes).number(1)).toBe(expected);
  });

  it('has at most ten bytes', () => {
    expectError([0x08, ...repeat(10, 0x80), 0x01], 'a number does not end');
    expectError([...repeat(10, 0x80), 0x01], 'a number does not end');
  });

  it('is rejected if the message ends within it', () => {
    for (const bytes of [[0x80], [0x08], [0x08, 0x80], [0x12], [0x12, 0x80]]) expectError(bytes, 'a number ends early');
  });
});

describe('a field of a message', () => {
  it('has eight, four or a stated number of bytes', () => {
    const whole = message(0x09, ...repeat(8, 1), 0x15, ...repeat(4, 2), 0x1a, 3, 7, 8, 9, 0x22, 0);
    expect([whole.bytes(1), whole.bytes(2), whole.bytes(3), whole.bytes(4)]).toEqual([
      new Uint8Array(repeat(8, 1)),
      new Uint8Array(repeat(4, 2)),
      new Uint8Array([7, 8, 9]),
      new Uint8Array(),
    ]);
  });

  it.each<[string, number[]]>([
    ['eight', [0x09, ...repeat(7, 1)]],
    ['four', [0x0d, ...repeat(3, 1)]],
    ['the stated', [0x0a, 3, 1, 2]],
    ['2^63', [0x0a, ...repeat(9, 0x80), 0x01, 1]],
  ])('is rejected if it has fewer than %s bytes', (_, bytes) => {
    expectError(bytes, 'a field exceeds its message');
  });

  it.each([3, 4, 6, 7])('is rejected with the wire type %i', (wire) => {
    expectError([0x08 | wire, ...repeat(8, 0)], 'an unknown wire type');
  });

  it('has a number from 1 to 2^29 - 1', () => {
    expectError([0x00, 0x00], 'an invalid field number');
    expectError([0x80, 0x80, 0x80, 0x80, 0x10, 0x00], 'an invalid field number');
    expect(message(0xf8, 0xff, 0xff, 0xff, 0x0f, 0x05).number(536_870_911)).toBe(5);
  });
});

describe('the fields of a message', () => {
  const whole = message(
    ...[0x08, 1, 0x08, 2],
    ...[0x12, 1, 0x61, 0x12, 2, ...text('ü')],
    ...[0x1a, 2, 0x08, 5, 0x18, 9, 0x1a, 2, 0x08, 6],
  );

  it('have the last of their values', () => {
    expect([whole.number(1), whole.text(2), whole.message(3)?.number(1)]).toEqual([2, 'ü', 6]);
    expect(whole.bytes(2)).toEqual(new Uint8Array(text('ü')));
  });

  it('have all of their bytes and messages, but no numbers among them', () => {
    expect(whole.allBytes(2)).toEqual([new Uint8Array([0x61]), new Uint8Array(text('ü'))]);
    expect(whole.allBytes(3)).toHaveLength(2);
    expect(whole.all(3).map((part) => part.number(1))).toEqual([5, 6]);
    expect(whole.allBytes(1)).toEqual([]);
  });

  it('are null or empty if they are missing or have another type', () => {
    for (const field of [1, 4])
      expect([whole.bytes(field), whole.text(field), whole.message(field)]).toEqual([null, null, null]);
    for (const field of [2, 4]) expect(whole.number(field)).toBeNull();
    expect([whole.allBytes(4), whole.all(4), whole.all(1)]).toEqual([[], [], []]);
  });

  it('may be none', () => {
    expect(message().number(1)).toBeNull();
  });

  it('are read as messages only on request', () => {
    const odd = message(0x0a, 1, 0xff);
    expect(odd.bytes(1)).toEqual(new Uint8Array([0xff]));
    expect(() => odd.message(1)).toThrow(new ProtobufError('a number ends early'));
    expect(() => odd.all(1)).toThrow(ProtobufError);
  });
});
