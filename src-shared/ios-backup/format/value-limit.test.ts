import { expect, it } from 'vitest';
import { bigEndian, rawPlist } from '../../../test/fixtures/ios-backup/raw-plist.ts';
import { BinaryPlist } from './binary-plist.ts';
import { MAX_VALUES } from './plist-value.ts';
import { readXmlPlist } from './xml-plist.ts';

const TOO_MANY = expect.objectContaining({
  code: 'damaged_plist',
  params: { reason: 'the property list has too many values' },
});

it('a binary plist may have as many values as the limit, and no more', () => {
  /** A list that refers to the value after it so many times. */
  const read = (length: number): unknown => {
    const references = Array.from({ length }, () => 1);
    const list = [0xaf, 0x12, ...bigEndian(length, 4), ...references];
    return new BinaryPlist(rawPlist([list, [0x09]], { refSize: 1, offsetSize: 4 })).value();
  };
  // The list, its members, and the one value that they all are.
  expect(read(MAX_VALUES - 2)).toHaveLength(MAX_VALUES - 2);
  expect(() => read(MAX_VALUES - 1)).toThrow(TOO_MANY);
});

it('an XML plist may have as many values as the limit, and no more', () => {
  const read = (length: number): unknown =>
    readXmlPlist(Buffer.from(`<plist><array>${'<true/>'.repeat(length)}</array></plist>`));
  expect(read(MAX_VALUES - 1)).toHaveLength(MAX_VALUES - 1);
  expect(() => read(MAX_VALUES)).toThrow(TOO_MANY);
});
