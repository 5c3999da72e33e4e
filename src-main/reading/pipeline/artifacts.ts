import { createHash } from 'node:crypto';
import type { PageText } from '../../../src-shared/medical/page.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Step } from './flow.ts';
import type { DocumentStore, DocumentToRead, PackedPage, ReadOutcome } from './ports.ts';
import type { Job } from './queue.ts';
import type { ArtifactName, Artifacts } from './stage.ts';

/**
 * Results of finished stages, stored until the job ends, so that a restart continues after the last finished stage.
 * An artifact's key follows from the stage's version and the keys of what it read; another key, and it is made again.
 */
export interface ArtifactStore {
  /** Artifacts of a step that an earlier run of this job made from the same input; null when any is missing. */
  recall(documentId: number, step: Step, keys: ReadonlyMap<ArtifactName, string>): Promise<Partial<Artifacts> | null>;
  /**
   * Keeps what a step made, and gives readings and extractions to the documents. Within a transaction; what takes
   * long was prepared before.
   */
  keep(
    documentId: number,
    step: Step,
    made: Partial<Artifacts>,
    keys: ReadonlyMap<ArtifactName, string>,
    prepared: Prepared,
  ): void;
  /** The job ended. */
  clear(documentId: number): void;
}

export interface Prepared {
  provider: string;
  pages: readonly PageText[];
  packed: readonly PackedPage[];
}

const hash = (parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * The key of what is given: another file, turn, patient or option starts afresh. Fields such as the path do not
 * count.
 */
export function documentKey(document: DocumentToRead, job: Job): string {
  const { interruptions: _interruptions, ...options } = job.options;
  return hash([document.file_hash, document.page_turns, document.patient_id, options]);
}

/** The key of a step's artifacts. */
export const stepKey = (step: Step, keys: ReadonlyMap<ArtifactName, string>): string =>
  hash([step.name, step.version, step.needs.map((name) => keys.get(name) ?? null)]);

export function createArtifactStore(db: Database, store: DocumentStore): ArtifactStore {
  /** Page texts lie with the document already; keeping them twice would cost as much as the reading's own rows. */
  const toKept = (name: ArtifactName, value: unknown): unknown =>
    name === 'reading' ? { ocr_engine: (value as ReadOutcome).ocr_engine } : value;
  const restoreStored = async (documentId: number, name: ArtifactName, stored: unknown): Promise<unknown> =>
    name === 'reading'
      ? { ...(stored as { ocr_engine: string | null }), pages: await store.loadPages(documentId) }
      : stored;

  return {
    async recall(documentId, step, keys) {
      const key = stepKey(step, keys);
      const found: [ArtifactName, unknown][] = [];
      for (const name of step.makes) {
        const row = db
          .prepare('SELECT data FROM job_artifacts WHERE document_id = ? AND name = ? AND key = ?')
          .get(documentId, name, key) as { data: string } | undefined;
        if (!row) return null;
        found.push([name, await restoreStored(documentId, name, JSON.parse(row.data))]);
      }
      return Object.fromEntries(found) as Partial<Artifacts>;
    },
    keep(documentId, step, made, keys, { provider, pages, packed }) {
      const key = stepKey(step, keys);
      for (const name of step.makes) {
        db.prepare('DELETE FROM job_artifacts WHERE document_id = ? AND name = ?').run(documentId, name);
        db.prepare('INSERT INTO job_artifacts (document_id, name, key, data) VALUES (?, ?, ?, ?)').run(
          documentId,
          name,
          key,
          JSON.stringify(toKept(name, made[name])),
        );
      }
      if (made.reading) store.saveReading(documentId, made.reading, packed);
      if (made.extraction) store.saveExtraction(documentId, made.extraction, provider, pages);
    },
    clear: (documentId) => void db.prepare('DELETE FROM job_artifacts WHERE document_id = ?').run(documentId),
  };
}
