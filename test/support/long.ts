/**
 * The options of a test that `npm test` leaves out; a file has `@module-tag long` in its first comment instead. Vitest
 * writes `concurrent` into the options it gets, and files of one worker share this object: so it is frozen, and a
 * concurrent test takes a copy. Otherwise the long tests of every later file would run side by side, on one page.
 */
export const LONG = Object.freeze({ tags: ['long' as const] });
