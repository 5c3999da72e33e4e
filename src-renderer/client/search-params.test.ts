import { expect, test } from 'vitest';
import { pickListSearch } from './document-list.ts';
import { isDay, isId, pickSearch } from './search-params.ts';
import { pickStudySearch } from './study-search.ts';

test('only named parameters with a text are taken', () => {
  expect(pickSearch({ q: 'iron', tag: '', other: 'x', page: 2 }, ['q', 'tag', 'page'])).toStrictEqual({ q: 'iron' });
});

test('a refused value is undefined, so that it hides the one of the address', () => {
  const address = { patient: 'zzz', q: 'iron' };
  expect({ ...address, ...pickSearch(address, ['patient', 'q'], { patient: isId }) }).toStrictEqual({
    patient: undefined,
    q: 'iron',
  });
});

test.each(['2024-02-29', '1899-12-31'])('%s is a day', (day) => expect(isDay(day)).toBe(true));
test.each(['2023-02-29', '2024-13-01', '2024-1-1', 'zzz', '20240101', '2024-01-01T00:00', ''])('%j is not', (text) =>
  expect(isDay(text)).toBe(false),
);

test.each(['1', '999999999999999'])('%s is an id', (id) => expect(isId(id)).toBe(true));
test.each(['0', '-1', '1.5', '01', 'zzz', '9999999999999999', '1,2', ''])('%j is not', (text) =>
  expect(isId(text)).toBe(false),
);

test('the list of documents ignores words that the API refuses, and keeps the others', () => {
  const good = { patient: '1', date_from: '2024-01-01', sort: 'doctor', order: 'asc', status: 'done', tag: 'knee' };
  expect(pickListSearch(good)).toStrictEqual(good);
  const bad = { patient: '-1', date_from: 'zzz', date_to: '2024-02-31', sort: 'foo', order: 'up', preview: 'x' };
  expect(Object.values(pickListSearch(bad))).toStrictEqual(Object.keys(bad).map(() => undefined));
});

test('so does Imaging', () => {
  const good = { patient: '1', modality: 'MR', report_status: 'attached', sort: 'body_part', order: 'desc', q: 'knee' };
  expect(pickStudySearch(good)).toStrictEqual(good);
  const bad = { patient: 'x', modality: 'x'.repeat(17), report_status: 'zzz', sort: 'foo', date_to: '1' };
  expect(Object.values(pickStudySearch(bad))).toStrictEqual(Object.keys(bad).map(() => undefined));
});
