import type { Measurement } from '../../../src-shared/ios-backup/artifacts/measurements.ts';
import { isHealthFile } from './health-plan.ts';
import { readHealthRecords, type HealthRecord } from './health-records.ts';
import type { RunDeps } from './ports.ts';
import type { ImportRow, ItemRow } from './repository.ts';
import type { Source } from './source.ts';

/** Values that are added in one transaction. */
const BATCH = 500;

interface Sum {
  total: number;
  values: number;
  unit: string | null;
}

/** `body_mass` as `Body mass`, the name that values of a phone backup have, too. */
const nameOf = (type: string): string => (type.charAt(0).toUpperCase() + type.slice(1)).replaceAll('_', ' ');
const sourceOf = (name: string): string => `${name || 'Health'} (Apple Health)`;

/**
 * Adds the measurements of an export to the trends in one pass over its file. What is there already stays, so that a
 * second pass after an interruption adds only the rest.
 */
export async function storeMeasurements(
  deps: RunDeps,
  row: ImportRow,
  source: Source,
  items: readonly ItemRow[],
  signal: AbortSignal,
): Promise<void> {
  if (items.length === 0) return;
  const byType = new Map(items.map((item) => [item.member, { item, ids: [...item.result_ids] }]));
  const days = new Map<string, Map<string, Sum>>(items.map(({ member }) => [member, new Map()]));
  const pending = new Map<string, Measurement[]>(items.map(({ member }) => [member, []]));
  const flush = (type: string, kind: 'each' | 'daily'): void => {
    const values = pending.get(type) ?? [];
    const of = byType.get(type);
    if (of) addValues(deps, row, of, values.splice(0), kind);
  };
  const take = (record: HealthRecord): void => {
    const of = byType.get(record.type);
    if (!of) return;
    if (of.item.details.daily) return addToDay(days.get(record.type), record);
    const list = pending.get(record.type) ?? [];
    list.push({ ...record, date: record.day });
    if (list.length >= BATCH) flush(record.type, 'each');
  };
  await source.read(async (member) => {
    if (!(await isHealthFile(member))) return true;
    const reader = { record: take, other: () => undefined, clinical: () => undefined };
    await readHealthRecords(member, reader, signal);
    return true;
  });
  for (const [type, { item }] of byType) {
    const means = [...(days.get(type) ?? [])].map(([key, sum]) => meanOf(type, key, sum));
    for (let start = 0; start < means.length; start += BATCH) {
      pending.set(type, means.slice(start, start + BATCH));
      flush(type, 'daily');
    }
    flush(type, 'each');
    deps.repository.setItem(item.id, { status: 'stored' });
  }
}

/** Values and the list of those that the import added change together. */
function addValues(
  { repository, transaction, addMeasurements }: RunDeps,
  { patient_id: patientId }: ImportRow,
  of: { item: ItemRow; ids: number[] },
  values: readonly Measurement[],
  kind: 'each' | 'daily',
): void {
  if (values.length === 0) return;
  transaction(() => {
    const results = values.map(({ type, value, unit, date, source }) => ({
      ...{ value, unit, date },
      name: nameOf(type),
      source: sourceOf(source ?? ''),
    }));
    of.ids.push(...addMeasurements(patientId, results, kind).ids);
    repository.setItem(of.item.id, { result_ids: of.ids });
  });
}

function addToDay(days: Map<string, Sum> | undefined, { day, source, value, unit }: HealthRecord): void {
  const key = `${day} ${source}`;
  const sum = days?.get(key);
  if (sum) {
    sum.total += value;
    sum.values += 1;
  } else days?.set(key, { total: value, values: 1, unit });
}

const meanOf = (type: string, key: string, { total, values, unit }: Sum): Measurement => ({
  ...{ type, unit },
  value: Math.round((total / values) * 1000) / 1000,
  date: key.slice(0, 10),
  source: key.slice(11),
});
