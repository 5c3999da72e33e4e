import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDocument } from '../../src-main/reading/extraction/read-document.ts';
import { systemClock } from '../../src-main/platform/kernel/clock.ts';
import type { Config } from '../../src-main/platform/config/config.ts';
import type { Extraction, ReaderContext } from '../../src-main/reading/extraction/extraction.ts';
import { createLocalModels } from '../../src-main/reading/providers/local/local-models.ts';
import { createModelReader } from '../../src-main/reading/providers/models/model-reader.ts';
import { createServices } from '../../src-main/reading/providers/services.ts';
import type { PageText } from '../../src-shared/medical/page.ts';
import { countDoubts } from '../bench/reading-doubt.ts';
import { LIES, startKnowingModel, type Honesty, type KnownDocument } from '../fakes/knowing-model.ts';
import { startPageReading } from '../support/page-reading.ts';

const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url));
const SCORER = join(SHARED, 'corpus/score.mjs');
const hasCorpus = existsSync(SCORER) && existsSync(join(SHARED, 'corpus-layouts'));
/** Born-digital papers of every kind, which are read without OCR; `npm run bench reading` reads all. */
const DIGITAL: Record<string, readonly string[]> = {
  corpus: ['004_report568.pdf', '011_file203.pdf', '018_doc344.pdf', '021_file929.pdf', '028_IMG160.pdf'],
  'corpus-layouts': ['201_endbefund.pdf', '203_laborblatt_ch.pdf', '206_questlike.pdf', '217_medikationsplan.pdf'],
};
const MIN_OVERALL = 96;
type Filed = { text?: string; review_reasons: readonly { code: string }[] } & Record<string, unknown>;

let pages: ReturnType<typeof startPageReading>;
beforeAll(() => {
  pages = startPageReading();
});
afterAll(() => pages.close());

/** Papers are read once, whoever reads the text. */
const texts = new Map<string, ReturnType<typeof pages.read>>();

type Read = (known: KnownDocument, text: readonly PageText[], context: ReaderContext) => Promise<Extraction>;
const byRules: Read = (_known, text, context) => Promise.resolve(readDocument(text, context));

/** Reads with a stand-in of a model, through the client of its service. */
async function withModel<T>(honesty: Honesty, use: (read: Read) => Promise<T>): Promise<T> {
  const model = await startKnowingModel(honesty);
  const limits = { 'llm.extraction_timeout': 300, 'llm.max_concurrent_requests': 1, 'llm.max_retries': 0 };
  const services = createServices({
    config: { ...limits, 'llm.retry_backoff_seconds': [1], 'privacy.nothing_leaves': true } as unknown as Config,
    ...{ clock: systemClock, ownPorts: () => [] },
    local: createLocalModels({ clock: systemClock, folder: '' }),
  });
  const entry = { id: 'm', type: 'openai', name: 'Stand-in', enabled: true, apiKey: '', model: 'stand-in' };
  const reader = createModelReader({
    services,
    entries: [{ ...entry, baseUrl: `${model.url}/v1`, timeoutSeconds: null, credential: null }],
    rules: {
      type: 'builtin',
      extract: (text, context) => Promise.resolve({ ok: true, value: readDocument(text, context) }),
      close: () => Promise.resolve(),
    },
    prompt: (key) => key,
    onPassedOver: ({ code }) => expect.unreachable(code),
  });
  try {
    return await use(async (known, text, context) => {
      model.known = known;
      const found = await reader.extract(text, context, { signal: new AbortController().signal });
      if (!found.ok) throw new Error(found.code);
      return found.value;
    });
  } finally {
    await model.close();
  }
}

/** Reads the digital papers of a corpus and scores them. */
async function readSubset(name: string, readWith: Read = byRules) {
  const folder = join(SHARED, name);
  const truths = mkdtempSync(join(tmpdir(), 'hearth-truth-'));
  const predicted: Record<string, Filed> = {};
  const doubts = { wrong: 0, wrongMarked: 0, right: 0, rightMarked: 0 };
  try {
    mkdirSync(join(truths, 'truth'));
    for (const file of DIGITAL[name] ?? []) {
      const printed = readFileSync(join(folder, 'truth', `${file}.json`), 'utf8');
      writeFileSync(join(truths, 'truth', `${file}.json`), printed);
      const truth = JSON.parse(printed) as KnownDocument & { lab_results: Parameters<typeof countDoubts>[0] };
      const text = texts.get(file) ?? pages.read(join(folder, 'documents', file), 'application/pdf');
      texts.set(file, text);
      const read = await text;
      const found = await readWith(truth, read.pages, {
        patient: null,
        household: [],
        isOnlyPatient: false,
        today: '2026-11-23',
        original_filename: file,
      });
      const count = countDoubts(truth.lab_results, found.lab_results);
      for (const key of Object.keys(doubts) as (keyof typeof doubts)[]) doubts[key] += count[key];
      predicted[file] = {
        ...found,
        doc_type: found.doc_type.value,
        language: found.language?.value,
        event_date: found.event_date?.value,
        issued_date: found.issued_date?.value ?? null,
        doctor_name: found.doctor_name?.value,
        facility_name: found.facility_name?.value,
        patient_name: found.patient.name?.value,
        text: read.pages.map((page) => page.text).join('\n'),
      };
    }
    writeFileSync(join(truths, 'predicted.json'), JSON.stringify(predicted));
    const table = execFileSync(process.execPath, [
      SCORER,
      join(truths, 'truth'),
      join(truths, 'predicted.json'),
      '--json',
    ]).toString();
    return { ...(JSON.parse(table) as { overall: number; lab_results: number }), doubts, predicted };
  } finally {
    rmSync(truths, { recursive: true, force: true });
  }
}

it.skipIf(!hasCorpus).each(Object.keys(DIGITAL))('reads born-digital papers of %s', async (name) => {
  const { overall, lab_results, doubts } = await readSubset(name);
  expect(overall).toBeGreaterThan(MIN_OVERALL);
  expect(lab_results).toBeGreaterThan(0.97);
  expect(doubts.rightMarked).toBeLessThanOrEqual(0.04 * doubts.right);
});

it.skipIf(!hasCorpus).each(Object.keys(DIGITAL))(
  'loses nothing of %s between the answers of a perfect model and the record',
  async (name) => {
    const { overall } = await withModel('perfect', (read) => readSubset(name, read));
    expect(overall).toBeGreaterThanOrEqual(99);
  },
);

it.skipIf(!hasCorpus).each(Object.keys(DIGITAL))('files no lie of a model about %s unmarked', async (name) => {
  const { doubts, predicted } = await withModel('lying', (read) => readSubset(name, read));
  const filed = Object.entries(predicted).map(([file, { text: _text, review_reasons, ...read }]) => ({
    file,
    lies: Object.values(LIES).filter((lie) => JSON.stringify(read).includes(lie)),
    isMarked: review_reasons.some(({ code }) => code === 'not_on_the_page'),
  }));
  expect(filed).toEqual(filed.map(({ file }) => ({ file, lies: [], isMarked: true })));
  expect(doubts.wrongMarked).toBe(doubts.wrong);
});
