import { expect, it } from 'vitest';
import { readingPage } from './reading-page.ts';

it('names the page that is read, and none before the first one', () => {
  expect(readingPage({ page_current: 2, page_total: 3 })).toEqual({ page: 2, pages: 3 });
  expect(readingPage({ page_current: 0, page_total: 3 })).toBeNull();
  expect(readingPage({ page_current: null, page_total: 3 })).toBeNull();
  expect(readingPage({ page_current: 1, page_total: null })).toBeNull();
});
