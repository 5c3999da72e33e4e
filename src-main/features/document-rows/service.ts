import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Documents } from '../documents/service.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { NameResolver } from '../names/service.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { labelOf, requireSense } from './rules.ts';
import { createDocumentRowRepository, type DocumentRowKind, type DocumentRow } from './repository.ts';

type Values = Record<string, unknown>;
const PLURAL = { encounter: 'encounters', medication: 'medications', vaccination: 'vaccinations' } as const;

export interface DocumentRowDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  names: NameResolver;
  documents: Pick<Documents, 'rowEdits' | 'queries'>;
}

export type DocumentRowService = ReturnType<typeof createDocumentRows>;

/** Visits, medicines and vaccinations of a document, as a person edits them. What he wrote survives reading the document again. */
export function createDocumentRows({ db, vault, clock, names, documents }: DocumentRowDeps) {
  const repository = createDocumentRowRepository(db);
  const { rowEdits } = documents;
  const mustGet = <K extends DocumentRowKind>(kind: K, id: number): DocumentRow<K> => {
    const row = repository.get(kind, id);
    const code: PlainErrorCode = `${kind}.not_found`;
    if (!row) throw fail(code);
    return row;
  };

  /** Blank text is none; names become ids by the rules of documents. */
  function columnsOf(user: UserCaller, body: Values, before: Values = {}): Values {
    const { doctor_name, facility_name, ...plain } = body;
    const columns: Values = Object.fromEntries(
      Object.entries(plain)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, typeof value === 'string' ? value.trim() || null : value]),
    );
    Object.assign(
      columns,
      entryOf(columns, before),
      named(user, 'doctors', 'doctor_id', columns['doctor_id'], doctor_name),
      named(user, 'facilities', 'facility_id', columns['facility_id'], facility_name),
    );
    for (const [column, nameKind] of [
      ['norm_diagnosis_id', 'diagnoses'],
      ['norm_medication_id', 'medications'],
    ] as const) {
      const id = columns[column];
      if (typeof id === 'number' && !names.knows(user, nameKind, id)) throw fail('row.name_not_found');
    }
    return columns;
  }

  /** The canonical diagnosis or medicine where its name changed, unless the caller says which. */
  function entryOf(columns: Values, before: Values): Values {
    const changed = (...names: string[]): boolean =>
      names.some((name) => name in columns && columns[name] !== before[name]);
    const now = { ...before, ...columns };
    const entry = (kind: 'diagnoses' | 'medications', name: unknown, code: unknown = null): number | null =>
      typeof name === 'string'
        ? names.resolve(kind, name, { auto: false, code: typeof code === 'string' ? code : null })
        : null;
    if (changed('diagnosis_original') && !('norm_diagnosis_id' in columns))
      return { norm_diagnosis_id: entry('diagnoses', now['diagnosis_original'], now['diagnosis_code']) };
    if (changed('active_ingredient_original', 'brand_name') && !('norm_medication_id' in columns))
      return { norm_medication_id: entry('medications', now['active_ingredient_original'] ?? now['brand_name']) };
    return {};
  }

  function named(user: UserCaller, kind: 'doctors' | 'facilities', column: string, id: unknown, name: unknown): Values {
    if (typeof id === 'number' && !names.knows(user, kind, id))
      throw fail(kind === 'doctors' ? 'document.doctor_not_found' : 'document.facility_not_found');
    if (id !== undefined || name === undefined) return {};
    return {
      [column]: typeof name === 'string' && name.trim() !== '' ? names.resolve(kind, name, { auto: false }) : null,
    };
  }

  return {
    create<K extends DocumentRowKind>(
      kind: K,
      body: { document_id: number } & Values,
      user: UserCaller,
    ): Values & { id: number } {
      const { document_id, ...rest } = body;
      const id = db.transaction(() => {
        const columns = columnsOf(user, rest);
        requireSense(kind, columns);
        const made = repository.insert(kind, {
          ...columns,
          document_id,
          edited_fields: Object.keys(columns),
          read_key: null,
        });
        rowEdits.reindexDocument(document_id);
        return made;
      });
      rowEdits.notifyChanged(document_id);
      return this.wire(kind, id, document_id, user);
    },

    update<K extends DocumentRowKind>(kind: K, id: number, body: Values, user: UserCaller): Values & { id: number } {
      const documentId = db.transaction(() => {
        const before = mustGet(kind, id);
        const columns = columnsOf(user, body, before);
        requireSense(kind, { ...before, ...columns });
        if (Object.keys(columns).length === 0) return before.document_id;
        repository.update(kind, id, { ...columns, edited_fields: rowEdits.recordEdit(PLURAL[kind], before, columns) });
        rowEdits.reindexDocument(before.document_id);
        return before.document_id;
      });
      rowEdits.notifyChanged(documentId);
      return this.wire(kind, id, documentId, user);
    },

    remove(kind: DocumentRowKind, id: number, user: UserCaller): { ok: true; trash_id: number; undo_until: string } {
      const { trashId, documentId } = vault.transaction(() => {
        const row = mustGet(kind, id);
        rowEdits.recordRemoval(PLURAL[kind], row);
        // If it comes back it stays, whatever a reading in between says.
        repository.update(kind, id, { edited_fields: row.edited_fields ?? [] });
        const trashId = vault.trash.addRows(kind, id, {
          label: labelOf(kind, row),
          patientId: repository.patientOf(row.document_id),
          deletedByUserId: user.userId,
        });
        rowEdits.reindexDocument(row.document_id);
        return { trashId, documentId: row.document_id };
      });
      rowEdits.notifyChanged(documentId);
      return { ok: true, trash_id: trashId, undo_until: undoUntil(toTimestamp(clock.now())) };
    },

    /** The row as its document shows it. */
    wire(kind: DocumentRowKind, id: number, documentId: number, user: UserCaller): Values & { id: number } {
      const row = documents.queries.get(documentId, user)[PLURAL[kind]].find((child) => child.id === id);
      const code: PlainErrorCode = `${kind}.not_found`;
      if (!row) throw fail(code);
      return row;
    },
  };
}
