import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import type { Database } from '../../platform/database/connection.ts';

export type RecentError = PipelineStatus['recent_errors'][number];

/** To whom a document belongs: its patient, or its uploader while it has none. */
export interface DocumentOwner {
  patientId: number | null;
  uploaderId: number | null;
}

interface Totals {
  processed: number;
  errors: number;
}

/** Why the pipeline is paused: by a user, or automatically after repeated failures. */
export interface Stopped {
  automatic: boolean;
  error: ErrorReference | null;
}

const MAX_RECENT_ERRORS = 20;
const OWNER_PREFIX = 'ended ';

/** Totals and the pause switch, which survive restarts. */
export interface PipelineState {
  totals(): Totals;
  /** Totals by the owner that a document had when its reading ended. */
  totalsByOwner(): (DocumentOwner & Totals)[];
  countProcessed(documentId: number): void;
  countError(error: RecentError): void;
  recentErrors(): RecentError[];
  stopState(): Stopped | null;
  setStopped(stopped: Stopped | null): void;
}

export function createPipelineState(db: Database): PipelineState {
  const read = <T>(key: string, absent: T): T => {
    const text = db.prepare('SELECT value FROM pipeline_state WHERE key = ?').pluck().get(key) as string | undefined;
    return text === undefined ? absent : (JSON.parse(text) as T);
  };
  const write = (key: string, value: unknown): void =>
    void db
      .prepare(
        'INSERT INTO pipeline_state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      )
      .run(key, JSON.stringify(value));

  const countFor = (documentId: number, outcome: keyof Totals): void => {
    const owner = ownerOf(db, documentId);
    if (!owner) return;
    const key = `${OWNER_PREFIX}${owner.patientId ?? 0} ${owner.patientId === null ? (owner.uploaderId ?? 0) : 0}`;
    const totals = read<Totals>(key, { processed: 0, errors: 0 });
    write(key, { ...totals, [outcome]: totals[outcome] + 1 });
  };

  return {
    totals: () => ({ processed: read('total_processed', 0), errors: read('total_errors', 0) }),
    totalsByOwner: () =>
      (
        db.prepare('SELECT key, value FROM pipeline_state WHERE key GLOB ?').all(`${OWNER_PREFIX}*`) as {
          key: string;
          value: string;
        }[]
      ).map(({ key, value }) => {
        const [patientId, uploaderId] = key.slice(OWNER_PREFIX.length).split(' ').map(Number);
        return { patientId: patientId || null, uploaderId: uploaderId || null, ...(JSON.parse(value) as Totals) };
      }),
    countProcessed: (documentId) =>
      db.transaction(() => {
        write('total_processed', read('total_processed', 0) + 1);
        countFor(documentId, 'processed');
      }),
    countError: (error) =>
      db.transaction(() => {
        write('total_errors', read('total_errors', 0) + 1);
        countFor(error.doc_id, 'errors');
        write('recent_errors', [...read<RecentError[]>('recent_errors', []), error].slice(-MAX_RECENT_ERRORS));
      }),
    recentErrors: () => read<RecentError[]>('recent_errors', []),
    stopState: () => read<Stopped | null>('stopped', null),
    setStopped: (stopped) => write('stopped', stopped),
  };
}

/** The owner of a document; undefined if it was deleted. */
export const ownerOf = (db: Database, documentId: number): DocumentOwner | undefined =>
  db
    .prepare('SELECT patient_id AS patientId, uploaded_by_user_id AS uploaderId FROM documents WHERE id = ?')
    .get(documentId) as DocumentOwner | undefined;
