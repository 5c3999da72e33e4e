/**
 * Fills a vault with many fictional documents and lab results, without files: `npm run seed:large -- DIR [--documents
 * 100000] [--results 500000]`. Repeatable.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { openDatabase, type Database } from '../../src-main/platform/database/connection.ts';
import { DOCUMENT_TYPES } from '../../src-shared/medical/document-type.ts';
import { seedResults } from './seed-results.ts';

const WORDS = (
  'ferritin hämoglobin kontrolle befund verlauf patient therapie blutdruck puls herz lunge leber ' +
  'niere knie schulter rücken schmerz müdigkeit fieber husten allergie penicillin metformin ramipril ' +
  'pantoprazol ibuprofen apixaban röntgen sonographie magnetresonanz thorax abdomen diagnose ' +
  'hypertonie diabetes migräne asthma gastritis arthrose fraktur operation narkose wunde naht ' +
  'entlassung eintritt austritt zuweisung hausarzt spital praxis labor serum plasma urin natrium ' +
  'kalium kreatinin cholesterin triglyzeride glukose thrombozyten leukozyten erythrozyten impfung ' +
  'tetanus grippe masern rechnung betrag zahlung versicherung franken konsultation'
).split(' ');
/** A fifth of all documents contain this word. */
export const COMMON_WORD = 'verlaufskontrolle';
const PATIENTS = 4,
  DOCTORS = 300,
  FACILITIES = 120,
  SPECIALTIES = 40,
  RARE_WORDS = 20_000,
  WORDS_EACH = 180;

/** Mulberry32 (public domain). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function seed(db: Database, documents: number, results: number = documents * 5): void {
  const random = randomFrom(42);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const below = (n: number): number => Math.floor(random() * n);
  const now = '2026-01-01T00:00:00';
  db.transaction(() => {
    db.prepare(
      'INSERT INTO users (id, username, username_key, display_name, role, created_at) VALUES (1, ' +
        "'ann', 'ann', 'Ann', 'admin', ?)",
    ).run(now);
    for (let i = 1; i <= PATIENTS; i += 1) {
      db.prepare('INSERT INTO patients (id, slug, display_name, created_at) VALUES (?, ?, ?, ?)').run(
        i,
        `patient-${i}`,
        `Patient ${i}`,
        now,
      );
      db.prepare("INSERT INTO patient_access (user_id, patient_id, role) VALUES (1, ?, 'owner')").run(i);
    }
    for (let i = 1; i <= DOCTORS; i += 1)
      db.prepare(
        'INSERT INTO doctors (id, canonical_code, canonical_display, name, created_at) VALUES (?, ?, ?, ?, ?)',
      ).run(i, `d-${i}`, `Dr. ${pick(WORDS)} ${i}`, `${pick(WORDS)} ${i}`, now);
    for (let i = 1; i <= FACILITIES; i += 1)
      db.prepare(
        'INSERT INTO facilities (id, canonical_code, canonical_display, name, created_at) VALUES (?, ?, ?, ?, ?)',
      ).run(i, `f-${i}`, `Klinik ${i}`, `Klinik ${i}`, now);
    for (let i = 1; i <= SPECIALTIES; i += 1)
      db.prepare(
        'INSERT INTO norm_specialties (id, canonical_code, canonical_display, created_at) VALUES (?, ?, ?, ?)',
      ).run(i, `s-${i}`, `Fach ${i}`, now);
  });
  const insert = db.prepare(`INSERT INTO documents (id, patient_id, file_path, original_filename, mime_type, doc_type,
      event_date, issued_date, date_received, doctor_id, facility_id, norm_specialty_id, summary_en, tags,
      page_count, file_size, file_hash, status, uploaded_by_user_id, created_at, updated_at)
    VALUES (?, ?, ?, ?, 'application/pdf', ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1000, ?, ?, 1, ?, ?)`);
  const texts = db.prepare('INSERT INTO document_texts (id, title, body, people, labels) VALUES (?, ?, ?, ?, ?)');
  const tags = db.prepare('INSERT INTO document_tags (document_id, tag) VALUES (?, ?)');
  const BATCH = 5000;
  for (let from = 1; from <= documents; from += BATCH)
    db.transaction(() => {
      for (let id = from; id < Math.min(from + BATCH, documents + 1); id += 1) {
        const date =
          random() < 0.03
            ? null
            : `${2000 + below(26)}-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(28)).padStart(2, '0')}`;
        const patient = 1 + below(PATIENTS);
        const words = Array.from({ length: WORDS_EACH }, () =>
          random() < 0.15 ? `wort${below(RARE_WORDS)}` : pick(WORDS),
        );
        if (random() < 0.2) words.splice(below(words.length), 0, COMMON_WORD);
        const stamp = `20${10 + below(16)}-${String(1 + below(12)).padStart(2, '0')}-01T00:00:00`;
        insert.run(
          id,
          patient,
          `patients/patient-${patient}/${id}.pdf`,
          `${pick(WORDS)}-${id}.pdf`,
          pick(DOCUMENT_TYPES),
          date,
          date,
          date,
          random() < 0.1 ? null : 1 + below(DOCTORS),
          random() < 0.1 ? null : 1 + below(FACILITIES),
          random() < 0.5 ? null : 1 + below(SPECIALTIES),
          `${pick(WORDS)} ${pick(WORDS)}.`,
          id % 7 === 0 ? 'wichtig' : null,
          `${id}`.padStart(64, '0'),
          random() < 0.05 ? 'needs_review' : 'done',
          stamp,
          stamp,
        );
        texts.run(id, `document-${id}.pdf`, words.join(' '), `Patient ${patient}`, pick(WORDS));
        if (id % 7 === 0) tags.run(id, 'wichtig');
      }
    });
  seedResults(db, { results, patients: PATIENTS, random });
  db.sqlite.exec("INSERT INTO documents_fts (documents_fts) VALUES ('optimize')");
  db.sqlite.pragma('optimize');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {
    values,
    positionals: [folder],
  } = parseArgs({
    allowPositionals: true,
    options: { documents: { type: 'string', default: '100000' }, results: { type: 'string', default: '500000' } },
  });
  if (!folder) throw new Error('usage: npm run seed:large -- DIR [--documents N] [--results N]');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'vault.db');
  if (existsSync(file)) throw new Error(`${file} exists already`);
  const db = openDatabase(file);
  seed(db, Number(values.documents), Number(values.results));
  db.close();
  process.stdout.write(`${values.documents} documents and ${values.results} lab results in ${folder}\n`);
}
