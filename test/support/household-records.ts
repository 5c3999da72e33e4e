import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from '../../src-main/platform/database/connection.ts';
import { reindexDocument } from '../../src-main/features/documents/list/text-index-repository.ts';
import { createShareRecords } from './household-shares.ts';
import { createStudyRecords } from './household-studies.ts';
import {
  type Account,
  CREATED_AT,
  FAR_FUTURE,
  GRANTS,
  NAME_TABLES,
  type NameType,
  SECRET,
  SECRET_NAME,
  type Scope,
  createScope,
} from './household-scope.ts';

/** Users, sessions and patients. */
function createAccounts(scope: Scope) {
  const accounts = {
    session(userId: number, { revoked = false, expired = false } = {}): string {
      const session_id = randomUUID();
      const now = new Date().toISOString().slice(0, 19);
      scope.insert('sessions', {
        session_id,
        user_id: userId,
        created_at: CREATED_AT,
        last_active_at: now,
        expires_at: expired ? CREATED_AT : FAR_FUTURE,
        ip_address: '127.0.0.1',
        user_agent: 'test',
        revoked_at: revoked ? CREATED_AT : null,
      });
      return session_id;
    },
    /** A passkey of the account that calls with examples. */
    passkey: (): number =>
      scope.insert('passkeys', {
        user_id: scope.ids.keeper,
        name: 'Laptop',
        credential_id: `credential-${scope.next()}`,
        public_key: Buffer.from('key'),
        counter: 0,
        transports: '[]',
        synced: 0,
        rp_id: 'localhost',
        user_handle: 'handle',
        created_at: CREATED_AT,
      }),
    user: (): number => {
      const name = `guest-${scope.next()}`;
      return scope.insert('users', {
        username: name,
        username_key: name,
        display_name: name,
        role: 'editor',
        created_at: CREATED_AT,
      });
    },
    /** A user who may view the patient. */
    grantedUser(): number {
      const id = accounts.user();
      scope.insert('patient_access', { user_id: id, patient_id: scope.patient, role: 'viewer' });
      return id;
    },
    /** A patient with the grants of the first one. */
    patient(): number {
      const n = scope.next();
      const id = scope.insert('patients', {
        slug: `elena-${n}`,
        display_name: `Elena ${SECRET_NAME}`,
        date_of_birth: '1979-05-09',
        created_at: CREATED_AT,
      });
      for (const [name, role] of Object.entries(GRANTS))
        scope.insert('patient_access', { user_id: scope.ids[name as Account], patient_id: id, role });
      return id;
    },
  };
  return accounts;
}

interface DocumentOptions {
  status?: string;
  event?: number | null;
  patient?: number | null;
  /** Whether the document has its file in the vault. */
  file?: boolean;
  uploader?: number | null;
}

/** Documents with their files. */
function createDocuments(scope: Scope) {
  const documents = {
    /** A processed document of one page, with its file in the vault. */
    document(options: DocumentOptions = {}): number {
      const { status = 'done', event = null, patient = scope.patient, file = true, uploader = null } = options;
      const n = scope.next();
      const bytes = Buffer.concat([scope.page, Buffer.from(`\n% ${n}\n`)]);
      const file_path = `${scope.folderOf(patient)}/2025/20251112_letter-${n}.pdf`;
      if (file) {
        mkdirSync(dirname(join(scope.vault, file_path)), { recursive: true });
        writeFileSync(join(scope.vault, file_path), bytes);
      }
      const id = scope.insert('documents', {
        patient_id: patient,
        file_path,
        original_filename: `${scope.secret} ${n}.pdf`,
        mime_type: 'application/pdf',
        doc_type: 'lab_test',
        event_date: '2025-11-12',
        summary_en: scope.secret,
        event_id: event,
        page_count: 1,
        file_size: bytes.length,
        file_hash: createHash('sha256').update(bytes).digest('hex'),
        status,
        review_reasons: '[]',
        uploaded_by_user_id: uploader,
        created_at: CREATED_AT,
        updated_at: CREATED_AT,
      });
      reindexDocument(scope.db, id, scope.secret);
      return id;
    },
    /** A document whose job is queued until a day in the far future. */
    queued(): number {
      const document = documents.document({ status: 'pending' });
      scope.insert('jobs', {
        kind: 'upload',
        document_id: document,
        priority: 5,
        size: 1,
        state: 'queued',
        options: '{}',
        not_before: FAR_FUTURE,
        created_at: CREATED_AT,
      });
      return document;
    },
    /** Deletes every job. */
    emptyQueue: (): void => void scope.db.prepare('DELETE FROM jobs').run(),
    /** The bytes of a new PDF to upload. */
    pdf: (): Uint8Array => new Uint8Array(Buffer.concat([scope.page, Buffer.from(`\n% upload ${scope.next()}\n`)])),
    pathOf: (document: number): string =>
      scope.db.prepare('SELECT file_path FROM documents WHERE id = ?').pluck().get(document) as string,
  };
  return documents;
}

/** What the vault holds besides documents. */
function createVaultRecords(scope: Scope, documents: ReturnType<typeof createDocuments>) {
  const vaultRecords = {
    /** A document that the owner deleted. */
    trashed(): number {
      const document = documents.document({ file: false });
      const row = scope.db.prepare('SELECT * FROM documents WHERE id = ?').get(document) as Record<string, unknown>;
      scope.db.prepare('DELETE FROM documents WHERE id = ?').run(document);
      return scope.insert('trash', {
        kind: 'document',
        label: String(row['original_filename']),
        patient_id: scope.patient,
        file_hash: row['file_hash'],
        rows: JSON.stringify([{ table: 'documents', rows: [{ ...row, '@rowid': document }] }]),
        files: '[]',
        size: 1,
        deleted_by_user_id: scope.ids.owner,
        deleted_at: '2026-11-20T08:00:00',
      });
    },
    /** A file in the folder of the patient without a row; returns its vault path. */
    looseFile(folder = scope.folderOf(scope.patient)): string {
      const path = `${folder}/2025/loose-${scope.next()}.pdf`;
      mkdirSync(dirname(join(scope.vault, path)), { recursive: true });
      writeFileSync(join(scope.vault, path), Buffer.concat([scope.page, Buffer.from(`\n% ${path}\n`)]));
      return path;
    },
    /** A backup whose folder no longer exists. */
    backup: (): number =>
      scope.insert('backups', {
        kind: 'vault',
        name: `backup-${scope.next()}`,
        status: 'done',
        files: 1,
        size: 1,
        started_at: CREATED_AT,
        finished_at: CREATED_AT,
        verified_at: CREATED_AT,
      }),
    /** The preview of an archive that is gone by now. */
    archiveImport: (): number =>
      scope.insert('archive_imports', {
        kind: 'folder',
        source: '/nowhere',
        patient_id: scope.patient,
        status: 'ready',
        created_at: CREATED_AT,
      }),
  };
  return vaultRecords;
}

/** Events and links of documents. */
function createEvents(scope: Scope, documents: ReturnType<typeof createDocuments>) {
  const events = {
    event: (): number => {
      const n = scope.next();
      return scope.insert('events', {
        patient_id: scope.patient,
        title: `${scope.secret} ${n}`,
        slug: `episode-${n}`,
        event_type: 'diagnosis',
        date_start: '2025-11-01',
        is_ongoing: 0,
        created_at: CREATED_AT,
        updated_at: CREATED_AT,
      });
    },
    /** An event with one document in it. */
    linkedEvent(): { event: number; document: number } {
      const event = events.event();
      const document = documents.document({ event });
      scope.insert('event_documents', { event_id: event, document_id: document, relevance: 'primary', auto_linked: 0 });
      return { event, document };
    },
    link(): { document: number; link: number } {
      const document = documents.document();
      return {
        document,
        link: scope.insert('document_links', {
          source_document_id: document,
          target_document_id: documents.document(),
          link_type: 'related',
          created_at: CREATED_AT,
        }),
      };
    },
  };
  return events;
}

/** Rows of documents: results, encounters, medications and vaccinations. */
function createRows(scope: Scope, documents: ReturnType<typeof createDocuments>) {
  const rows = {
    labResult: ({ orphan = false } = {}): number =>
      scope.insert('lab_results', {
        document_id: orphan ? null : documents.document(),
        patient_id: scope.patient,
        test_name_original: `${scope.secret}in`,
        value: 23,
        unit: 'µg/L',
        reference_range_low: 30,
        reference_range_high: 300,
        is_abnormal: 1,
        test_date: '2025-11-12',
      }),
    /** A result whose document was deleted. */
    orphan: (): number => rows.labResult({ orphan: true }),
    encounter: (): number =>
      scope.insert('encounters', {
        document_id: documents.document(),
        encounter_date: '2025-11-12',
        diagnosis_original: scope.secret,
      }),
    medication: (): number =>
      scope.insert('medications', { document_id: documents.document(), brand_name: scope.secret }),
    vaccination: (): number =>
      scope.insert('vaccinations', { document_id: documents.document(), vaccine_name: scope.secret }),
  };
  return rows;
}

/** Entries of canonical names. */
function createNames(scope: Scope, documents: ReturnType<typeof createDocuments>, rows: ReturnType<typeof createRows>) {
  const names = {
    name(type: NameType): number {
      const n = scope.next();
      return scope.insert(NAME_TABLES[type], {
        canonical_code: `code-${n}`,
        canonical_display: `Entry ${n}`,
        created_at: CREATED_AT,
        home_patient_id: scope.patient,
        ...((type === 'doctors' || type === 'facilities') && { name: `Entry ${n}` }),
      });
    },
    /** The key by which series name the test of a new result: its entry. */
    testKey(): string {
      const entry = names.name('lab_tests');
      scope.db.prepare('UPDATE lab_results SET norm_lab_test_id = ? WHERE id = ?').run(entry, rows.labResult());
      return `n:${entry}`;
    },
    /** An entry that exactly one record of the patient refers to; its name contains the word of the texts. */
    usedName(type: NameType): number {
      const entry = names.name(type);
      const nameColumn = type === 'doctors' || type === 'facilities' ? ', name = canonical_display' : '';
      scope.db
        .prepare(`UPDATE ${NAME_TABLES[type]} SET canonical_display = ?, canonical_code = ?${nameColumn} WHERE id = ?`)
        .run(`${scope.secret} ${entry}`, `${scope.secret.toLowerCase()}-${scope.next()}`, entry);
      const [table, column, id] = {
        lab_tests: ['lab_results', 'norm_lab_test_id', rows.labResult],
        specialties: ['documents', 'norm_specialty_id', documents.document],
        diagnoses: ['encounters', 'norm_diagnosis_id', rows.encounter],
        medications: ['medications', 'norm_medication_id', rows.medication],
        doctors: ['documents', 'doctor_id', documents.document],
        facilities: ['documents', 'facility_id', documents.document],
      }[type] as [string, string, () => number];
      scope.db.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).run(entry, id());
      return entry;
    },
  };
  return names;
}

/** Aliases and merges of canonical names. */
function createNameChanges(scope: Scope, names: ReturnType<typeof createNames>) {
  const nameChanges = {
    alias(type: NameType): { entry: number; alias: number } {
      const entry = names.name(type);
      const n = scope.next();
      return {
        entry,
        alias: scope.insert('name_aliases', {
          kind: type,
          entry_id: entry,
          alias: `Alias ${n}`,
          alias_key: `alias${n}`,
          auto_mapped: 1,
          created_at: CREATED_AT,
        }),
      };
    },
    /** One laboratory test that was merged into another a moment ago. */
    merge(): number {
      const [target, source] = [names.name('lab_tests'), names.name('lab_tests')];
      const row = scope.db.prepare('SELECT * FROM norm_lab_tests WHERE id = ?').get(source);
      scope.db.prepare('DELETE FROM norm_lab_tests WHERE id = ?').run(source);
      return scope.insert('name_merges', {
        kind: 'lab_tests',
        target_id: target,
        target_created: 0,
        sources: JSON.stringify({ entries: [row], filled: {} }),
        aliases: '[]',
        moved: '[]',
        created_at: new Date().toISOString().slice(0, 19),
      });
    },
  };
  return nameChanges;
}

/** Makes new records, so that a call may destroy what it names. Its functions return ids. */
export function createRecords(db: Database, vault: string, ids: Record<Account, number>, page: Uint8Array) {
  const scope = createScope(db, vault, ids, page);
  const documents = createDocuments(scope);
  const rows = createRows(scope, documents);
  const names = createNames(scope, documents, rows);
  return {
    next: scope.next,
    /** Sets the patient of the next records, and the word in their texts. */
    use(patient: number, word: string = SECRET): void {
      scope.patient = patient;
      scope.secret = word;
    },
    ...createAccounts(scope),
    ...documents,
    ...createEvents(scope, documents),
    ...rows,
    ...createVaultRecords(scope, documents),
    ...createShareRecords(scope, documents),
    ...createStudyRecords(scope, documents.document),
    ...names,
    ...createNameChanges(scope, names),
  };
}
