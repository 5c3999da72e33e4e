/**
 * Uploads sets of documents to the running product, reads them back through the API and scores them:
 * `npm run bench reading [-- --set shared|layouts|blind|sealed|all] [--corpus DIR] [--engine builtin|tesseract_cli]
 * [--only REGEX] [--model perfect|lying] [--confusion] [--speed]`. The scores must reach the bars of their set; a lower one ends with status 1.
 * With a model, a stand-in of a service answers with the truth, or with lies, of which none may be filed unmarked.
 * The blind sets are generated for the run. `--confusion` prints which types were read in place of others, by language.
 * Without `../shared/corpus` beside the project it says so and ends.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Client } from '../support/client.ts';
import { serve } from '../support/serve.ts';
import { LIES, startKnowingModel, type KnowingModel, type KnownDocument } from '../fakes/knowing-model.ts';
import { confusionOf, type TypedDocument } from './reading-confusion.ts';
import { countDoubts, type DoubtCount } from './reading-doubt.ts';
import { inOrderOfDays } from './reading-order.ts';
import { measureSpeed } from './reading-speed.ts';

const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url));
const GENERATOR = fileURLToPath(new URL('../fixtures/corpus/generate.ts', import.meta.url));
const READ_ALL_SECONDS = 1800;

/**
 * Lowest scores of a set in percent: fields of the scorer, laboratory rows by how the document was made, and doubts.
 */
interface Bars {
  overall: number;
  lab_results?: number;
  medications?: number;
  patient_name?: number;
  digitalLabs?: number;
  scannedLabs?: number;
}
/** Share of wrong laboratory rows that is marked as doubtful at least, and of right ones at most, in percent. */
const MIN_WRONG_MARKED = 80,
  MAX_RIGHT_MARKED = 4;
const BARS: Record<string, Bars> = {
  shared: { overall: 97, digitalLabs: 99, scannedLabs: 95 },
  layouts: { overall: 96, lab_results: 95, medications: 90, patient_name: 100 },
  blind: { overall: 96 },
  sealed: { overall: 96 },
};

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'shared' },
    corpus: { type: 'string' },
    engine: { type: 'string', default: 'builtin' },
    only: { type: 'string', default: '' },
    speed: { type: 'boolean' },
    model: { type: 'string' },
    confusion: { type: 'boolean' },
    json: { type: 'string' },
  },
});

/** With a model that knows the truth, nothing may be lost between its answer and the record. */
const PERFECT: Bars = { overall: 99 };

interface Truth extends TypedDocument, KnownDocument {
  patient_name: string;
  date_of_birth: string;
  doctor_name: string | null;
  form: string;
  lab_results: Parameters<typeof countDoubts>[0] & KnownDocument['lab_results'];
}
interface Corpus {
  folder: string;
  truths: Map<string, Truth>;
}
interface Prediction {
  doc_type: string;
  text?: string;
  date_of_birth: string | null;
  doctor_name: string | null;
  lab_results: Parameters<typeof countDoubts>[1];
}
type Predictions = Record<string, Prediction>;

const scorer = join(SHARED, 'corpus/score.mjs');
if (!existsSync(scorer)) process.stdout.write(`bench reading is skipped: there is no ${scorer}.\n`);
else if (values.speed) await measureSpeed(join(values.corpus ?? join(SHARED, 'corpus'), 'documents'));
else {
  const names = values.set === 'all' ? Object.keys(BARS) : [values.set];
  const judged = values.corpus ? [await judge('corpus', resolve(values.corpus))] : await judgeSets(names);
  process.exitCode = judged.every(Boolean) ? 0 : 1;
}

async function judgeSets(names: readonly string[]): Promise<boolean[]> {
  const judged: boolean[] = [];
  for (const name of names) {
    if (!BARS[name]) throw new Error(`unknown set ${name}; one of ${Object.keys(BARS).join(', ')}, all`);
    if (name === 'shared' || name === 'layouts') {
      judged.push(await judge(name, join(SHARED, name === 'shared' ? 'corpus' : 'corpus-layouts')));
      continue;
    }
    const folder = mkdtempSync(join(tmpdir(), 'hearth-blind-'));
    try {
      execFileSync(process.execPath, [GENERATOR, folder, '--set', name], { stdio: 'ignore' });
      judged.push(await judge(name, folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return judged;
}

/** Reads and scores one set; true if it reaches its bars. */
async function judge(name: string, folder: string): Promise<boolean> {
  const isWanted = new RegExp(values.only);
  const files = readdirSync(join(folder, 'truth')).map((file) => file.replace(/\.json$/, ''));
  const truthOf = (file: string): Truth =>
    JSON.parse(readFileSync(join(folder, 'truth', `${file}.json`), 'utf8')) as Truth;
  const wanted = files.filter((file) => isWanted.test(file)).sort();
  const corpus: Corpus = { folder, truths: new Map(wanted.map((file) => [file, truthOf(file)])) };
  const predictions = await readCorpus(corpus);
  if (values.json) writeFileSync(values.json, JSON.stringify(predictions));
  if (values.confusion) {
    const types = new Map(Object.entries(predictions).map(([file, { doc_type }]) => [file, doc_type]));
    process.stdout.write(`${name}: types by language\n${confusionOf(corpus.truths, types)}\n`);
  }
  return report(name, corpus, predictions);
}

async function readCorpus(corpus: Corpus): Promise<Predictions> {
  const model = values.model ? await startKnowingModel(values.model as 'perfect' | 'lying') : null;
  const served = await serve({ env: { VAULT_OCR_ENGINE: values.engine, VAULT_PIPELINE_WATCH: 'false' } });
  try {
    const client = new Client(served.url);
    await createPatients(client, corpus);
    if (model) await setUpModel(client, model);
    const ids = await uploadDocuments(client, corpus, model);
    await client.idle(READ_ALL_SECONDS);
    const found: Predictions = {};
    for (const [file, id] of ids) {
      const read = predictionOf((await client.get(`/api/documents/${id}`)).body);
      found[file] = {
        ...read,
        lab_results: inOrderOfDays(corpus.truths.get(file)?.lab_results ?? [], read.lab_results),
      };
    }
    return found;
  } finally {
    await served.remove();
    await model?.close();
  }
}

async function setUpModel(client: Client, { url }: KnowingModel): Promise<void> {
  const entry = { type: 'openai', name: 'Stand-in', model: 'stand-in', base_url: `${url}/v1` };
  const { status } = await client.call('PUT', '/api/settings/llm-providers', [entry]);
  if (status !== 200) throw new Error(`the model was not set up: ${status}`);
}

async function createPatients(client: Client, { truths }: Corpus): Promise<void> {
  const patients = new Map([...truths.values()].map((truth) => [truth.patient_name, truth.date_of_birth]));
  const [[first, born] = ['Nobody Else', null], ...others] = patients;
  await client.setup(first, born ?? null);
  for (const [display_name, date_of_birth] of others)
    await client.post('/api/patients', { display_name, date_of_birth });
}

/** A model has to know which document it is asked about, so each is read before the next one is uploaded. */
async function uploadDocuments(
  client: Client,
  { folder, truths }: Corpus,
  model: KnowingModel | null,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const [file, truth] of truths) {
    if (model) model.known = truth;
    const { status, body } = await client.upload(readFileSync(join(folder, 'documents', file)), file, null);
    if (status === 201) ids.set(file, body.document_id);
    else process.stdout.write(`${file}: ${status} ${body.code ?? body.status}\n`);
    if (model) await client.idle(READ_ALL_SECONDS);
  }
  return ids;
}

/** A document of the API in the fields of the corpus. */
// oxlint-disable-next-line typescript/no-explicit-any -- the client returns replies unparsed
function predictionOf(document: any): Prediction & Record<string, unknown> {
  return {
    doc_type: document.doc_type,
    language: document.language_source,
    event_date: document.event_date,
    issued_date: document.issued_date,
    doctor_name: document.doctor_name,
    facility_name: document.facility_name,
    specialty: document.specialty_original,
    patient_name: document.extracted_patient_name,
    date_of_birth: document.extracted_birth_date,
    lab_results: document.lab_results,
    medications: document.medications,
    vaccinations: document.vaccinations,
    text: document.ocr_text,
    diagnoses: document.encounters
      .filter((row: { diagnosis_original: string | null }) => row.diagnosis_original)
      .map((row: { diagnosis_original: string; diagnosis_code: string | null }) => ({
        text: row.diagnosis_original,
        icd10: row.diagnosis_code,
      })),
  };
}

/** The table of the scorer for some of the files. */
function score({ folder }: Corpus, found: Predictions, files: readonly string[]): string {
  const scored = mkdtempSync(join(tmpdir(), 'hearth-score-'));
  try {
    const truth = join(scored, 'truth'),
      predicted = join(scored, 'predicted.json');
    mkdirSync(truth);
    for (const file of files)
      writeFileSync(join(truth, `${file}.json`), readFileSync(join(folder, 'truth', `${file}.json`)));
    writeFileSync(predicted, JSON.stringify(found));
    return execFileSync(process.execPath, [scorer, truth, predicted]).toString();
  } finally {
    rmSync(scored, { recursive: true, force: true });
  }
}

function numberIn(table: string, row: string): number {
  return Number(new RegExp(String.raw`^${row}\s+([\d.]+)`, 'm').exec(table)?.[1]);
}

/** Lab score of the documents with results whose form fits; null when there are none. */
function labScore(corpus: Corpus, found: Predictions, isForm: (form: string) => boolean): number | null {
  const files = [...corpus.truths].flatMap(([file, truth]) =>
    truth.lab_results.length > 0 && isForm(truth.form) ? [file] : [],
  );
  return files.length === 0 ? null : numberIn(score(corpus, found, files), 'lab_results');
}

function doubtsOf({ truths }: Corpus, found: Predictions): DoubtCount {
  const counts = [...truths].map(([file, truth]) => countDoubts(truth.lab_results, found[file]?.lab_results ?? []));
  const sum = (key: keyof DoubtCount): number => counts.reduce((total, count) => total + count[key], 0);
  return {
    wrong: sum('wrong'),
    wrongMarked: sum('wrongMarked'),
    right: sum('right'),
    rightMarked: sum('rightMarked'),
  };
}

/** What the scorer leaves out: birth dates, and doctors of documents that name none. */
function peopleOf({ truths }: Corpus, found: Predictions): string {
  const pairs = [...truths].map(([file, truth]) => ({ truth, read: found[file] }));
  const born = pairs.filter(({ truth, read }) => read?.date_of_birth === truth.date_of_birth).length;
  const nameless = pairs.filter(({ truth }) => truth.doctor_name === null);
  const invented = nameless.filter(({ read }) => read?.doctor_name).length;
  return `birth dates: ${born} of ${pairs.length}; doctors where none is named: ${invented} of ${nameless.length}`;
}

/** The documents whose record has a value that the lying model made up. */
function liesIn(found: Predictions): string[] {
  const lying = Object.entries(found).filter(([, { text: _text, ...read }]) =>
    Object.values(LIES).some((lie) => JSON.stringify(read).includes(lie)),
  );
  for (const [file] of lying) process.stdout.write(`a lie is filed: ${file}\n`);
  return lying.map(([file]) => file);
}

/** Prints the scores; true if all of them reach their bars. */
function report(name: string, corpus: Corpus, found: Predictions): boolean {
  const table = score(corpus, found, [...corpus.truths.keys()]);
  const digital = labScore(corpus, found, (form) => form === 'pdf');
  const scanned = labScore(corpus, found, (form) => form !== 'pdf');
  const { wrong, wrongMarked, right, rightMarked } = doubtsOf(corpus, found);
  const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);
  process.stdout.write(`${name}
${table}
lab_results F1: born-digital ${digital ?? '–'}, scans and photos ${scanned ?? '–'} (${values.engine})
lab rows marked as doubtful: ${wrongMarked} of ${wrong} wrong, ${rightMarked} of ${right} right
${peopleOf(corpus, found)}
`);
  if (values.model === 'lying') return liesIn(found).length === 0 && wrongMarked === wrong;
  const bars = values.model === 'perfect' ? PERFECT : BARS[name];
  if (!bars) return true;
  const checks: [string, number | null, number | undefined][] = [
    ...(['overall', 'lab_results', 'medications', 'patient_name'] as const).map(
      (field): [string, number, number | undefined] => [field, numberIn(table, field), bars[field]],
    ),
    ['lab results, born-digital', digital, bars.digitalLabs],
    ['lab results, scans and photos', scanned, bars.scannedLabs],
    ['wrong lab rows marked', wrong === 0 ? null : percent(wrongMarked, wrong), MIN_WRONG_MARKED],
    ['right lab rows not marked', 100 - percent(rightMarked, right), 100 - MAX_RIGHT_MARKED],
  ];
  const missed = checks.filter(([, value, bar]) => value !== null && bar !== undefined && !(value >= bar));
  for (const [field, value, bar] of missed)
    process.stdout.write(`below the bar: ${field} ${value?.toFixed(1)}, at least ${bar}\n`);
  return missed.length === 0;
}
