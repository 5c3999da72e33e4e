import type { LabDoubt } from '../../../../src-shared/contract/lab-doubt.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { notifyChanged, type NotifyDeps } from '../notify.ts';
import type { EditableKind } from './user-edits.ts';
import { correctSummary } from './summary.ts';
import { doubtfulRowsIn, withMoreDoubtfulRows } from './review-reasons.ts';
import { HISTORY_DOUBTS } from '../reading/history-doubts.ts';
import { reindexDocument } from '../list/text-index-repository.ts';

type Doubts = readonly LabDoubt[] | null;
type Values = Record<string, unknown>;
interface EditableRow {
  document_id: number | null;
  edited_fields: string[] | null;
  read_key: string | null;
}

export interface RowEditDeps extends NotifyDeps {
  db: Database;
  clock: Clock;
}

export type RowEdits = ReturnType<typeof createRowEdits>;

/**
 * Follow-up of a user's change to a row of a document (result, encounter, medication, vaccination): the change is
 * recorded as a correction, indexed for search and announced. All but `notifyChanged` are part of the transaction that
 * changes the row.
 */
export function createRowEdits(deps: RowEditDeps) {
  return {
    recordEdit: (kind: EditableKind, before: EditableRow & Values, fields: Values): string[] =>
      recordRowEdit(deps, kind, before, fields),
    recordRemoval: (kind: EditableKind, row: EditableRow & Values): void => recordRowRemoval(deps, kind, row),
    /** Adds the words of the document's rows to its summary and search text. */
    reindexDocument(documentId: number | null): void {
      if (documentId === null) return;
      correctSummary(deps.repository, documentId);
      deps.repository.update(documentId, { updated_at: toTimestamp(deps.clock.now()) });
      reindexDocument(deps.db, documentId);
    },
    /** Follows a change of a result's doubts: its document is to be reviewed as long as rows need a check. */
    recountDoubts: (documentId: number | null, before: Doubts, after: Doubts): void =>
      recountDoubts(deps, documentId, before, after),
    notifyChanged: (documentId: number | null): void => notifyChanged(deps, documentId === null ? [] : [documentId]),
  };
}

/** Reading counts no row as doubtful only because earlier results of the person differ. */
export const isCounted = (doubts: Doubts): boolean => (doubts ?? []).some((code) => !HISTORY_DOUBTS.has(code));

function recountDoubts(deps: RowEditDeps, documentId: number | null, before: Doubts, after: Doubts): void {
  if (documentId !== null) countDoubtful(deps, documentId, Number(isCounted(after)) - Number(isCounted(before)));
}

/** Asks about the doubtful results of a document again, after one was restored. */
export function reopenDoubts(deps: Pick<RowEditDeps, 'repository'>, documentId: number): void {
  const doubtful = deps.repository.doubts(documentId, 'all').filter(isCounted).length;
  const counted = doubtfulRowsIn(deps.repository.get(documentId)?.review_reasons ?? []);
  countDoubtful(deps, documentId, Math.max(0, doubtful - counted));
}

/** Counts so many more, or fewer, doubtful rows of a document, and reviews or reopens it. */
function countDoubtful({ repository }: Pick<RowEditDeps, 'repository'>, documentId: number, step: number): void {
  const document = step === 0 ? undefined : repository.get(documentId);
  if (!document) return;
  const { review_reasons, status, patient_id, patient_undecided } = document;
  const remaining = withMoreDoubtfulRows(review_reasons ?? [], step);
  const isDecided = patient_id !== null && !patient_undecided;
  const isReviewed = status === 'needs_review' && remaining.length === 0 && isDecided;
  const isOpenAgain = status === 'done' && step > 0;
  repository.update(document.id, {
    review_reasons: remaining,
    ...(isReviewed && { status: 'done' as const }),
    ...(isOpenAgain && { status: 'needs_review' as const }),
  });
}

/**
 * Records changed fields; returns the row's new `edited_fields`, which protect the row when its document is read again.
 */
export function recordRowEdit(
  { repository, clock }: RowEditDeps,
  kind: EditableKind,
  before: EditableRow & Values,
  fields: Values,
): string[] {
  const changes = Object.keys(fields).filter((field) => fields[field] !== before[field]);
  if (before.document_id !== null && isFromReading(before)) {
    repository.recordRowCorrections(
      before.document_id,
      changes.map((field) => ({
        field: `${kind}.${field}`,
        old_value: textOf(before[field]),
        new_value: textOf(fields[field]),
      })),
      toTimestamp(clock.now()),
    );
  }
  return [...new Set([...(before.edited_fields ?? []), ...changes])];
}

/** Records that a user removed an extracted row, so that the next reading omits it. */
export function recordRowRemoval(
  { repository, clock }: RowEditDeps,
  kind: EditableKind,
  row: EditableRow & Values,
): void {
  if (row.document_id === null || !isFromReading(row)) return;
  const removal = { field: kind, old_value: JSON.stringify(row), new_value: null };
  repository.recordRowCorrections(row.document_id, [removal], toTimestamp(clock.now()));
}

/**
 * Whether the row was extracted rather than added by a user. Rows from before read keys existed count as extracted as
 * long as they are unedited.
 */
const isFromReading = (row: EditableRow): boolean => row.read_key !== null || row.edited_fields === null;

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
