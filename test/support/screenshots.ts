import { fileURLToPath } from 'node:url';

/**
 * Folder for screenshots of browser tests, outside of git. `npm run screenshots` copies those that a page of docs
 * shows.
 */
export const SCREENSHOTS = fileURLToPath(new URL('../../test-results/screenshots/', import.meta.url));
