import { Readable } from 'node:stream';
import type { LiveMessage } from '../../src-shared/contract/live.ts';
import type { PageText } from '../../src-shared/medical/page.ts';
import { createEventBus } from '../../src-main/platform/kernel/events.ts';
import { createAccess } from '../../src-main/platform/access/access.ts';
import { loadConfig } from '../../src-main/platform/config/load.ts';
import { createCatchUp } from '../../src-main/platform/database/catch-up.ts';
import { createDocuments, type Documents } from '../../src-main/features/documents/service.ts';
import { readStoredError } from '../../src-main/platform/kernel/stored-error.ts';
import { readDocument } from '../../src-main/reading/extraction/read-document.ts';
import { createKnowledge } from '../../src-main/reading/knowledge/service.ts';
import { createSynonyms } from '../../src-main/reading/knowledge/synonyms.ts';
import { createNameResolver } from '../../src-main/features/names/resolver.ts';
import { createPipeline, type Pipeline } from '../../src-main/reading/pipeline/pipeline.ts';
import type { JobTools } from '../../src-main/reading/pipeline/run.ts';
import type { Outcome, ReadOutcome } from '../../src-main/reading/providers/provider.ts';
import { printedPage } from '../fixtures/printed-page.ts';
import { openTestVault, testLog, type TestVault } from './vault.ts';

const noEngine = () => Promise.reject(new Error('nothing is recognized here'));
const REPORT = [
  'Synlabor Mittelland AG',
  'Laborbefund',
  'Patient: Elena Keller',
  'Probenentnahme: 12.11.2025',
  'Ferritin    23   µg/L   30 - 300',
];

/** An engine under the test's control in place of OCR; extraction is the built-in reader. */
export interface TestEngine {
  /** Original file names in the order in which their reading began. */
  began: string[];
  /** Documents whose extraction began. */
  extracted: string[];
  /** What the next readings return; one page of a laboratory report by default. */
  answer: (
    name: string,
    options: { signal: AbortSignal; onPage: (current: number, total: number) => void; mustBeQuick?: boolean },
  ) => Promise<Outcome<ReadOutcome>> | Outcome<ReadOutcome>;
  extraction: (name: string) => Promise<void> | void;
  thumbnail: () => Outcome<true>;
}

export const pagesRead = (count: number = 1): Outcome<ReadOutcome> => ({
  ok: true,
  value: {
    pages: Array.from({ length: count }, (_, index): PageText => printedPage(REPORT, index + 1)),
    ocr_engine: 'builtin',
  },
});
/** A stage that never ends, not even when it is aborted. */
export const hangs = (): Promise<never> => new Promise(() => undefined);

function createTestEngine(): TestEngine {
  return {
    began: [],
    extracted: [],
    answer: () => pagesRead(),
    extraction: () => undefined,
    thumbnail: () => ({ ok: true, value: true }),
  };
}

export interface TestPipeline extends TestVault {
  pipeline: Pipeline;
  documents: Documents;
  engine: TestEngine;
  messages: LiveMessage[];
  /** Uploads a file for the patient; returns the id of the document. */
  add(name: string, bytes?: number): Promise<number>;
  start(): Promise<void>;
  row(id: number): {
    status: string;
    error_message: string | null;
    retry_count: number;
    process_at: string | null;
    file_path: string;
  };
  events(id: number): {
    stage: string;
    status: string;
    message: string | null;
    page_current: number | null;
    page_total: number | null;
  }[];
  jobs(): { document_id: number; state: string; attempts: number; not_before: string | null }[];
}

/** Queue, worker and the real documents feature over a real vault. Nothing runs before `start`. */
export function openTestPipeline(root?: string): TestPipeline {
  const vault = openTestVault(root);
  const { db, clock } = vault;
  const engine = createTestEngine();
  const messages: LiveMessage[] = [];
  const announce = (message: LiveMessage): void => void messages.push(message);
  const access = createAccess({ db });
  const pipeline = createPipeline({
    db,
    clock,
    log: testLog(),
    root: vault.root,
    announce,
    hasProvider: (kind, id) => kind !== 'vision' && id === null,
    uploadMode: () => 'both',
    queues: () => [],
    watch: () => ({ enabled: false, pollSeconds: 5 }),
    rules: () => ({ retryInterval: 300, maxRetries: 3 }),
    toolsFor: (job, document, options): JobTools => ({
      provider: () => 'builtin',
      hasModel: false,
      async readFile() {
        engine.began.push(document.original_filename);
        return engine.answer(document.original_filename, { ...options, mustBeQuick: !job.options.isSlow });
      },
      async extract(pages, context) {
        engine.extracted.push(document.original_filename);
        await engine.extraction(document.original_filename);
        return { ok: true, value: readDocument(pages, context) };
      },
      classifyPages: () => Promise.resolve(new Map()),
      see: async (pages, { context }) => ({ ok: true, value: readDocument(pages, context) }),
      makeThumbnail: async () => engine.thumbnail(),
      translation: {
        ...documents.translations.toolsOf(document.id, noEngine),
        translate: async () => ({ ok: false, reason: 'unconfigured', code: 'model.not_set_up' }),
      },
    }),
  });
  let ids = 0;
  const documents = createDocuments({
    events: createEventBus(),
    hasTranslator: () => false,
    shares: () => ({ isOpenFor: () => false, noteTranslation: () => undefined }),
    readContents: () => Promise.reject(new Error('no imaging here')),
    wrapImage: () => Promise.reject(new Error('no imaging here')),
    dicom: { file: () => Promise.reject(new Error('no imaging here')) },
    testNames: () => null,
    db,
    vault: vault.vault,
    clock,
    ids: () => `document-${(ids += 1)}`,
    log: testLog(),
    config: loadConfig(
      { 'vault.path': vault.root },
      { XDG_CONFIG_HOME: vault.root, APPDATA: vault.root, HOME: vault.root },
    ),
    access,
    synonyms: createSynonyms(),
    names: createNameResolver({
      db,
      clock,
      access,
      knowledge: createKnowledge(),
      language: () => 'en',
      events: createEventBus(),
    }),
    queue: pipeline,
    announce,
    catchUp: createCatchUp({ db, clock, log: testLog(), transaction: vault.vault.transaction }),
    pages: {
      inspect: async () => ({ pages: 1 }),
      pageImage: async () => null,
      thumbnail: async () => ({ data: new Uint8Array(), type: 'image/webp' }),
    },
  });
  db.prepare(
    "INSERT INTO patients (slug, display_name, created_at) SELECT 'elena-keller', 'Elena Keller', " +
      "'x' WHERE NOT EXISTS (SELECT 1 FROM patients)",
  ).run();
  return {
    ...vault,
    pipeline,
    documents,
    engine,
    messages,
    async add(name, bytes = 100) {
      await documents.importFile(Readable.from([Buffer.from(`%PDF-1.7 ${name}`.padEnd(bytes))]), name, 1);
      return db.prepare('SELECT max(id) FROM documents').pluck().get() as number;
    },
    start: () => pipeline.start(documents.store),
    row: (id) => {
      const row = db
        .prepare('SELECT status, error_message, retry_count, process_at, file_path FROM documents WHERE id = ?')
        .get(id) as ReturnType<TestPipeline['row']>;
      return { ...row, error_message: readStoredError(row.error_message).text };
    },
    events: (id) =>
      (
        db
          .prepare(
            'SELECT stage, status, message, page_current, page_total FROM stage_events WHERE document_id = ? ORDER BY id',
          )
          .all(id) as ReturnType<TestPipeline['events']>
      ).map((event) => ({ ...event, message: readStoredError(event.message).text })),
    jobs: () =>
      db.prepare('SELECT document_id, state, attempts, not_before FROM jobs ORDER BY id').all() as ReturnType<
        TestPipeline['jobs']
      >,
  };
}
