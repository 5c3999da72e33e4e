/**
 * Uploads a corpus to the running product, reads it back through the API and scores it:
 * `npm run bench reading [-- --corpus DIR] [--engine builtin|tesseract_cli] [--speed]`.
 * On the shared corpus the scores must reach `BARS`; a lower one ends with status 1.
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
import { measureSpeed } from './reading-speed.ts';

const SHARED = fileURLToPath(new URL('../../../shared/corpus', import.meta.url));
/** Lowest scores on the shared corpus: all fields, and lab results by how the document was made. */
const BARS = { overall: 99, digitalLabs: 99, scannedLabs: 96 };
const READ_ALL_SECONDS = 1800;

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: SHARED },
    engine: { type: 'string', default: 'builtin' },
    speed: { type: 'boolean' },
    json: { type: 'string' },
  },
});
const corpus = resolve(values.corpus);
const scorer = join(SHARED, 'score.mjs');
if (!existsSync(join(corpus, 'truth')) || !existsSync(scorer)) {
  process.stdout.write(`bench reading is skipped: there is no corpus in ${corpus}.\n`);
  process.exit(0);
}
if (values.speed) {
  await measureSpeed(join(corpus, 'documents'));
  process.exit(0);
}

interface Truth {
  patient_name: string;
  date_of_birth: string;
  form: string;
  lab_results: unknown[];
}
type Predictions = Record<string, unknown>;

const truths = new Map(
  readdirSync(join(corpus, 'truth'))
    .sort()
    .map((file) => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(corpus, 'truth', file), 'utf8')) as Truth,
    ]),
);
const predictions = await readCorpus();
if (values.json) writeFileSync(values.json, JSON.stringify(predictions));
process.exitCode = report(predictions) || corpus !== SHARED ? 0 : 1;

async function readCorpus(): Promise<Predictions> {
  const served = await serve({ env: { VAULT_OCR_ENGINE: values.engine, VAULT_PIPELINE_WATCH: 'false' } });
  try {
    const client = new Client(served.url);
    await createPatients(client);
    const ids = await uploadDocuments(client);
    await client.idle(READ_ALL_SECONDS);
    const found: Predictions = {};
    for (const [file, id] of ids) found[file] = predictionOf((await client.get(`/api/documents/${id}`)).body);
    return found;
  } finally {
    await served.remove();
  }
}

async function createPatients(client: Client): Promise<void> {
  const patients = new Map([...truths.values()].map((truth) => [truth.patient_name, truth.date_of_birth]));
  const [[first, born] = ['Nobody Else', null], ...others] = patients;
  await client.setup(first, born ?? null);
  for (const [display_name, date_of_birth] of others)
    await client.post('/api/patients', { display_name, date_of_birth });
}

async function uploadDocuments(client: Client): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const file of truths.keys()) {
    const { status, body } = await client.upload(readFileSync(join(corpus, 'documents', file)), file, null);
    if (status === 201) ids.set(file, body.document_id);
    else process.stdout.write(`${file}: ${status} ${body.code ?? body.status}\n`);
  }
  return ids;
}

/** A document of the API in the fields of the corpus. */
// oxlint-disable-next-line typescript/no-explicit-any -- the client returns replies unparsed
function predictionOf(document: any): unknown {
  return {
    doc_type: document.doc_type,
    language: document.language_source,
    event_date: document.event_date,
    issued_date: document.issued_date,
    doctor_name: document.doctor_name,
    facility_name: document.facility_name,
    specialty: document.specialty_original,
    patient_name: document.extracted_patient_name,
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
function score(found: Predictions, files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-score-'));
  try {
    const truth = join(folder, 'truth'),
      predicted = join(folder, 'predicted.json');
    mkdirSync(truth);
    for (const file of files)
      writeFileSync(join(truth, `${file}.json`), readFileSync(join(corpus, 'truth', `${file}.json`)));
    writeFileSync(predicted, JSON.stringify(found));
    return execFileSync(process.execPath, [scorer, truth, predicted]).toString();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function numberIn(table: string, row: string): number {
  return Number(new RegExp(String.raw`^${row}\s+([\d.]+)`, 'm').exec(table)?.[1]);
}

/** Lab score of the documents with results whose form fits; null when there are none. */
function labScore(found: Predictions, isForm: (form: string) => boolean): number | null {
  const files = [...truths].flatMap(([file, truth]) =>
    truth.lab_results.length > 0 && isForm(truth.form) ? [file] : [],
  );
  return files.length === 0 ? null : numberIn(score(found, files), 'lab_results');
}

/** Prints the scores; true if all of them reach their bars. */
function report(found: Predictions): boolean {
  const table = score(found, [...truths.keys()]);
  const digital = labScore(found, (form) => form === 'pdf');
  const scanned = labScore(found, (form) => form !== 'pdf');
  process.stdout.write(`${table}
lab_results F1: born-digital ${digital ?? '–'}, scans and photos ${scanned ?? '–'} (${values.engine})
`);
  const checks = [
    ['overall', numberIn(table, 'overall'), BARS.overall],
    ['lab results, born-digital', digital, BARS.digitalLabs],
    ['lab results, scans and photos', scanned, BARS.scannedLabs],
  ] as const;
  const missed = checks.filter(([, value, bar]) => value !== null && !(value >= bar));
  for (const [name, value, bar] of missed) process.stdout.write(`below the bar: ${name} ${value}, at least ${bar}\n`);
  return missed.length === 0;
}
