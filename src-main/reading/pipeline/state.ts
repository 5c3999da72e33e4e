import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import type { Database } from '../../platform/database/connection.ts';

export type RecentError = PipelineStatus['recent_errors'][number];

/** Why the pipeline is paused: by a user, or automatically after repeated failures. */
export interface Stopped {
  automatic: boolean;
  error: ErrorReference | null;
}

const MAX_RECENT_ERRORS = 20;

/** Totals and the pause switch, which survive restarts. */
export interface PipelineState {
  totals(): { processed: number; errors: number };
  countProcessed(): void;
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

  return {
    totals: () => ({ processed: read('total_processed', 0), errors: read('total_errors', 0) }),
    countProcessed: () => write('total_processed', read('total_processed', 0) + 1),
    countError: (error) =>
      db.transaction(() => {
        write('total_errors', read('total_errors', 0) + 1);
        write('recent_errors', [...read<RecentError[]>('recent_errors', []), error].slice(-MAX_RECENT_ERRORS));
      }),
    recentErrors: () => read<RecentError[]>('recent_errors', []),
    stopState: () => read<Stopped | null>('stopped', null),
    setStopped: (stopped) => write('stopped', stopped),
  };
}
