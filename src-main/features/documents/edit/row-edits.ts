import type { LiveMessage } from '../../../../src-shared/contract/live.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import type { EditableKind } from './user-edits.ts';
import { reindexDocument } from '../list/text-index.ts';
import type { WriteRepository } from '../write-repository.ts';

type Values = Record<string, unknown>;
interface EditableRow {
  document_id: number | null;
  edited_fields: string[] | null;
  read_key: string | null;
}

export interface RowEditDeps {
  db: Database;
  clock: Clock;
  repository: WriteRepository;
  announce: (message: LiveMessage) => void;
  changed: () => void;
}

export type RowEdits = ReturnType<typeof createRowEdits>;

const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Read, not added by hand; a row that was read before readings had keys counts by being untouched. */
const wasRead = (row: EditableRow): boolean => row.read_key !== null || row.edited_fields === null;

/**
 * What features that own rows of a document (results, visits, medicines, vaccinations) tell when a person changes one:
 * it is remembered as a correction, searched by its new words, and shown on open pages. `edited`, `removed` and `touched` are
 * part of the transaction that changes the row; `told` comes after it.
 */
export function createRowEdits({ db, clock, repository, announce, changed }: RowEditDeps) {
  const now = (): string => toTimestamp(clock.now());
  return {
    /** Records the changes; answers the `edited_fields` to write with them, which keep the row when the document is read again. */
    edited(kind: EditableKind, before: EditableRow & Values, fields: Values): string[] {
      const changes = Object.keys(fields).filter((field) => fields[field] !== before[field]);
      if (before.document_id !== null && wasRead(before)) {
        repository.recordRowCorrections(
          before.document_id,
          changes.map((field) => ({
            field: `${kind}.${field}`,
            old_value: textOf(before[field]),
            new_value: textOf(fields[field]),
          })),
          now(),
        );
      }
      return [...new Set([...(before.edited_fields ?? []), ...changes])];
    },
    /** Records that a person removed a row that was read, so that the next reading leaves it out. */
    removed(kind: EditableKind, row: EditableRow & Values): void {
      if (row.document_id !== null && wasRead(row))
        repository.recordRowCorrections(
          row.document_id,
          [{ field: kind, old_value: JSON.stringify(row), new_value: null }],
          now(),
        );
    },
    /** Puts the words of the document's rows into its search text. */
    touched(documentId: number | null): void {
      if (documentId === null) return;
      repository.update(documentId, { updated_at: now() });
      reindexDocument(db, documentId);
    },
    told(documentId: number | null): void {
      const row = documentId === null ? undefined : repository.get(documentId);
      if (!row) return;
      changed();
      announce({
        kind: 'document',
        document_id: row.id,
        patient_id: row.patient_id,
        status: row.status,
        change: 'updated',
      });
    },
  };
}
