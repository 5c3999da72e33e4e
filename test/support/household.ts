import { join } from 'node:path';
import { createSigner, openSecretKey } from '../../src-main/platform/config/secret-key.ts';
import { openTestDatabase } from './new-database.ts';
import type { Database } from '../../src-main/platform/database/connection.ts';
import { Client } from './client.ts';
import { createRecords } from './household-records.ts';
import { ACCOUNTS, CREATED_AT, type Account } from './household-scope.ts';
import { letter } from './sample-documents.ts';

/**
 * All kinds of callers, seen from one patient:
 * `nobody` is not signed in; `viewer` may view; `reader` owns but has a read-only account; `owner` owns; `other` owns
 * another patient; `editor` and `admin` have no grant at all; `revoked` and `expired` are the owner with a session that
 * ended; `keeper` is an administrator who owns.
 */
export const CALLERS = [
  'nobody',
  'viewer',
  'reader',
  'owner',
  'other',
  'editor',
  'admin',
  'revoked',
  'expired',
] as const;
export type CallerName = (typeof CALLERS)[number] | 'keeper';

export interface Household {
  db: Database;
  vault: string;
  /** A client with a session of its own, made for this call. */
  as(name: CallerName): Client;
  ids: Record<Account, number>;
  /** The patient of all records, and another one that only `other` owns. */
  patient: number;
  otherPatient: number;
  make: Records;
  /** Changes when another connection writes to the database. */
  writes(): number;
  close(): void;
}

type Records = ReturnType<typeof createRecords>;

/**
 * People, grants and two patients beside the administrator ann, in the vault of a program that runs. The
 * pipeline is stopped, so that nothing happens in the background.
 */
export async function openHousehold(url: string, vault: string): Promise<Household> {
  await new Client(url).setup('Ann Arbor');
  const db = openTestDatabase(join(vault, 'vault.db'));
  const signer = createSigner(openSecretKey(vault), 'session');
  const insertUser = db.prepare(
    'INSERT INTO users (username, username_key, display_name, role, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const ids = Object.fromEntries(
    Object.entries(ACCOUNTS).map(([name, role]) => [
      name,
      Number(insertUser.run(`${name}-user`, `${name}-user`, name, role, CREATED_AT).lastInsertRowid),
    ]),
  ) as Record<Account, number>;
  const make = createRecords(db, vault, ids, await letter([[{ text: 'A page', y: 100 }]]));
  const patient = make.patient();
  const otherPatient = Number(
    db
      .prepare("INSERT INTO patients (slug, display_name, created_at) VALUES ('marco-bianchi', 'Marco Bianchi', ?)")
      .run(CREATED_AT).lastInsertRowid,
  );
  db.prepare("INSERT INTO patient_access (user_id, patient_id, role) VALUES (?, ?, 'owner')").run(
    ids.other,
    otherPatient,
  );
  make.use(patient);
  const household: Household = {
    db,
    vault,
    ids,
    patient,
    otherPatient,
    make,
    writes: () => db.sqlite.pragma('data_version', { simple: true }) as number,
    close: () => db.close(),
    as(name) {
      const client = new Client(url);
      if (name === 'nobody') return client;
      const account: Account = name === 'revoked' || name === 'expired' ? 'owner' : name;
      const sessionId = make.session(ids[account], { revoked: name === 'revoked', expired: name === 'expired' });
      client.cookie = `vault_session=${signer.sign(sessionId, Date.now())}`;
      return client;
    },
  };
  await household.as('keeper').post('/api/pipeline/stop');
  return household;
}
