/**
 * Uploads a corpus to the running product, reads it back through the API and scores it: `npm run bench reading [--
 * --corpus DIR]
 * [--engine builtin|tesseract_cli] [--speed]`. Without `../shared/corpus` beside the project it says so and ends.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Client } from '../support/client.ts';
import { serve } from '../support/serve.ts';
import { measureSpeed } from './reading-speed.ts';

const SHARED = fileURLToPath(new URL('../../../shared/corpus', import.meta.url));
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
const truths = new Map(
  readdirSync(join(corpus, 'truth'))
    .sort()
    .map((file) => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(corpus, 'truth', file), 'utf8')) as Truth,
    ]),
);
const served = await serve({ env: { VAULT_OCR_ENGINE: values.engine, VAULT_PIPELINE_WATCH: 'false' } });
try {
  const person = new Client(served.url);
  const people = new Map([...truths.values()].map((truth) => [truth.patient_name, truth.date_of_birth]));
  const [[first, born] = ['Nobody Else', null], ...others] = people;
  await person.setup(first, born ?? null);
  for (const [display_name, date_of_birth] of others)
    await person.post('/api/patients', { display_name, date_of_birth });
  const ids = new Map<string, number>();
  for (const file of truths.keys()) {
    const { status, body } = await person.upload(readFileSync(join(corpus, 'documents', file)), file, null);
    if (status === 201) ids.set(file, body.document_id);
    else process.stdout.write(`${file}: ${status} ${body.code ?? body.status}\n`);
  }
  await person.idle(1800);
  const predictions: Record<string, unknown> = {};
  for (const [file, id] of ids) {
    const { body: d } = await person.get(`/api/documents/${id}`);
    predictions[file] = {
      doc_type: d.doc_type,
      language: d.language_source,
      event_date: d.event_date,
      issued_date: d.issued_date,
      doctor_name: d.doctor_name,
      facility_name: d.facility_name,
      specialty: d.specialty_original,
      patient_name: d.extracted_patient_name,
      lab_results: d.lab_results,
      medications: d.medications,
      vaccinations: d.vaccinations,
      text: d.ocr_text,
      diagnoses: d.encounters
        .filter((row: { diagnosis_original: string | null }) => row.diagnosis_original)
        .map((row: { diagnosis_original: string; diagnosis_code: string | null }) => ({
          text: row.diagnosis_original,
          icd10: row.diagnosis_code,
        })),
    };
  }
  const folder = mkdtempSync(join(tmpdir(), 'hearth-score-'));
  const score = (name: string, files: string[]): string => {
    const predicted = join(folder, `${name}.json`),
      truth = join(folder, name);
    execFileSync('mkdir', ['-p', truth]);
    for (const file of files)
      writeFileSync(join(truth, `${file}.json`), readFileSync(join(corpus, 'truth', `${file}.json`)));
    writeFileSync(predicted, JSON.stringify(predictions));
    return execFileSync(process.execPath, [scorer, truth, predicted]).toString();
  };
  const labs = [...truths].filter(([, truth]) => truth.lab_results.length > 0);
  const labF1 = (name: string, wanted: (form: string) => boolean): string =>
    /lab_results\s+([\d.]+)/.exec(
      score(
        name,
        labs.filter(([, truth]) => wanted(truth.form)).map(([file]) => file),
      ),
    )?.[1] ?? '–';
  process.stdout.write(
    `${score('all', [...truths.keys()])}\nlab_results F1: born-digital ` +
      `${labF1('digital', (form) => form === 'pdf')}, scans and photos ` +
      `${labF1('scanned', (form) => form !== 'pdf')} (${values.engine})\n`,
  );
  if (values.json) writeFileSync(values.json, JSON.stringify(predictions));
  rmSync(folder, { recursive: true, force: true });
} finally {
  await served.remove();
}
