import type { Database } from '../../platform/database/connection.ts';
import type { Home } from '../names/service.ts';
import type { LabRepository } from './repository.ts';

/** A measurement from a user's own device. */
export interface Measurement {
  name: string;
  value: number;
  unit: string | null;
  /** Civil date. */
  date: string;
  /** The app, and in brackets the device or export that it came from, as shown to users: `Withings (iPhone)`. */
  source: string;
}

interface MeasurementDeps {
  db: Database;
  repository: LabRepository;
  testOf(home: Home, name: string, sample: string | null, unit: string | null): number | null;
}

/** Adds measurements of devices to a patient's results, without a document and with their source as the panel name. */
export function createLabMeasurements(deps: MeasurementDeps) {
  return {
    add: (patientId: number, measurements: readonly Measurement[], kind: 'each' | 'daily') =>
      deps.db.transaction(() => addMeasurements(deps, patientId, measurements, kind)),
    /** Removes measurements that were added, unless a user changed them. */
    remove: (ids: readonly number[]): void => deps.db.transaction(() => deps.repository.removeUnedited(ids)),
  };
}

/**
 * Adds new measurements. A daily mean replaces the earlier mean of the same day, unless a user changed it. A value that
 * the same app gave by another way is there already.
 */
function addMeasurements(
  { repository, testOf }: MeasurementDeps,
  patientId: number,
  measurements: readonly Measurement[],
  kind: 'each' | 'daily',
): { added: number; already_there: number; ids: number[] } {
  const ids: number[] = [];
  let known = 0;
  const tests = new Map<string, number | null>();
  for (const { name, value, unit, date, source } of measurements) {
    const before = repository.measurement(patientId, {
      name,
      panel: source,
      date,
      value: kind === 'each' ? value : null,
    });
    if (before) {
      known += 1;
      if (before.value !== value && before.edited_fields === null)
        repository.update(before.id, { value, value_text: String(value) });
      continue;
    }
    if (repository.hasMeasurement(patientId, { name, app: appOf(source), date, value, unit })) {
      known += 1;
      continue;
    }
    if (!tests.has(name)) tests.set(name, testOf({ patientId, uploaderId: null }, name, null, unit));
    const id = repository.insert({
      patient_id: patientId,
      document_id: null,
      test_name_original: name,
      norm_lab_test_id: tests.get(name) ?? null,
      value,
      value_text: String(value),
      unit,
      panel_name: source,
      test_date: date,
      edited_fields: null,
      read_key: null,
    });
    ids.push(id);
  }
  return { added: ids.length, already_there: known, ids };
}

/** `Withings (iPhone)` is of the app `Withings`. */
const appOf = (source: string): string => source.replace(/ \([^()]*\)$/, '');
