import type { Client } from './client.ts';
import type { Household } from './household.ts';

interface PrintedResult {
  value?: number | null;
  value_text?: string | null;
  unit?: string | null;
  test_date?: string | null;
  document_id?: number | null;
  patient_id?: number | null;
  [column: string]: unknown;
}

/** Writes laboratory results and related rows straight into the database, and reads series of them as the owner. */
export function labRecords(house: Household, owner: Client) {
  const insert = (table: string, values: Record<string, unknown>): number => {
    const columns = Object.keys(values);
    return Number(
      house.db
        .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
        .run(...Object.values(values)).lastInsertRowid,
    );
  };
  return {
    insert,
    /** Makes a separate patient for tests that count. */
    freshPatient(): number {
      const id = house.make.patient();
      house.make.use(id);
      return id;
    },
    result: (test_name_original: string, printed: PrintedResult, patient: number): number =>
      insert('lab_results', {
        document_id: house.make.document({ patient }),
        patient_id: patient,
        test_name_original,
        value_text: printed.value === undefined || printed.value === null ? null : String(printed.value),
        test_date: '2025-11-12',
        ...printed,
      }),
    series: (patient: number, test: string, unit?: string) => {
      const query = new URLSearchParams({ patient_id: String(patient), test, ...(unit && { unit }) });
      return owner.get(`/api/lab-results/series?${query}`);
    },
    summary: async (patient: number) => (await owner.get(`/api/lab-results/summary?patient_id=${patient}`)).body,
    names: (body: { items: { test_name_original: string }[] }): string[] =>
      body.items.map((item) => item.test_name_original),
  };
}
