/**
 * The size of a proof: `usual` in `npm test`, `deep` in `npm run test:deep`. Such files are listed in vitest.config.ts.
 */
export const inDepth = <T>(usual: T, deep: T): T => (process.env['HEARTH_DEEP'] === '1' ? deep : usual);
