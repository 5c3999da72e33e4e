import { expect, it } from 'vitest';
import { confusionOf } from '../bench/reading-confusion.ts';

it('counts the types that were read in place of others by language', () => {
  const truths = new Map([
    ['a', { doc_type: 'invoice', language: 'de' }],
    ['b', { doc_type: 'invoice', language: 'de' }],
    ['c', { doc_type: 'lab_test', language: 'fr' }],
    ['d', { doc_type: 'invoice', language: 'fr' }],
  ]);
  const read = new Map([
    ['a', 'invoice'],
    ['b', 'other'],
    ['c', 'lab_test'],
  ]);
  expect(confusionOf(truths, read).split('\n')).toEqual([
    '          de             fr',
    'invoice   1/2 (1 other)  0/1 (1 nothing)',
    'lab_test                 1/1',
  ]);
});
