import { expect, test } from 'vitest';
import { rowsWithoutUserEdits, withReadKeys } from './user-edits.ts';

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

test('numbers rows of one reading that have the same name', () => {
  expect(read(['Metformin', 0.1], ['METFORMIN', 0.2], ['Algifor', 0.3]).map((row) => row.read_key)).toEqual([
    'metformin#1',
    'metformin#2',
    'algifor#1',
  ]);
});

test('drops a read row that a user edited or removed, but keeps another one of the same name', () => {
  const rows = read(['Metformin', 0.1], ['Metformin', 0.2], ['Algifor', 0.3]);
  expect(
    rowsWithoutUserEdits('medications', rows, [{ readKey: 'metformin#2', row: medicine('Glucophage', 0.2) }]),
  ).toEqual([rows[0], rows[2]]);
});

test('recognizes an edited row by its place on the page when its name is read differently', () => {
  const rows = read(['Metforrnin', 0.1], ['Algifor', 0.3]);
  expect(
    names(rowsWithoutUserEdits('medications', rows, [{ readKey: 'metformin#1', row: medicine('Metformin', 0.1005) }])),
  ).toEqual(['Algifor']);
  expect(
    names(
      rowsWithoutUserEdits('medications', rows, [
        { readKey: 'metformin#1', row: { ...medicine('Metformin'), evidence: at(0.1, 2) } },
      ]),
    ),
  ).toEqual(['Metforrnin', 'Algifor']);
});

test('drops one read row for each row that a user added under the same name', () => {
  expect(
    names(
      rowsWithoutUserEdits('medications', read(['Algifor', 0.3], ['Algifor', 0.5]), [
        { readKey: null, row: medicine('ALGIFOR') },
      ]),
    ),
  ).toEqual(['Algifor']);
});

test('drops one row, not two, for a row that was removed and restored', () => {
  const rows = read(['Metformin', 0.1], ['Metformin', 0.1]);
  const claim = { readKey: 'metformin#1', row: medicine('Metformin', 0.1) };
  expect(rowsWithoutUserEdits('medications', rows, [claim, claim])).toEqual([rows[1]]);
});
