import type { labs as contract, LabChanges, LabResult } from '../../../src-shared/contract/labs.ts';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { LabDoubt } from '../../../src-shared/contract/lab-doubt.ts';
import { parseNumber } from '../../../src-shared/medical/number.ts';
import { isOutside } from '../../../src-shared/medical/reference-range.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Documents } from '../documents/service.ts';
import type { Home } from '../names/service.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { LabFields, LabRecord, LabRepository } from './repository.ts';
import { comparatorOf } from './result-row.ts';

export interface LabEditDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  repository: LabRepository;
  rowEdits: Documents['rowEdits'];
  /** Whether this user may use the canonical entry. */
  knowsTest(user: UserCaller, id: number): boolean;
  /** The canonical entry of a printed name, or null. Joins a running transaction. */
  testOf(home: Home, name: string, sample: string | null, unit: string | null): number | null;
  /** Whether this user may change the document; false for an unknown one. */
  mayWrite(user: UserCaller, documentId: number): boolean;
}

type Row = Pick<LabRecord, 'value' | 'value_text' | 'reference_range_low' | 'reference_range_high' | 'is_abnormal'>;

/** Edits of lab results by users. Edits survive reading the document again; a removed result does not reappear. */
export function createLabEdits(deps: LabEditDeps) {
  return {
    create: (body: NewResult, user: UserCaller) => createResult(deps, body, user),
    update: (id: number, changes: LabChanges, user: UserCaller) => updateResult(deps, id, changes, user),
    remove: (id: number, user: UserCaller) => removeResult(deps, id, user),
  };
}

type NewResult = Input<typeof contract.create>['body'];

const requireResult = ({ repository }: LabEditDeps, id: number): LabRecord =>
  orNotFound(repository.get(id), 'lab_result.not_found');
const requireWireResult = ({ repository }: LabEditDeps, id: number): LabResult =>
  orNotFound(repository.wire(id), 'lab_result.not_found');

const homeOf = (document: { patient_id: number | null; uploaded_by_user_id: number | null }): Home => ({
  patientId: document.patient_id,
  uploaderId: document.uploaded_by_user_id,
});

/** The owner of a result; results outlive their document and keep its patient. */
function homeOfResult({ repository }: LabEditDeps, { document_id, patient_id }: LabRecord): Home {
  const document = document_id === null ? undefined : repository.document(document_id);
  return document ? homeOf(document) : { patientId: patient_id, uploaderId: null };
}

/** The columns of a request. @throws `lab_result.test_not_found`, `lab_result.invalid_range` */
function columnsOf(
  { knowsTest, testOf }: LabEditDeps,
  user: UserCaller,
  home: Home,
  changes: LabChanges,
  before: LabRecord | null,
): LabFields {
  const columns: LabFields = Object.fromEntries(
    Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() || null : value]),
  );
  Object.assign(columns, valueOf(columns));
  if (typeof columns.norm_lab_test_id === 'number' && !knowsTest(user, columns.norm_lab_test_id))
    throw fail('lab_result.test_not_found');
  const name = columns.test_name_original;
  if (columns.norm_lab_test_id === undefined && name !== undefined && name !== before?.test_name_original)
    columns.norm_lab_test_id = testOf(
      home,
      name,
      columns.sample_type ?? before?.sample_type ?? null,
      columns.unit ?? before?.unit ?? null,
    );
  const after: Row = {
    value: null,
    value_text: null,
    reference_range_low: null,
    reference_range_high: null,
    is_abnormal: null,
    ...before,
    ...columns,
  };
  if (
    after.reference_range_low !== null &&
    after.reference_range_high !== null &&
    after.reference_range_low > after.reference_range_high
  )
    throw fail('lab_result.invalid_range');
  const isMeasured = ['value', 'reference_range_low', 'reference_range_high'].some(
    (field) => columns[field as keyof LabFields] !== undefined,
  );
  if (columns.is_abnormal === undefined && isMeasured) columns.is_abnormal = isAbnormal(after, before);
  return columns;
}

/** Moves a result to another document of its patient; reading the previous document again does not bring it back. */
function moveToDocument(
  { repository, rowEdits, mayWrite }: LabEditDeps,
  user: UserCaller,
  before: LabRecord,
  documentId: number,
): { document_id: number; patient_id: number | null } {
  const document = repository.document(documentId);
  if (
    !document ||
    !mayWrite(user, documentId) ||
    (before.patient_id !== null && document.patient_id !== before.patient_id)
  )
    throw fail('document.not_found');
  rowEdits.recordRemoval('lab_results', before);
  return { document_id: documentId, patient_id: document.patient_id };
}

/** Adds a result to a document. */
function createResult(deps: LabEditDeps, { document_id, ...changes }: NewResult, user: UserCaller): LabResult {
  const { db, repository, rowEdits } = deps;
  const id = db.transaction(() => {
    const document = repository.document(document_id);
    if (!document) throw fail('document.not_found');
    const columns = { test_date: document.event_date, ...columnsOf(deps, user, homeOf(document), changes, null) };
    const resultId = repository.insert({
      ...columns,
      test_name_original: changes.test_name_original,
      document_id,
      patient_id: document.patient_id,
      edited_fields: Object.keys(columns),
      read_key: null,
    });
    rowEdits.reindexDocument(document_id);
    return resultId;
  });
  rowEdits.notifyChanged(document_id);
  return requireWireResult(deps, id);
}

/** A change of these fields settles the doubts about a result. */
const SETTLING = ['value', 'value_text', 'unit', 'reference_range_low', 'reference_range_high'] as const;
/** What a change of other fields settles. */
const SETTLED_BY: Partial<Record<keyof LabFields, LabDoubt>> = {
  test_date: 'date_missing',
  test_name_original: 'name_long',
  is_abnormal: 'flag_differs',
};
/** The doubts that remain after these columns were changed. */
const remainingDoubts = (doubt: LabDoubt[] | null, columns: LabFields): LabDoubt[] | null => {
  const settled = new Set(Object.keys(columns).map((column) => SETTLED_BY[column as keyof LabFields]));
  return doubt?.filter((code) => !settled.has(code)) ?? null;
};
const boundsChange = (columns: LabFields): boolean =>
  columns.reference_range_comparator === undefined &&
  (columns.reference_range_low !== undefined || columns.reference_range_high !== undefined);

/** The fields that a user edited; those from before if an answer is undone. */
const editedFieldsOf = (edited: string[], reopened: LabChanges['reopened']): string[] | null =>
  reopened === undefined ? edited : reopened.edited_fields;

/** Changes or confirms a result, or undoes that, and records the corrections. */
function updateResult(
  deps: LabEditDeps,
  id: number,
  { document_id, confirmed, reopened, ...changes }: LabChanges,
  user: UserCaller,
): LabResult {
  const { db, repository, rowEdits } = deps;
  const documentIds = db.transaction(() => {
    const before = requireResult(deps, id);
    const columns = columnsOf(deps, user, homeOfResult(deps, before), changes, before);
    const newDocument =
      document_id === undefined || document_id === before.document_id
        ? null
        : moveToDocument(deps, user, before, document_id);
    const isSettled = confirmed === true || SETTLING.some((field) => columns[field] !== undefined);
    const doubt = reopened?.doubt ?? (isSettled ? null : remainingDoubts(before.doubt, columns));
    const isChanged = Object.keys(columns).length > 0 || newDocument !== null || isSettled || reopened !== undefined;
    if (isChanged)
      repository.update(id, {
        ...columns,
        ...newDocument,
        // Whoever changed or confirmed a value has looked at it.
        doubt,
        ...(boundsChange(columns) && { reference_range_comparator: null }),
        edited_fields: editedFieldsOf(rowEdits.recordEdit('lab_results', before, columns), reopened),
      });
    rowEdits.recountDoubts(before.document_id, before.doubt, newDocument ? null : doubt);
    if (newDocument) rowEdits.recountDoubts(newDocument.document_id, null, doubt);
    const affected = [before.document_id, ...(newDocument ? [newDocument.document_id] : [])];
    if (isChanged) affected.forEach(rowEdits.reindexDocument);
    return affected;
  });
  documentIds.forEach(rowEdits.notifyChanged);
  return requireWireResult(deps, id);
}

/** Moves a result to the trash. */
function removeResult(deps: LabEditDeps, id: number, user: UserCaller): ReplyInput<typeof contract.remove> {
  const { vault, clock, repository, rowEdits } = deps;
  const { trashId, documentId } = vault.transaction(() => {
    const row = requireResult(deps, id);
    rowEdits.recordRemoval('lab_results', row);
    // Marked as edited, so that a reading does not replace it after a restore.
    repository.update(id, { edited_fields: row.edited_fields ?? [] });
    const trashed = vault.trash.addRows('lab_result', id, {
      label: row.test_name_original.slice(0, 200),
      patientId: row.patient_id,
      deletedByUserId: user.userId,
    });
    rowEdits.recountDoubts(row.document_id, row.doubt, null);
    rowEdits.reindexDocument(row.document_id);
    return { trashId: trashed, documentId: row.document_id };
  });
  rowEdits.notifyChanged(documentId);
  return { ok: true, trash_id: trashId, undo_until: undoUntil(toTimestamp(clock.now())) };
}

/** Derives number and text from each other if only one is given: `"<0.3"` is 0.3 with a comparator, 5.2 is `"5.2"`. */
function valueOf({ value, value_text }: LabFields): LabFields {
  if (value_text !== undefined && value === undefined) return { value: parseNumber(value_text ?? '')?.value ?? null };
  if (value !== undefined && value_text === undefined) return { value_text: value === null ? null : String(value) };
  return {};
}

/**
 * Compares the value with the reference range; null without a range. A text result keeps its flag as long as the text
 * is the same.
 */
function isAbnormal(after: Row, before: Row | null): boolean | null {
  const { value, value_text, reference_range_low: low, reference_range_high: high } = after;
  if (value === null) return before !== null && before.value_text === value_text ? before.is_abnormal : null;
  return low === null && high === null ? null : isOutside(value, comparatorOf(value_text), { low, high });
}
