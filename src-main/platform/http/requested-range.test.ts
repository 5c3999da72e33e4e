import { describe, expect, it } from 'vitest';
import { requestedRange } from './requested-range.ts';

const bytes = (start: number, end: number) => ({ start, end });

describe('a Range header', () => {
  it.each([
    ['bytes=0-0', bytes(0, 1)],
    ['bytes=0-', bytes(0, 100)],
    ['bytes=99-99', bytes(99, 100)],
    ['bytes=5-99999', bytes(5, 100)],
    ['bytes=-1', bytes(99, 100)],
    ['bytes=-100', bytes(0, 100)],
    ['bytes=-5000', bytes(0, 100)],
    ['Bytes= 3-4 ', bytes(3, 5)],
    [`bytes=1-${'9'.repeat(40)}`, bytes(1, 100)],
    ['bytes=0-1,200-', bytes(0, 2)],
    ['bytes=,7-8', bytes(7, 9)],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    [`bytes=${'9'.repeat(40)}-`, 'unsatisfiable'],
    ['bytes=100-,200-', 'unsatisfiable'],
    [undefined, 'whole'],
    ['', 'whole'],
    ['bytes', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=5-2', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=--5', 'whole'],
    ['bytes=1-2-3', 'whole'],
    ['lines=1-2', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['bytes=0x1-2', 'whole'],
  ])('%s of 100 bytes', (header, wanted) => {
    expect(requestedRange(header, 100)).toEqual(wanted);
  });

  it('supports files of more than 4 GB, and is unsatisfiable for an empty file except for its end', () => {
    expect(requestedRange('bytes=4294967295-4294967297', 6_000_000_000)).toEqual(bytes(4_294_967_295, 4_294_967_298));
    expect(requestedRange('bytes=-3', 6_000_000_000)).toEqual(bytes(5_999_999_997, 6_000_000_000));
    expect(['bytes=0-', 'bytes=0-0', 'bytes=-1', 'bytes=-0'].map((header) => requestedRange(header, 0))).toEqual([
      'unsatisfiable',
      'unsatisfiable',
      'whole',
      'unsatisfiable',
    ]);
  });
});
