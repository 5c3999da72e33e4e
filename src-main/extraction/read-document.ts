import type { ReadDocument } from './extraction.ts';
export const readDocument: ReadDocument = () => { throw new Error('not yet'); };
