import { createHash } from 'node:crypto';
import type { PageText } from '../../../src-shared/medical/page.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Step } from './flow.ts';
import type { ReadOutcome } from '../providers/provider.ts';
import type { DocumentStore, DocumentToRead, PackedPage } from './ports.ts';
import type { Job } from './queue.ts';
import type { ArtifactName, Artifacts } from './stage.ts';

/**
 * Results of finished stages, stored until the job ends, so that a restart continues after the last finished stage. The
 * key of an artifact is derived from the version of the stage and the keys of its input; if the key changes, the stage
 * runs again.
 */
export interface ArtifactStore {
  /** Artifacts that an earlier run of this job made from the same input; null if any is missing. */
  recall(documentId: number, step: Step, keys: ReadonlyMap<ArtifactName, string>): Promise<Partial<Artifacts> | null>;
  /**
   * Stores the results of a step, and saves readings and extractions to the documents. Runs within a transaction, so
   * slow work has to be done before.
   */
  keep(
    documentId: number,
    step: Step,
    made: Partial<Artifacts>,
    keys: ReadonlyMap<ArtifactName, string>,
    prepared: Prepared,
  ): void;
  /** The pages that an earlier run of a job has translated from the same texts. */
  recallTranslation(documentId: number, key: string): TranslatedPages | null;
  keepTranslation(documentId: number, key: string, pages: TranslatedPages): void;
  forgetTranslation(documentId: number): void;
  /** Deletes all artifacts of a job that ended. */
  clear(documentId: number): void;
}

export interface TranslatedPages {
  /** In order, from the first page. */
  texts: string[];
  /** The model of the last of them. */
  model: string;
}

export interface Prepared {
  provider: string;
  pages: readonly PageText[];
  packed: readonly PackedPage[];
}

/** SHA-256 of the parts as JSON, in hexadecimal digits. */
export const hash = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * The key of the initial input: another file, rotation, patient or option starts from the beginning. Fields such as the
 * path are ignored.
 */
export function documentKey(document: DocumentToRead, job: Job): string {
  const { interruptions: _interruptions, ...options } = job.options;
  return hash([document.file_hash, document.page_turns, document.patient_id, options]);
}

/** The name of what a job has translated so far; no stage has it. */
const TRANSLATION = 'translation';

/** The key of a step's artifacts. */
export const stepKey = (step: Step, keys: ReadonlyMap<ArtifactName, string>): string =>
  hash([step.name, step.version, step.needs.map((name) => keys.get(name) ?? null)]);

export function createArtifactStore(db: Database, store: DocumentStore): ArtifactStore {
  /** Page texts are stored with the document already; storing them twice would take as long as saving the reading. */
  const toStored = (name: ArtifactName, value: unknown): unknown =>
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
          JSON.stringify(toStored(name, made[name])),
        );
      }
      if (made.reading) store.saveReading(documentId, made.reading, packed);
      if (made.extraction) store.saveExtraction(documentId, made.extraction, provider, pages);
    },
    recallTranslation(documentId, key) {
      const data = db
        .prepare('SELECT data FROM job_artifacts WHERE document_id = ? AND name = ? AND key = ?')
        .pluck()
        .get(documentId, TRANSLATION, key) as string | undefined;
      return data === undefined ? null : (JSON.parse(data) as TranslatedPages);
    },
    keepTranslation(documentId, key, pages) {
      this.forgetTranslation(documentId);
      db.prepare('INSERT INTO job_artifacts (document_id, name, key, data) VALUES (?, ?, ?, ?)').run(
        ...[documentId, TRANSLATION, key, JSON.stringify(pages)],
      );
    },
    forgetTranslation: (documentId) =>
      void db.prepare('DELETE FROM job_artifacts WHERE document_id = ? AND name = ?').run(documentId, TRANSLATION),
    clear: (documentId) => void db.prepare('DELETE FROM job_artifacts WHERE document_id = ?').run(documentId),
  };
}
