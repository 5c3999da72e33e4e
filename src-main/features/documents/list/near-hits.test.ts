import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabaseInMemory } from '../../../../test/support/new-database.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { createSynonyms } from '../../../reading/knowledge/synonyms.ts';
import type { Visibility } from './list-query.ts';
import { createListRepository, type ListRepository } from './list-repository.ts';
import { findNearHits } from './near-hits.ts';
import { parseSearch } from './search-query.ts';

const { of: synonyms, words } = createSynonyms();
/** Sees patients 1 and 2; patient 3 belongs to somebody else. */
const VISIBLE: Visibility = { userId: 1, patientIds: [1, 2], isAdmin: false };
const DOCUMENTS: [patient: number, text: string][] = [
  [1, 'MRI right knee: tear of the medial meniscus'],
  [1, 'Kniegelenk rechts: Röntgen unauffällig'],
  [1, 'Arterielle Hypertonie, Blutdruck 150/95'],
  [1, 'High blood pressure, treated'],
  [2, 'Hypertonie seit 2019; Hämoglobin 13,2'],
  [3, 'Hypertonia hypertonei Zabelstein menixcua menixcub menixcuc'],
  [1, 'blood test; pressure ulcer'],
];

let db: Database, list: ListRepository;
beforeAll(() => {
  db = openDatabaseInMemory();
  list = createListRepository(db);
  for (const id of [1, 2, 3])
    db.prepare("INSERT INTO patients (id, slug, display_name, created_at) VALUES (?, ?, 'P', 'x')").run(id, `p-${id}`);
  for (const [index, [patient, text]] of DOCUMENTS.entries()) {
    const id = index + 1;
    db.prepare(
      `INSERT INTO documents (id, patient_id, file_path, original_filename, mime_type, file_size, file_hash, status,
        event_date, created_at, updated_at)
        VALUES (?1, ?2, ?3, 'a.pdf', 'x', 1, ?3, 'done', '2024-01-01', 'x', 'x')`,
    ).run({ 1: id, 2: patient, 3: String(id) });
    db.prepare("INSERT INTO document_texts (id, title, body, people, labels) VALUES (?, '', ?, '', '')").run(id, text);
  }
  return () => db.close();
});

const search = (line: string, asYouType = false): number[] => {
  const query = parseSearch(line, { asYouType, synonyms });
  return query === null ? [] : list.search(VISIBLE, {}, query, { limit: 50, offset: 0 }).hits.map(({ id }) => id);
};
const near = (line: string, patientId?: number) => findNearHits({ list, synonyms, words }, line, patientId, VISIBLE);

describe('a search', () => {
  it('finds the word of another language, after documents with the word itself', () => {
    expect(search('Knie')).toEqual([2, 1]);
    expect(search('knee')).toEqual([1, 2]);
    expect(search('Kniegelenk')).toEqual([2, 1]);
    expect(search('genou').toSorted()).toEqual([1, 2]);
  });

  it('finds a name of several words in another language, and no document that holds only its parts for it', () => {
    expect(search('Blutdruck').toSorted()).toEqual([3, 4]);
    expect(search('blood pressure').toSorted()).toEqual([3, 4, 7]);
    expect(search('"blood pressure"')).toEqual([4]);
  });

  it('combines other names with further words, exclusions and alternatives', () => {
    expect(search('knee Röntgen')).toEqual([2]);
    expect(search('knee -meniscus')).toEqual([2]);
    expect(search('Hypertonie OR knee').toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  it('finds other names only of whole words while the user types', () => {
    expect(search('kne', true)).toEqual([1]);
    expect(search('knee', true).toSorted()).toEqual([1, 2]);
  });
});

describe('near hits', () => {
  it('propose similar words as they are printed, with the number of visible documents', () => {
    expect(near('hypertonei')).toEqual({ near: [{ text: 'Hypertonie', total: 3 }], everyone: 0, near_everyone: [] });
    expect(near('Haemoglobn').near).toEqual([{ text: 'Hämoglobin', total: 1 }]);
    expect(near('Hamoglobn').near).toEqual([{ text: 'Hämoglobin', total: 1 }]);
  });

  it('never propose a word that only documents of other people contain', () => {
    expect(near('Zabelstien').near).toEqual([]);
    // Nearer words of others take no place of a visible one.
    expect(near('menixcux').near).toEqual([{ text: 'meniscus', total: 1 }]);
    expect(near('hypertoniq').near.map(({ text }) => text)).not.toContain('Hypertonia');
  });

  it('replace the unknown words of a line and keep the others', () => {
    expect(near('knee meniscis', 1).near).toEqual([{ text: 'knee meniscus', total: 1 }]);
    expect(near('hypertonei blutdruk', 1).near).toEqual([{ text: 'Hypertonie Blutdruck', total: 2 }]);
  });

  it('propose no line that finds nothing', () => {
    expect(near('hypertonei meniscus').near).toEqual([]);
  });

  it('count the hits of all people if the chosen one has none', () => {
    expect(near('Hämoglobin', 1)).toEqual({ near: [], everyone: 1, near_everyone: [] });
  });

  it('propose what all people have if the chosen one has nothing similar', () => {
    expect(near('meniscis', 2)).toEqual({ near: [], everyone: 0, near_everyone: [{ text: 'meniscus', total: 1 }] });
    expect(near('Zabelstien', 2)).toEqual({ near: [], everyone: 0, near_everyone: [] });
  });

  it('propose words of the knowledge base that the documents have in another language', () => {
    expect(near('ginocciho', 1).near).toEqual([{ text: 'ginocchio', total: 2 }]);
    expect(near('ginocciho', 2)).toEqual({ near: [], everyone: 0, near_everyone: [{ text: 'ginocchio', total: 2 }] });
    expect(near('Ferritni').near).toEqual([]);
  });

  it('propose nothing for short words, prefixes, phrases and empty searches', () => {
    for (const line of ['kne', 'doctor:hypertonei', '"hypertonei"', '-hypertonei', '', '!!'])
      expect(near(line).near).toEqual([]);
  });
});
