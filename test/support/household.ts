import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSigner, openSecretKey } from '../../src-main/platform/config/secret-key.ts';
import { openDatabase, type Database } from '../../src-main/platform/database/connection.ts';
import { reindexDocument } from '../../src-main/features/documents/list/text-index.ts';
import { Client } from './client.ts';
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

const ACCOUNTS = {
  viewer: 'editor',
  reader: 'viewer',
  owner: 'editor',
  other: 'editor',
  editor: 'editor',
  admin: 'admin',
  keeper: 'admin',
} as const;
type Account = keyof typeof ACCOUNTS;
const GRANTS: Partial<Record<Account, 'owner' | 'viewer'>> = {
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
const THEN = '2026-01-15T08:00:00';
const EVER = '2099-01-01T00:00:00';

export type NameType = 'lab_tests' | 'specialties' | 'diagnoses' | 'medications' | 'doctors' | 'facilities';
const NAME_TABLES: Record<NameType, string> = {
  lab_tests: 'norm_lab_tests',
  specialties: 'norm_specialties',
  diagnoses: 'norm_diagnoses',
  medications: 'norm_medications',
  doctors: 'doctors',
  facilities: 'facilities',
};

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
  /** Changes when anybody else wrote to the database. */
  writes(): number;
  close(): void;
}

export type Records = ReturnType<typeof createRecords>;

/**
 * People, grants and two patients beside the administrator ann, in the vault of a program that runs. Reading is
 * stopped: nothing happens in the background.
 */
export async function openHousehold(url: string, vault: string): Promise<Household> {
  await new Client(url).setup('Ann Arbor');
  const db = openDatabase(join(vault, 'vault.db'));
  // Nothing here has to outlive a power cut.
  db.sqlite.pragma('synchronous = OFF');
  const signer = createSigner(openSecretKey(vault), 'session');
  const insertUser = db.prepare(
    'INSERT INTO users (username, username_key, display_name, role, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const ids = Object.fromEntries(
    Object.entries(ACCOUNTS).map(([name, role]) => [
      name,
      Number(insertUser.run(`${name}-user`, `${name}-user`, name, role, THEN).lastInsertRowid),
    ]),
  ) as Record<Account, number>;
  const make = createRecords(db, vault, ids, await letter([[{ text: 'A page', y: 100 }]]));
  const patient = make.patient();
  const otherPatient = Number(
    db
      .prepare("INSERT INTO patients (slug, display_name, created_at) VALUES ('marco-bianchi', 'Marco Bianchi', ?)")
      .run(THEN).lastInsertRowid,
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

/** Fresh records, so that a call may destroy what it names. Answers ids. */
function createRecords(db: Database, vault: string, ids: Record<Account, number>, page: Uint8Array) {
  let count = 0;
  let current = 0;
  let secret = SECRET;
  const next = (): number => (count += 1);
  const insert = (table: string, values: Record<string, unknown>): number => {
    const columns = Object.keys(values);
    return Number(
      db
        .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
        .run(...Object.values(values)).lastInsertRowid,
    );
  };

  const folderOf = (patient: number | null): string =>
    patient === null
      ? `unclassified/user-${ids.owner}`
      : `patients/${String(db.prepare('SELECT slug FROM patients WHERE id = ?').pluck().get(patient))}`;

  const records = {
    next,
    /** Sets whose the next records are, and the word in their texts. */
    use(patient: number, word: string = SECRET): void {
      current = patient;
      secret = word;
    },

    session(userId: number, { revoked = false, expired = false } = {}): string {
      const session_id = randomUUID();
      const now = new Date().toISOString().slice(0, 19);
      insert('sessions', {
        session_id,
        user_id: userId,
        created_at: THEN,
        last_active_at: now,
        expires_at: expired ? THEN : EVER,
        ip_address: '127.0.0.1',
        user_agent: 'test',
        revoked_at: revoked ? THEN : null,
      });
      return session_id;
    },
    user: (): number => {
      const name = `guest-${next()}`;
      return insert('users', {
        username: name,
        username_key: name,
        display_name: name,
        role: 'editor',
        created_at: THEN,
      });
    },
    /** Somebody who may look at the patient. */
    grantedUser(): number {
      const id = records.user();
      insert('patient_access', { user_id: id, patient_id: current, role: 'viewer' });
      return id;
    },
    /** A patient whom the household sees as it sees the first. */
    patient(): number {
      const n = next();
      const id = insert('patients', {
        slug: `elena-${n}`,
        display_name: `Elena ${SECRET_NAME}`,
        date_of_birth: '1979-05-09',
        created_at: THEN,
      });
      for (const [name, role] of Object.entries(GRANTS))
        insert('patient_access', { user_id: ids[name as Account], patient_id: id, role });
      return id;
    },
    /** A document that was read: one page, with its file in the vault. */
    document({
      status = 'done',
      event = null,
      patient = current,
      file = true,
      uploader = null,
    }: {
      status?: string;
      event?: number | null;
      patient?: number | null;
      file?: boolean;
      uploader?: number | null;
    } = {}): number {
      const n = next();
      const bytes = Buffer.concat([page, Buffer.from(`\n% ${n}\n`)]);
      const file_path = `${folderOf(patient)}/2025/20251112_letter-${n}.pdf`;
      if (file) {
        mkdirSync(dirname(join(vault, file_path)), { recursive: true });
        writeFileSync(join(vault, file_path), bytes);
      }
      const id = insert('documents', {
        patient_id: patient,
        file_path,
        original_filename: `${secret} ${n}.pdf`,
        mime_type: 'application/pdf',
        doc_type: 'lab_test',
        event_date: '2025-11-12',
        summary_en: secret,
        event_id: event,
        page_count: 1,
        file_size: bytes.length,
        file_hash: createHash('sha256').update(bytes).digest('hex'),
        status,
        review_reasons: '[]',
        uploaded_by_user_id: uploader,
        created_at: THEN,
        updated_at: THEN,
      });
      reindexDocument(db, id, secret);
      return id;
    },
    /** A document whose reading waits for a day far away. */
    queued(): number {
      const document = records.document({ status: 'pending' });
      insert('jobs', {
        kind: 'upload',
        document_id: document,
        priority: 5,
        size: 1,
        state: 'queued',
        options: '{}',
        not_before: EVER,
        created_at: THEN,
      });
      return document;
    },
    /** Nothing waits to be read. */
    emptyQueue: (): void => void db.prepare('DELETE FROM jobs').run(),
    event: (): number => {
      const n = next();
      return insert('events', {
        patient_id: current,
        title: `${secret} ${n}`,
        slug: `episode-${n}`,
        event_type: 'diagnosis',
        date_start: '2025-11-01',
        is_ongoing: 0,
        created_at: THEN,
        updated_at: THEN,
      });
    },
    /** An event with one document in it. */
    linkedEvent(): { event: number; document: number } {
      const event = records.event();
      const document = records.document({ event });
      insert('event_documents', { event_id: event, document_id: document, relevance: 'primary', auto_linked: 0 });
      return { event, document };
    },
    labResult: ({ orphan = false } = {}): number =>
      insert('lab_results', {
        document_id: orphan ? null : records.document(),
        patient_id: current,
        test_name_original: `${secret}in`,
        value: 23,
        unit: 'µg/L',
        reference_range_low: 30,
        reference_range_high: 300,
        is_abnormal: 1,
        test_date: '2025-11-12',
      }),
    /** How series name the test of a new result: by its entry. */
    testKey(): string {
      const entry = records.name('lab_tests');
      db.prepare('UPDATE lab_results SET norm_lab_test_id = ? WHERE id = ?').run(entry, records.labResult());
      return `n:${entry}`;
    },
    /** A result whose document is gone. */
    orphan: (): number => records.labResult({ orphan: true }),
    encounter: (): number =>
      insert('encounters', {
        document_id: records.document(),
        encounter_date: '2025-11-12',
        diagnosis_original: secret,
      }),
    medication: (): number => insert('medications', { document_id: records.document(), brand_name: secret }),
    vaccination: (): number => insert('vaccinations', { document_id: records.document(), vaccine_name: secret }),
    link(): { document: number; link: number } {
      const document = records.document();
      return {
        document,
        link: insert('document_links', {
          source_document_id: document,
          target_document_id: records.document(),
          link_type: 'related',
          created_at: THEN,
        }),
      };
    },
    /** A document that the owner deleted. */
    trashed(): number {
      const document = records.document({ file: false });
      const row = db.prepare('SELECT * FROM documents WHERE id = ?').get(document) as Record<string, unknown>;
      db.prepare('DELETE FROM documents WHERE id = ?').run(document);
      return insert('trash', {
        kind: 'document',
        label: String(row['original_filename']),
        patient_id: current,
        file_hash: row['file_hash'],
        rows: JSON.stringify([{ table: 'documents', rows: [{ ...row, '@rowid': document }] }]),
        files: '[]',
        size: 1,
        deleted_by_user_id: ids.owner,
        deleted_at: '2026-11-20T08:00:00',
      });
    },
    name(type: NameType): number {
      const n = next();
      return insert(NAME_TABLES[type], {
        canonical_code: `code-${n}`,
        canonical_display: `Entry ${n}`,
        created_at: THEN,
        ...((type === 'doctors' || type === 'facilities') && { name: `Entry ${n}` }),
      });
    },
    /** An entry that one record of the patient refers to, and no other; its name says so. */
    usedName(type: NameType): number {
      const entry = records.name(type);
      const nameColumn = type === 'doctors' || type === 'facilities' ? ', name = canonical_display' : '';
      db.prepare(
        `UPDATE ${NAME_TABLES[type]} SET canonical_display = ?, canonical_code = ?${nameColumn} WHERE id = ?`,
      ).run(`${secret} ${entry}`, `${secret.toLowerCase()}-${next()}`, entry);
      const [table, column, id] = {
        lab_tests: ['lab_results', 'norm_lab_test_id', records.labResult],
        specialties: ['documents', 'norm_specialty_id', records.document],
        diagnoses: ['encounters', 'norm_diagnosis_id', records.encounter],
        medications: ['medications', 'norm_medication_id', records.medication],
        doctors: ['documents', 'doctor_id', records.document],
        facilities: ['documents', 'facility_id', records.document],
      }[type] as [string, string, () => number];
      db.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).run(entry, id());
      return entry;
    },
    alias(type: NameType): { entry: number; alias: number } {
      const entry = records.name(type);
      const n = next();
      return {
        entry,
        alias: insert('name_aliases', {
          kind: type,
          entry_id: entry,
          alias: `Alias ${n}`,
          alias_key: `alias${n}`,
          auto_mapped: 1,
          created_at: THEN,
        }),
      };
    },
    /** One laboratory test that was merged into another, just now. */
    merge(): number {
      const [target, source] = [records.name('lab_tests'), records.name('lab_tests')];
      const row = db.prepare('SELECT * FROM norm_lab_tests WHERE id = ?').get(source);
      db.prepare('DELETE FROM norm_lab_tests WHERE id = ?').run(source);
      return insert('name_merges', {
        kind: 'lab_tests',
        target_id: target,
        target_created: 0,
        sources: JSON.stringify({ entries: [row], filled: {} }),
        aliases: '[]',
        moved: '[]',
        created_at: new Date().toISOString().slice(0, 19),
      });
    },
    /** A backup that was made into a folder that is not there any more. */
    backup: (): number =>
      insert('backups', {
        kind: 'vault',
        name: `backup-${next()}`,
        status: 'done',
        files: 1,
        size: 1,
        started_at: THEN,
        finished_at: THEN,
        verified_at: THEN,
      }),
    /** A file of the patient's folder without a row; answers its vault path. */
    looseFile(folder = folderOf(current)): string {
      const path = `${folder}/2025/loose-${next()}.pdf`;
      mkdirSync(dirname(join(vault, path)), { recursive: true });
      writeFileSync(join(vault, path), Buffer.concat([page, Buffer.from(`\n% ${path}\n`)]));
      return path;
    },
    /** The file of a new document as an upload would carry it. */
    pdf: (): Uint8Array => new Uint8Array(Buffer.concat([page, Buffer.from(`\n% upload ${next()}\n`)])),
    pathOf: (document: number): string =>
      db.prepare('SELECT file_path FROM documents WHERE id = ?').pluck().get(document) as string,
  };
  return records;
}
