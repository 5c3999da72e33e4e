import { describe, expect, it } from 'vitest';
import { blocksOf, compareSpellings, isOneSlip } from './similarity.ts';

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

describe('the blocks of a spelling', () => {
  it.each([
    ['abc', ['ab', '…bc']],
    ['abcde', ['ab', '…de']],
    ['abcdef', ['abc', '…def']],
    ['abcdefg', ['abc', '…efg']],
  ])('of %s are its start and its end', (key, blocks) => expect(blocksOf(key)).toEqual(blocks));
});
