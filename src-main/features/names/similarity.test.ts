import { describe, expect, it } from 'vitest';
import { blocksOf, compareSpellings, isOneSlip, mayBeMisread } from './similarity.ts';

describe('one slip of letters', () => {
  it.each([
    ['haus', 'maus', true],
    ['haus', 'hans', true],
    ['haus', 'haut', true],
    ['haus', 'hau', true],
    ['aa', 'aaa', true],
    ['ab', 'ba', true],
    ['abcd', 'acbd', true],
    ['xabcx', 'xbacx', true],
    ['abc', 'abc', false],
    ['abc', 'abcde', false],
    ['abcd', 'badc', false],
    ['abcd', 'abxy', false],
    ['abcd', 'axcy', false],
    ['abcd', 'axyd', false],
    ['abcd', 'axbd', false],
    ['abcd', 'acxd', false],
    ['abcd', 'axd', false],
    ['bac', 'abd', false],
  ])('between %s and %s: %s', (a, b, expected) => {
    expect([isOneSlip(a, b), isOneSlip(b, a)]).toEqual([expected, expected]);
  });
});

describe('the spellings of two names', () => {
  it.each([
    ['neurologie', 'neurologie', null],
    ['neurologie', 'neurologia', 'sure'],
    ['klinik neurologie', 'klinik neurologia', 'sure'],
    ['abcdefgh', 'abcdefgi', 'sure'],
    ['abcdefg', 'abcdefgh', 'likely'],
    ['abcde', 'abcdx', 'likely'],
    ['abcd', 'abcde', null],
    ['abcdefghi', 'abcdefgh i', null],
    ['kardiologie ambulanz', 'kardiologia ambulant', null],
    ['vitamin1', 'vitamin2', null],
    ['igg', 'igm', null],
  ] as const)('%s and %s are compared as %s', (a, b, expected) => {
    expect([compareSpellings(a, b), compareSpellings(b, a)]).toEqual([expected, expected]);
  });
});

describe('a short name', () => {
  it.each([
    ['mt4', 'ft4', true],
    ['hba1lc', 'hba1c', true],
    ['t s h', 'tsn', true],
    ['ft3', 'ft4', false],
    ['ft4', 'ft4', false],
    ['ft', 'ff', false],
    ['crp', 'crpx2', false],
    ['hba1c', 'hba12c', false],
  ])('%s may be %s misread: %s', (a, b, expected) => {
    expect([mayBeMisread(a, b), mayBeMisread(b, a)]).toEqual([expected, expected]);
  });
});

describe('the blocks of a spelling', () => {
  it.each([
    ['abc', ['ab', '…bc']],
    ['abcde', ['ab', '…de']],
    ['abcdef', ['ab', '…ef', 'abc', '…def']],
    ['abcdefg', ['abc', '…efg']],
  ])('of %s are its start and its end', (key, blocks) => expect(blocksOf(key)).toEqual(blocks));
});
