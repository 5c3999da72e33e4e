import type { Database } from '../../platform/database/connection.ts';
import type { Documents } from '../documents/service.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import type { Home, NameResolver } from '../names/service.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { labelOf, requireContent } from './rules.ts';
import {
  createDocumentRowRepository,
  type DocumentRow,
  type DocumentRowKind,
  type DocumentRowRepository,
} from './repository.ts';

type Values = Record<string, unknown>;
const PLURAL = { encounter: 'encounters', medication: 'medications', vaccination: 'vaccinations' } as const;

export interface DocumentRowDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  names: NameResolver;
  documents: Pick<Documents, 'belonging' | 'rowEdits' | 'queries'>;
}

export type DocumentRowService = ReturnType<typeof createDocumentRows>;

interface Deps extends DocumentRowDeps {
  repository: DocumentRowRepository;
}
type WireRow = Values & { id: number };

/**
 * Encounters, medications and vaccinations of a document as users edit them. Edits survive reading the document again.
 */
export function createDocumentRows(dependencies: DocumentRowDeps) {
  const deps: Deps = { ...dependencies, repository: createDocumentRowRepository(dependencies.db) };
  return {
    create: (kind: DocumentRowKind, body: { document_id: number } & Values, user: UserCaller) =>
      createRow(deps, kind, body, user),
    update: (kind: DocumentRowKind, id: number, body: Values, user: UserCaller) =>
      updateRow(deps, kind, id, body, user),
    remove: (kind: DocumentRowKind, id: number, user: UserCaller) => removeRow(deps, kind, id, user),
  };
}

const requireRow = <K extends DocumentRowKind>({ repository }: Deps, kind: K, id: number): DocumentRow<K> =>
  orNotFound(repository.get(kind, id), `${kind}.not_found`);

/** The owner of a document, in whose circle names are found. */
const homeOf = ({ documents }: Deps, documentId: number): Home =>
  orNotFound(documents.belonging(documentId), 'document.not_found');

/** The columns of a request: text is trimmed, empty text becomes null, names are resolved to ids. */
function columnsOf(deps: Deps, user: UserCaller, home: Home, body: Values, before: Values = {}): Values {
  const { names } = deps;
  const { doctor_name, facility_name, ...plain } = body;
  const columns: Values = Object.fromEntries(
    Object.entries(plain)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() || null : value]),
  );
  // Only ids that the request contains are checked; those that are found for its words may be new to the user.
  for (const [column, nameKind] of [
    ['norm_diagnosis_id', 'diagnoses'],
    ['norm_medication_id', 'medications'],
  ] as const) {
    const id = columns[column];
    if (typeof id === 'number' && !names.knows(user, nameKind, id)) throw fail('row.name_not_found');
  }
  return Object.assign(
    columns,
    entryColumn(deps, home, columns, before),
    nameColumn(deps, user, home, 'doctors', columns['doctor_id'], doctor_name),
    nameColumn(deps, user, home, 'facilities', columns['facility_id'], facility_name),
  );
}

/** The canonical diagnosis or medication of a changed name, unless the request sets it. */
function entryColumn({ names }: Deps, home: Home, columns: Values, before: Values): Values {
  const changed = (...fields: string[]): boolean =>
    fields.some((name) => name in columns && columns[name] !== before[name]);
  const after = { ...before, ...columns };
  const entry = (kind: 'diagnoses' | 'medications', name: unknown, code: unknown = null): number | null =>
    typeof name === 'string'
      ? names.resolve(home, kind, name, { auto: false, code: typeof code === 'string' ? code : null })
      : null;
  if (changed('diagnosis_original') && !('norm_diagnosis_id' in columns))
    return { norm_diagnosis_id: entry('diagnoses', after['diagnosis_original'], after['diagnosis_code']) };
  if (changed('active_ingredient_original', 'brand_name') && !('norm_medication_id' in columns))
    return { norm_medication_id: entry('medications', after['active_ingredient_original'] ?? after['brand_name']) };
  return {};
}

/** The id column of a doctor or facility that the request names. */
function nameColumn(
  { names }: Deps,
  user: UserCaller,
  home: Home,
  kind: 'doctors' | 'facilities',
  id: unknown,
  name: unknown,
): Values {
  if (typeof id === 'number' && !names.knows(user, kind, id))
    throw fail(kind === 'doctors' ? 'document.doctor_not_found' : 'document.facility_not_found');
  if (id !== undefined || name === undefined) return {};
  const isNamed = typeof name === 'string' && name.trim() !== '';
  return {
    [kind === 'doctors' ? 'doctor_id' : 'facility_id']: isNamed
      ? names.resolve(home, kind, name, { auto: false })
      : null,
  };
}

/** Adds a row to a document. */
function createRow(
  deps: Deps,
  kind: DocumentRowKind,
  body: { document_id: number } & Values,
  user: UserCaller,
): WireRow {
  const { db, repository, documents } = deps;
  const { rowEdits } = documents;
  const { document_id, ...rest } = body;
  const id = db.transaction(() => {
    const columns = columnsOf(deps, user, homeOf(deps, document_id), rest);
    requireContent(kind, columns);
    const rowId = repository.insert(kind, {
      ...columns,
      document_id,
      edited_fields: Object.keys(columns),
      read_key: null,
    });
    rowEdits.reindexDocument(document_id);
    return rowId;
  });
  rowEdits.notifyChanged(document_id);
  return requireWireRow(deps, kind, id, document_id, user);
}

/** Changes a row and records the corrections. */
function updateRow(deps: Deps, kind: DocumentRowKind, id: number, body: Values, user: UserCaller): WireRow {
  const { db, repository, documents } = deps;
  const { rowEdits } = documents;
  const documentId = db.transaction(() => {
    const before = requireRow(deps, kind, id);
    const columns = columnsOf(deps, user, homeOf(deps, before.document_id), body, before);
    requireContent(kind, { ...before, ...columns });
    if (Object.keys(columns).length === 0) return before.document_id;
    repository.update(kind, id, { ...columns, edited_fields: rowEdits.recordEdit(PLURAL[kind], before, columns) });
    rowEdits.reindexDocument(before.document_id);
    return before.document_id;
  });
  rowEdits.notifyChanged(documentId);
  return requireWireRow(deps, kind, id, documentId, user);
}

/** Moves a row to the trash. */
function removeRow(
  deps: Deps,
  kind: DocumentRowKind,
  id: number,
  user: UserCaller,
): { ok: true; trash_id: number; undo_until: string } {
  const { vault, clock, repository, documents } = deps;
  const { rowEdits } = documents;
  const { trashId, documentId } = vault.transaction(() => {
    const row = requireRow(deps, kind, id);
    rowEdits.recordRemoval(PLURAL[kind], row);
    // Marked as edited, so that a reading does not replace it after a restore.
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
}

/** The row as the detail of its document contains it. */
function requireWireRow(
  { documents }: Deps,
  kind: DocumentRowKind,
  id: number,
  documentId: number,
  user: UserCaller,
): WireRow {
  const rows: WireRow[] = documents.queries.get(documentId, user)[PLURAL[kind]];
  return orNotFound(
    rows.find((row) => row.id === id),
    `${kind}.not_found`,
  );
}
