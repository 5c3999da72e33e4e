import type { ReaderTrial, TrialField } from '../../../../src-shared/contract/reader-trials.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { orNotFound } from '../../../platform/kernel/or-not-found.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Extraction } from '../../../reading/extraction/extraction.ts';
import { fold } from '../../../reading/extraction/fold.ts';
import type { DocumentStore } from '../../../reading/pipeline/ports.ts';
import { errorOf, type ReaderProvider } from '../../../reading/providers/provider.ts';
import { storedRows, type StoredRow } from './reader-trial-repository.ts';

export interface ReaderTrialDeps {
  db: Database;
  clock: Clock;
  store: Pick<DocumentStore, 'load' | 'loadPages'>;
}

/** Somebody waits; longer files are tried with their beginning. */
const MAX_PAGES = 20;

/** A value with the name by which two readings are compared. */
type Values = Map<string, string | null>;

const DETAILS = [
  'doc_type',
  'event_date',
  'issued_date',
  'doctor_name',
  'facility_name',
  'specialty_original',
] as const;

/**
 * Reads the stored text of a document with a reader, and compares each value with what is stored. Nothing is changed.
 * @throws `document.not_found`
 */
export async function tryReader(
  deps: ReaderTrialDeps,
  id: number,
  reader: ReaderProvider,
  signal: AbortSignal,
): Promise<ReaderTrial> {
  const { clock, store } = deps;
  const document = orNotFound(store.load(id) ?? undefined, 'document.not_found');
  const pages = (await store.loadPages(id)).slice(0, MAX_PAGES);
  const startedAt = clock.now();
  const read = await reader.extract(pages, document.context, { signal });
  const common = { document_id: id, original_filename: document.original_filename };
  const took_ms = Math.round(clock.now() - startedAt);
  if (!read.ok) return { ...common, took_ms, failure: errorOf(read), fields: [], same: 0 };
  const fields = compare(storedValues(deps, id), readValues(read.value));
  return { ...common, took_ms, failure: null, fields, same: fields.filter(({ is_same }) => is_same).length };
}

function compare(stored: Values, found: Values): TrialField[] {
  return [...new Set([...stored.keys(), ...found.keys()])].map((key) => {
    const [kind = '', name = ''] = key.split('\t');
    const [before, now] = [stored.get(key) ?? null, found.get(key) ?? null];
    const is_same = stored.has(key) === found.has(key) && fold(before ?? '') === fold(now ?? '');
    return { kind: kind as TrialField['kind'], name, stored: before, found: now, is_same };
  });
}

const words = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(' ');

/** Rows by their names; equal names are counted, as tables have them. */
function rowsInto(values: Values, kind: TrialField['kind'], rows: readonly (readonly [string | null, string])[]): void {
  const counts = new Map<string, number>();
  for (const [name, value] of rows) {
    const key = fold(name ?? '');
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    values.set(`${kind}\t${name ?? ''}${count > 1 ? ` (${count})` : ''}`, value);
  }
}

function storedValues({ db }: ReaderTrialDeps, id: number): Values {
  const { details, encounters, ...rows } = storedRows(db, id);
  const diagnoses = encounters.filter(({ diagnosis_original: text }) => text !== null);
  return valuesOf(details, { ...rows, diagnoses });
}

function readValues(read: Extraction): Values {
  const { lab_results, medications, vaccinations, diagnoses } = read;
  const details = Object.fromEntries(DETAILS.map((field) => [field, read[field]?.value ?? null]));
  const rows = { lab_results, medications, vaccinations, diagnoses };
  return valuesOf(details, rows as unknown as Record<keyof typeof rows, StoredRow[]>);
}

function valuesOf(
  details: StoredRow,
  { lab_results, medications, vaccinations, diagnoses }: Record<Exclude<TrialField['kind'], 'details'>, StoredRow[]>,
): Values {
  const values: Values = new Map(
    DETAILS.flatMap((field) => (details[field] ? [[`details\t${field}`, details[field]] as const] : [])),
  );
  rowsInto(
    values,
    'lab_results',
    lab_results.map((row) => [row['test_name_original'] ?? null, words(row['value_text'], row['unit'])]),
  );
  rowsInto(
    values,
    'medications',
    medications.map((row) => [
      row['brand_name'] ?? row['active_ingredient_original'] ?? null,
      words(row['dosage'], row['frequency'], row['duration']),
    ]),
  );
  rowsInto(
    values,
    'vaccinations',
    vaccinations.map((row) => [row['vaccine_name'] ?? null, words(row['date_administered'], row['lot_number'])]),
  );
  rowsInto(
    values,
    'diagnoses',
    diagnoses.map((row) => [row['diagnosis_original'] ?? null, words(row['diagnosis_code'])]),
  );
  return values;
}
