/** The options of a test that `npm test` leaves out; a file has `@module-tag long` in its first comment instead. */
export const LONG = { tags: ['long' as const] };
