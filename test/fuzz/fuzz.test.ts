/** @module-tag long */
import { expect, it } from 'vitest';
import { mutated } from './mutate.ts';
import { fuzz } from './run.ts';
import { TARGETS } from './targets.ts';

/** The full count is `npm run fuzz:backups`. */
const INPUTS = 300;

it.each(TARGETS.map(({ name }) => name))('survives broken input: %s', async (name) => {
  expect(await fuzz(name, INPUTS)).toMatchObject({ failure: null, inputs: INPUTS });
});

it('the fuzzer generates the same input for the same seed', () => {
  const seeds = [new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8])];
  expect(mutated(seeds, 7)).toEqual(mutated(seeds, 7));
  expect(
    new Set(Array.from({ length: 100 }, (_, i) => Buffer.from(mutated(seeds, i)).toString('hex'))).size,
  ).toBeGreaterThan(80);
});
