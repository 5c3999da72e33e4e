import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDocument } from '../../src-main/reading/extraction/read-document.ts';
import { countDoubts } from '../bench/reading-doubt.ts';
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

let pages: ReturnType<typeof startPageReading>;
beforeAll(() => {
  pages = startPageReading();
});
afterAll(() => pages.close());

/** Reads the digital papers of a corpus and scores them. */
async function readSubset(name: string) {
  const folder = join(SHARED, name);
  const truths = mkdtempSync(join(tmpdir(), 'hearth-truth-'));
  const predicted: Record<string, unknown> = {};
  const doubts = { wrong: 0, wrongMarked: 0, right: 0, rightMarked: 0 };
  try {
    mkdirSync(join(truths, 'truth'));
    for (const file of DIGITAL[name] ?? []) {
      const printed = readFileSync(join(folder, 'truth', `${file}.json`), 'utf8');
      writeFileSync(join(truths, 'truth', `${file}.json`), printed);
      const truth = JSON.parse(printed) as { lab_results: Parameters<typeof countDoubts>[0] };
      const read = await pages.read(join(folder, 'documents', file), 'application/pdf');
      const found = readDocument(read.pages, {
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
    return { ...(JSON.parse(table) as { overall: number; lab_results: number }), doubts };
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
