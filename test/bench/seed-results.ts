import type { Database } from '../../src-main/platform/database/connection.ts';
import { createKnowledge, type LabTestEntry } from '../../src-main/reading/knowledge/service.ts';
import { unitText } from '../../src-shared/medical/ucum-code.ts';

/**
 * Tests that a patient has. Results spread over them unevenly, as in life: the most frequent has some ten times those
 * of the rarest.
 */
const TESTS_EACH = 250;
const SKEW = 20;
const EVENTS_EACH = 150;
const MEDICINES = 10_000;

interface Printed {
  name: string;
  norm: number | null;
  unit: string | null;
  low: number | null;
  high: number | null;
  typical: number;
}

/**
 * Lab results of every kind over the documents that are there: two units, copies, comparators, words, results without
 * an entry or a document.
 */
export function seedResults(
  db: Database,
  { results, patients, random }: { results: number; patients: number; random: () => number },
): void {
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const tests = createKnowledge()
    .entries('lab_tests')
    .filter((entry) => entry.specimen === 'blood')
    .slice(0, TESTS_EACH);
  const entry = db.prepare(
    'INSERT INTO norm_lab_tests (canonical_code, canonical_display, loinc_code, category, ' +
      'unit_preferred, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const prints = db.transaction(() =>
    tests.map((test, index) =>
      printsOf(
        test,
        Number(
          entry.run(test.canonicalCode, test.names.en, test.code, test.category, test.unit, '2026-01-01T00:00:00')
            .lastInsertRowid,
        ),
        index,
      ),
    ),
  );
  const shares = cumulative(prints.map((_, index) => 1 / (index + SKEW)));
  const documents = db.prepare('SELECT id, patient_id, event_date FROM documents ORDER BY id').all() as {
    id: number;
    patient_id: number;
    event_date: string | null;
  }[];
  const insert =
    db.prepare(`INSERT INTO lab_results (document_id, patient_id, test_name_original, norm_lab_test_id, value,
      value_text, unit, reference_range_low, reference_range_high, is_abnormal, panel_name, test_date)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const BATCH = 20_000;
  for (let from = 0; from < results; from += BATCH)
    db.transaction(() => {
      for (let n = from; n < Math.min(from + BATCH, results); n += 1) {
        const document = pick(documents);
        const drawn = random();
        const print = pick(prints[shares.findIndex((share) => share >= drawn)] ?? prints[0] ?? []);
        const value = Number((print.typical * (0.5 + random())).toPrecision(3));
        const kind = random();
        const plain = kind < 0.05 ? 'negativ' : String(value);
        const text = kind < 0.03 ? `<${value}` : plain;
        const isOut = (print.low !== null && value < print.low) || (print.high !== null && value > print.high);
        const row = [
          print.name,
          print.norm,
          text === 'negativ' ? null : value,
          text,
          print.unit,
          print.low,
          print.high,
          Number(isOut),
          'Chemie',
          document.event_date,
        ];
        insert.run(random() < 0.01 ? null : document.id, document.patient_id, ...row);
        // The report came again.
        if (kind > 0.98 && n + 1 < results) {
          n += 1;
          insert.run(pick(documents).id, document.patient_id, ...row);
        }
      }
    });
  db.transaction(() => {
    const event = db.prepare(
      'INSERT INTO events (patient_id, title, slug, event_type, date_start, created_at, updated_at) ' +
        "VALUES (?, ?, ?, 'treatment', ?, '2026-01-01T00:00:00', '2026-01-01T00:00:00')",
    );
    for (let patient = 1; patient <= patients; patient += 1)
      for (let n = 0; n < EVENTS_EACH; n += 1)
        event.run(patient, `Episode ${n}`, `episode-${n}`, `${2000 + below(26)}-0${1 + below(9)}-11`);
    const medicine = db.prepare('INSERT INTO medications (document_id, brand_name, dosage) VALUES (?, ?, ?)');
    for (let n = 0; n < Math.min(MEDICINES, documents.length); n += 1)
      medicine.run(pick(documents).id, `Brand ${below(400)}`, '500 mg');
  });
}

/** The ways in which laboratories print a test: by entry or not, in German or English, in its unit or in mass. */
function printsOf(test: LabTestEntry, norm: number, index: number): Printed[] {
  const typical = 5 + ((index * 37) % 200);
  const unit = test.unit === null ? null : unitText(test.unit);
  const plain: Printed = {
    name: test.names.de,
    norm: index % 5 === 0 ? null : norm,
    unit,
    low: typical * 0.7,
    high: typical * 1.3,
    typical,
  };
  const english: Printed = { ...plain, name: test.names.en, low: typical * 0.6 };
  if (test.molarMass === null || unit !== 'mmol/L') return [plain, plain, english];
  const mass = test.molarMass / 10;
  return [
    plain,
    plain,
    english,
    { ...plain, unit: 'mg/dL', typical: typical * mass, low: typical * 0.7 * mass, high: typical * 1.3 * mass },
  ];
}

function cumulative(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return weights.map((weight) => (sum += weight) / total);
}
