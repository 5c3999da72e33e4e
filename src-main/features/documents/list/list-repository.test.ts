import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomFrom } from '../../../../test/fixtures/corpus/random.ts';
import { openDatabaseInMemory } from '../../../../test/support/new-database.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { sortedStatements, type ListFilters } from './list-query.ts';
import { createListRepository, type ListRepository } from './list-repository.ts';

const DOCUMENTS = 2600;
const VISIBLE = { userId: 1, patientIds: [1, 2], isAdmin: false };
interface Row {
  id: number;
  patient: number;
  type: string | null;
  status: string;
  date: string | null;
  created: string;
  tags: string[];
  events: number[];
}

let db: Database, list: ListRepository;
const rows: Row[] = [];
beforeAll(() => {
  const random = randomFrom('lists');
  db = openDatabaseInMemory();
  list = createListRepository(db);
  for (const id of [1, 2, 3])
    db.prepare("INSERT INTO patients (id, slug, display_name, created_at) VALUES (?, ?, 'P', 'x')").run(id, `p-${id}`);
  for (const id of [1, 2])
    db.prepare(
      `INSERT INTO events (id, patient_id, title, slug, event_type, created_at, updated_at)
        VALUES (?, 1, 'E', ?, 'other', 'x', 'x')`,
    ).run(id, `e-${id}`);
  const day = (): string => `20${random.int(10, 25)}-0${random.int(1, 9)}-1${random.int(0, 9)}`;
  db.transaction(() => {
    for (let id = 1; id <= DOCUMENTS; id += 1) {
      const patient = random.int(1, 3);
      const row: Row = {
        id,
        patient,
        type: random.pick(['lab_test', 'invoice', 'other', null]),
        status: random.chance(0.9) ? 'done' : random.pick(['failed', 'needs_review']),
        date: random.chance(0.9) ? day() : null,
        created: day(),
        tags: [...(random.chance(0.9) ? ['often'] : []), ...(random.chance(0.01) ? ['rare'] : [])],
        events: patient === 1 ? [1, 2].filter(() => random.chance(0.1)) : [],
      };
      rows.push(row);
      db.prepare(
        `INSERT INTO documents (id, patient_id, file_path, original_filename, mime_type, file_size, file_hash, status,
          doc_type, event_date, tags, event_id, created_at, updated_at)
          VALUES (?, ?, ?, 'a.pdf', 'x', 1, ?, ?, ?, ?, ?, ?, ?, 'x')`,
      ).run(
        id,
        patient,
        `${id}`,
        `${id}`,
        row.status,
        row.type,
        row.date,
        row.tags.join(',') || null,
        row.events[0] ?? null,
        row.created,
      );
      for (const tag of row.tags) db.prepare('INSERT INTO document_tags (document_id, tag) VALUES (?, ?)').run(id, tag);
      for (const event of row.events)
        db.prepare('INSERT INTO event_documents (event_id, document_id) VALUES (?, ?)').run(event, id);
    }
  });
});
afterAll(() => db.close());

const has = (expected: string[] | undefined, own: readonly (string | number)[]): boolean =>
  expected === undefined ||
  expected.some((one) => (one === '__blank__' ? own.length === 0 : own.map(String).includes(one)));
const passes = (row: Row, { patient_id, status, type, tag, event_id }: ListFilters): boolean =>
  VISIBLE.patientIds.includes(row.patient) &&
  (patient_id === undefined || row.patient === patient_id) &&
  has(status, [row.status]) &&
  has(type, row.type === null ? [] : [row.type]) &&
  has(tag, row.tags) &&
  has(event_id, row.events);

const FILTERS: ListFilters[] = [
  {},
  { status: ['done'] },
  { status: ['done', 'needs_review'] },
  { status: ['failed', 'needs_review'] },
  { type: ['lab_test', '__blank__'] },
  { tag: ['often'] },
  { tag: ['rare'] },
  { tag: ['often', '__blank__'] },
  { tag: ['rare', 'often'] },
  { event_id: ['1'] },
  { event_id: ['1', '2'] },
  { event_id: ['__blank__'] },
  { status: ['done', 'failed'], tag: ['often'], type: ['invoice'] },
  { event_id: ['2'], status: ['done', 'failed'] },
];

it.each(FILTERS.flatMap((filters) => [undefined, 1].map((patient_id) => ({ ...filters, patient_id }))))(
  'returns the pages and totals that a scan of all rows returns: %j',
  (filters) => {
    const expected = rows.filter((row) => passes(row, filters));
    expect(list.count(VISIBLE, filters)).toBe(expected.length);
    for (const sort of ['event_date', 'created_at'] as const)
      for (const order of ['asc', 'desc'] as const) {
        const key = (row: Row): string | null => (sort === 'event_date' ? row.date : row.created);
        const turn = order === 'asc' ? 1 : -1;
        const byKey = (a: Row, b: Row): number => {
          const [x, y] = [key(a), key(b)];
          if (x === y) return x === null ? b.id - a.id : turn * (a.id - b.id);
          if (x === null || y === null) return x === null ? 1 : -1;
          return x < y ? -turn : turn;
        };
        const sorted = expected.toSorted(byKey).map(({ id }) => id);
        for (const offset of [0, 40, Math.max(0, expected.length - 20)])
          expect(list.ids(VISIBLE, filters, { sort, order, limit: 30, offset }), `${sort} ${order} ${offset}`).toEqual(
            sorted.slice(offset, offset + 30),
          );
      }
  },
);

it.each(['asc', 'desc'] as const)('sorts by the name of the patient along an index, %s', (order) => {
  const name = db.prepare('UPDATE patients SET display_name = ? WHERE id = ?');
  name.run('Zoe', 1);
  name.run('Ann', 2);
  db.prepare(
    `INSERT OR IGNORE INTO users (id, username, username_key, display_name, role, created_at)
      VALUES (1, 'ann', 'ann', 'Ann', 'editor', 'x')`,
  ).run();
  const unassigned = db.prepare('UPDATE documents SET patient_id = NULL, uploaded_by_user_id = 1 WHERE id = 7');
  const assign = db.prepare('UPDATE documents SET patient_id = ? WHERE id = 7');
  unassigned.run();
  try {
    const nameOf = (row: Row): string | null =>
      row.id === 7 ? null : ((['Zoe', 'Ann'] as const)[row.patient - 1] ?? '');
    const turn = order === 'asc' ? 1 : -1;
    const compare = (a: string | null, b: string | null): number => {
      if (a === b) return 0;
      // As in SQLite, null is before everything else.
      if (a === null || b === null) return a === null ? -1 : 1;
      return a < b ? -1 : 1;
    };
    const expected = rows
      .filter((row) => row.id === 7 || VISIBLE.patientIds.includes(row.patient))
      .toSorted((a, b) => {
        if (a.id === 7 || b.id === 7) return a.id === 7 ? 1 : -1;
        return turn * (compare(nameOf(a), nameOf(b)) || compare(a.date, b.date) || a.id - b.id);
      })
      .map(({ id }) => id);
    for (const offset of [0, expected.length - 20])
      expect(list.ids(VISIBLE, {}, { sort: 'patient', order, limit: 30, offset })).toEqual(
        expected.slice(offset, offset + 30),
      );
  } finally {
    assign.run(rows[6]?.patient);
  }
  const { valued } = sortedStatements(
    { sort: 'patient', order, limit: 50 },
    { sql: '(+d.patient_id IN (1, 2))', values: [] },
  );
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${valued}`).all(0) as { detail: string }[];
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('USING COVERING INDEX patients_name'),
    expect.stringContaining('USING COVERING INDEX documents_patient_date'),
  ]);
});

it('filters by doctors and facilities, given by id or name', () => {
  const entries = [
    ['doctors', 'doctor_id', 'doctor'],
    ['facilities', 'facility_id', 'facility'],
  ] as const;
  for (const [table, column, filter] of entries) {
    const id = Number(
      db
        .prepare(
          `INSERT INTO ${table} (name, canonical_code, canonical_display, created_at)
            VALUES ('Dr. Regula Frey', 'frey', 'Frey', 'x')`,
        )
        .run().lastInsertRowid,
    );
    const own = rows.filter((row) => VISIBLE.patientIds.includes(row.patient)).slice(0, 3);
    for (const row of own) db.prepare(`UPDATE documents SET ${column} = ? WHERE id = ?`).run(id, row.id);
    for (const value of [String(id), 'Dr. Regula Frey', 'Frey'])
      expect([value, list.count(VISIBLE, { [filter]: [value] })]).toEqual([value, 3]);
    expect(list.count(VISIBLE, { [filter]: ['nobody'] })).toBe(0);
    expect(list.count(VISIBLE, { [filter]: ['Frey', '__blank__'] })).toBe(list.count(VISIBLE, {}));
  }
});

it('counts in facets the documents that the list contains', () => {
  for (const filters of FILTERS) {
    const expected = rows.filter((row) => passes(row, filters));
    const tally = (values: (row: Row) => (string | number | null)[]): Map<string | number | null, number> => {
      const counts = new Map<string | number | null, number>();
      for (const value of expected.flatMap(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
      return counts;
    };
    const facet = (name: Parameters<ListRepository['facet']>[0]) =>
      new Map(list.facet(name, VISIBLE, filters, null, 100).map(({ value, count }) => [value, count]));
    expect(facet('types')).toEqual(tally((row) => [row.type]));
    expect(facet('statuses')).toEqual(tally((row) => [row.status]));
    expect(facet('years')).toEqual(tally((row) => [row.date?.slice(0, 4) ?? null]));
    expect(facet('events')).toEqual(tally((row) => (row.events.length ? row.events : [null])));
    expect(new Map(list.tagFacet(VISIBLE, filters, null, 100).map(({ value, count }) => [value, count]))).toEqual(
      tally((row) => row.tags),
    );
  }
  const counts = list.facet('types', VISIBLE, {}, null, 2).map(({ count }) => count);
  expect([counts.length, counts]).toEqual([2, counts.toSorted((a, b) => b - a)]);
});

it('reads the text index once for all facets of a search, and again after a write', () => {
  const add = db.prepare('INSERT INTO document_texts (id, title, body, english, people, labels) VALUES (?,?,?,?,?,?)');
  const hits = rows.filter(({ id, patient }) => id > 100 && patient !== 3).slice(0, 20);
  for (const { id } of [...hits, rows.find(({ patient }) => patient === 3)!]) add.run(id, '', 'Wert 1.1.1', '', '', '');
  const run: string[] = [];
  const counted = createListRepository({
    ...db,
    prepare: (sql: string) => (run.push(sql), db.prepare(sql)),
  } as unknown as Database);
  const count = (): Map<string | number | null, number> => {
    const match = '"1 1 1"';
    counted.tagFacet(VISIBLE, {}, match, 100);
    for (const name of ['years', 'types', 'doctors', 'facilities', 'specialties', 'events'] as const)
      counted.facet(name, VISIBLE, {}, match, 100);
    return new Map(counted.facet('statuses', VISIBLE, {}, match, 100).map((facet) => [facet.value, facet.count]));
  };
  const expected = new Map<string | number | null, number>();
  for (const { status } of hits) expected.set(status, (expected.get(status) ?? 0) + 1);
  const readings = (): number => run.filter((sql) => sql.includes('documents_fts MATCH')).length;
  expect([count(), readings()]).toEqual([expected, 1]);
  db.prepare("UPDATE document_texts SET body = '' WHERE body = 'Wert 1.1.1'").run();
  expect([count(), readings()]).toEqual([new Map(), 2]);
});

it('returns the same snippets for short and long prefixes of a word', () => {
  const texts = new Map([
    [3, 'Das Ferritin ist tief.'],
    [700, 'Nichts davon.'],
    [1500, 'Der Ferritinwert von heute, das Ferritin von gestern.'],
    [2600, 'ferritinarm essen'],
  ]);
  for (const [id, body] of texts)
    db.prepare('INSERT INTO document_texts (id, title, body, english, people, labels) VALUES (?, ?, ?, ?, ?, ?)').run(
      id,
      `report ${id}`,
      body,
      '',
      '',
      '',
    );
  const ids = [3, 1500, 2600],
    snippetsFor = (word: string) => list.snippets({ match: `"${word}" *` }, ids);
  expect(snippetsFor('ferriti')).toEqual(snippetsFor('ferrit'));
  expect(snippetsFor('ferriti')).toEqual(
    new Map([
      [3, 'Das \uE000Ferritin\uE001 ist tief.'],
      [1500, 'Der \uE000Ferritinwert\uE001 von heute, das \uE000Ferritin\uE001 von gestern.'],
      [2600, '\uE000ferritinarm\uE001 essen'],
    ]),
  );
  expect(list.snippets({ match: '"ferritin" *' }, [1500, 700])).toEqual(
    new Map([[1500, 'Der \uE000Ferritinwert\uE001 von heute, das \uE000Ferritin\uE001 von gestern.']]),
  );
});

it('quotes the words of the document before those that Hearth added for the search', () => {
  const add = db.prepare('INSERT INTO document_texts (id, title, body, english, people, labels) VALUES (?,?,?,?,?,?)');
  add.run(40, 'Specialist report, tetanus', 'Die Impfung gegen Tetanus war 2019.', 'Tetanus vaccination', '', '');
  add.run(41, 'letter', 'Nichts davon.', 'Tetanus vaccination', '', '');
  expect(list.snippets({ match: '"tetanus"' }, [40, 41])).toEqual(
    new Map([
      [40, 'Die Impfung gegen \uE000Tetanus\uE001 war 2019.'],
      [41, '\uE000Tetanus\uE001 vaccination'],
    ]),
  );
});
