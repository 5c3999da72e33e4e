import type { Database } from '../../platform/database/connection.ts';
import type { AccountRole } from '../../platform/kernel/caller.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';

/** A patient whose record assistants may read, and the owner who allowed it. */
export interface AllowedPerson {
  patient_id: number;
  display_name: string;
  user_id: number;
  username: string;
  allowed_by: string;
  role: AccountRole;
  allowed_at: string;
}

export type AssistantRepository = ReturnType<typeof createAssistantRepository>;

/** Which records assistants may read. */
export const createAssistantRepository = (db: Database) =>
  bindFirst(db, { allowed: listAllowed, names: listNames, put: putPatient, remove: removePatient });

/** What a user allowed counts only as long as the user is an owner who may change the record. */
const listAllowed = (db: Database): AllowedPerson[] =>
  db
    .prepare(
      `SELECT a.patient_id, p.display_name, a.user_id, u.username, u.display_name AS allowed_by, u.role,
        a.created_at AS allowed_at
      FROM assistant_patients AS a JOIN patients AS p ON p.id = a.patient_id JOIN users AS u ON u.id = a.user_id
      JOIN patient_access AS g ON g.user_id = a.user_id AND g.patient_id = a.patient_id
      WHERE g.role = 'owner' AND u.role <> 'viewer' ORDER BY p.display_name, p.id`,
    )
    .all() as AllowedPerson[];

/** The names of these patients, in order of name. */
const listNames = (db: Database, patientIds: readonly number[]): { patient_id: number; display_name: string }[] =>
  db
    .prepare(
      `SELECT id AS patient_id, display_name FROM patients WHERE id IN (SELECT value FROM json_each(?))
      ORDER BY display_name, id`,
    )
    .all(JSON.stringify(patientIds)) as { patient_id: number; display_name: string }[];

const putPatient = (db: Database, patientId: number, userId: number, now: string): void =>
  void db
    .prepare(
      `INSERT INTO assistant_patients (patient_id, user_id, created_at) VALUES (?, ?, ?)
      ON CONFLICT (patient_id) DO UPDATE SET user_id = excluded.user_id, created_at = excluded.created_at`,
    )
    .run(patientId, userId, now);

const removePatient = (db: Database, patientId: number): void =>
  void db.prepare('DELETE FROM assistant_patients WHERE patient_id = ?').run(patientId);
