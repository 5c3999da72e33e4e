import type { Database } from '../../platform/database/connection.ts';
import type { LabRepository } from './repository.ts';

/** A measurement from a user's own device. */
export interface Measurement {
  name: string;
  value: number;
  unit: string | null;
  /** Civil date. */ date: string;
  /** Whose it is, as the person reads it. */ source: string;
}

/**
 * Measurements of devices among a patient's results: without a document, marked by their source in the panel's name.
 * One that is there already is not added again; the mean of a day that has grown takes the place of the one before,
 * unless a person changed that.
 */
export function createLabMeasurements({
  db,
  repository,
  testOf,
}: {
  db: Database;
  repository: LabRepository;
  testOf(name: string, sample: string | null, unit: string | null): number | null;
}) {
  return {
    add(
      patientId: number,
      measurements: readonly Measurement[],
      kind: 'each' | 'daily',
    ): { added: number; already_there: number } {
      return db.transaction(() => {
        let added = 0,
          known = 0;
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
          if (!tests.has(name)) tests.set(name, testOf(name, null, unit));
          repository.insert({
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
          added += 1;
        }
        return { added, already_there: known };
      });
    },
  };
}
