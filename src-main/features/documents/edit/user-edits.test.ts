import { expect, test } from 'vitest';
import { unclaimedRows, withReadKeys } from './user-edits.ts';

const at = (y: number, page = 1) => ({
  page,
  bbox: [0.1, y, 0.3, 0.02] as [number, number, number, number],
  confidence: 1,
});
const medicine = (brand_name: string, y: number | null = null) => ({
  brand_name,
  active_ingredient_original: null,
  evidence: y === null ? null : at(y),
});
const read = (...names: [string, number | null][]) =>
  withReadKeys(
    'medications',
    names.map(([name, y]) => medicine(name, y)),
  );
const names = (rows: { brand_name: string }[]) => rows.map((row) => row.brand_name);

test('rows of one name are told apart by their turn', () => {
  expect(read(['Metformin', 0.1], ['METFORMIN', 0.2], ['Algifor', 0.3]).map((row) => row.read_key)).toEqual([
    'metformin#1',
    'metformin#2',
    'algifor#1',
  ]);
});

test('a row that a person edited or removed does not come again, its namesake does', () => {
  const rows = read(['Metformin', 0.1], ['Metformin', 0.2], ['Algifor', 0.3]);
  expect(unclaimedRows('medications', rows, [{ readKey: 'metformin#2', row: medicine('Glucophage', 0.2) }])).toEqual([
    rows[0],
    rows[2],
  ]);
});

test('a name that is read otherwise the second time is known by its place', () => {
  const rows = read(['Metforrnin', 0.1], ['Algifor', 0.3]);
  expect(
    names(unclaimedRows('medications', rows, [{ readKey: 'metformin#1', row: medicine('Metformin', 0.1005) }])),
  ).toEqual(['Algifor']);
  expect(
    names(
      unclaimedRows('medications', rows, [
        { readKey: 'metformin#1', row: { ...medicine('Metformin'), evidence: at(0.1, 2) } },
      ]),
    ),
  ).toEqual(['Metforrnin', 'Algifor']);
});

test('a row added by hand takes one that is found later under the same name', () => {
  expect(
    names(
      unclaimedRows('medications', read(['Algifor', 0.3], ['Algifor', 0.5]), [
        { readKey: null, row: medicine('ALGIFOR') },
      ]),
    ),
  ).toEqual(['Algifor']);
});

test('a row that was removed and put back claims one row, not two', () => {
  const rows = read(['Metformin', 0.1], ['Metformin', 0.1]);
  const claim = { readKey: 'metformin#1', row: medicine('Metformin', 0.1) };
  expect(unclaimedRows('medications', rows, [claim, claim])).toEqual([rows[1]]);
});
