import { it } from 'vitest';

/**
 * The size of a proof: `usual` in `npm test`, `deep` in `npm run test:deep`. vitest.config.ts finds the
 * files that import this one.
 */
export const inDepth = <T>(usual: T, deep: T): T => (process.env['HEARTH_DEEP'] === '1' ? deep : usual);

/** Registers a proof that takes long, in `npm run test:deep` only. */
export function itInDepth(name: string, run: () => Promise<void>): void {
  if (inDepth(false, true)) it(name, run);
}
