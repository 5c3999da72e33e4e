import type { Database } from '../../src-main/platform/database/connection.ts';

export const ACCOUNTS = {
  viewer: 'editor',
  reader: 'viewer',
  owner: 'editor',
  other: 'editor',
  editor: 'editor',
  admin: 'admin',
  keeper: 'admin',
} as const;

export type Account = keyof typeof ACCOUNTS;

export const GRANTS: Partial<Record<Account, 'owner' | 'viewer'>> = {
  viewer: 'viewer',
  reader: 'owner',
  owner: 'owner',
  keeper: 'owner',
};

/**
 * Appears in every text of the patient's records and nowhere else: a caller who reads it has seen the patient's data.
 */
export const SECRET = 'Quittenbaum';

/** Appears in the patient's name, which administrators know because they give grants. */
export const SECRET_NAME = 'Holunder';

export const CREATED_AT = '2026-01-15T08:00:00';

export const FAR_FUTURE = '2099-01-01T00:00:00';

export type NameType = 'lab_tests' | 'specialties' | 'diagnoses' | 'medications' | 'doctors' | 'facilities';

export const NAME_TABLES: Record<NameType, string> = {
  lab_tests: 'norm_lab_tests',
  specialties: 'norm_specialties',
  diagnoses: 'norm_diagnoses',
  medications: 'norm_medications',
  doctors: 'doctors',
  facilities: 'facilities',
};

/** What all records are made with: the vault, the accounts, the patient of the next record and the word in its texts. */
export interface Scope {
  db: Database;
  vault: string;
  ids: Record<Account, number>;
  /** The bytes of a PDF. */
  page: Uint8Array;
  patient: number;
  secret: string;
  /** A number that no other record has. */
  next(): number;
  insert(table: string, values: Record<string, unknown>): number;
  /** The folder of a patient, or of documents without one. */
  folderOf(patient: number | null): string;
}

export function createScope(db: Database, vault: string, ids: Record<Account, number>, page: Uint8Array): Scope {
  let count = 0;
  return {
    db,
    vault,
    ids,
    page,
    patient: 0,
    secret: SECRET,
    next: () => (count += 1),
    insert(table, values) {
      const columns = Object.keys(values);
      return Number(
        db
          .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
          .run(...Object.values(values)).lastInsertRowid,
      );
    },
    folderOf: (patient) =>
      patient === null
        ? `unclassified/user-${ids.owner}`
        : `patients/${String(db.prepare('SELECT slug FROM patients WHERE id = ?').pluck().get(patient))}`,
  };
}
