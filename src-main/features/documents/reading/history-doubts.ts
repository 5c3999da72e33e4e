import type { LabDoubt } from '../../../../src-shared/contract/lab-doubt.ts';
import type { Database } from '../../../platform/database/connection.ts';

/** A stored number of a document with what else identifies its test. */
interface Result {
  id: number;
  patient_id: number;
  norm_lab_test_id: number;
  value: number;
  unit: string | null;
  reference_range_low: number | null;
  reference_range_high: number | null;
  doubt: string | null;
}
type Earlier = Pick<Result, 'value' | 'reference_range_low' | 'reference_range_high'> & { is_same_house: 0 | 1 };

/** With fewer earlier results there is no curve to compare with. */
const MIN_CURVE = 2;
const MAX_EARLIER = 8;
/** A number this many times above or below all earlier ones, or their spread, leaves the curve. */
const FAR = 4;
/** Bounds that differ by this factor are those of a lost decimal point, not of a new method. */
const RANGE_FACTOR = 3;

/** Doubts that come from comparing with other documents of the person. */
export const HISTORY_DOUBTS: ReadonlySet<LabDoubt> = new Set(['curve_differs', 'range_differs']);

const doubtsIn = (stored: string | null): LabDoubt[] => (stored === null ? [] : (JSON.parse(stored) as LabDoubt[]));
const withoutHistory = (stored: string | null): LabDoubt[] =>
  doubtsIn(stored).filter((code) => !HISTORY_DOUBTS.has(code));

const DOUBTED =
  'SELECT id, doubt FROM lab_results WHERE document_id = ? AND edited_fields IS NULL AND doubt IS NOT NULL';
const RESULTS = `SELECT id, patient_id, norm_lab_test_id, value, unit, reference_range_low, reference_range_high, doubt
  FROM lab_results WHERE document_id = ? AND edited_fields IS NULL AND value IS NOT NULL AND patient_id IS NOT NULL
  AND norm_lab_test_id IS NOT NULL`;
/** Earlier sure results of the test in the same unit, newest first. */
const EARLIER = `SELECT l.value, l.reference_range_low, l.reference_range_high,
  d.facility_id IS NOT NULL AND d.facility_id = (SELECT facility_id FROM documents WHERE id = @document) AS is_same_house
  FROM lab_results AS l LEFT JOIN documents AS d ON d.id = l.document_id
  WHERE l.patient_id = @patient AND l.norm_lab_test_id = @test AND l.unit IS @unit AND l.value IS NOT NULL
  AND l.document_id IS NOT @document AND (l.doubt IS NULL OR l.doubt = '[]')
  ORDER BY l.test_date DESC LIMIT ${MAX_EARLIER}`;

/**
 * Compares the results of a document with the person's own earlier ones and with the last range of the same laboratory:
 * `curve_differs` and `range_differs` are among their doubts only if they apply to this person. Call it whenever the
 * document was read or got another person. Joins a running transaction.
 */
export function compareWithHistory(db: Database, documentId: number): void {
  const update = db.prepare('UPDATE lab_results SET doubt = ? WHERE id = ?');
  for (const { id, doubt } of db.prepare(DOUBTED).all(documentId) as Pick<Result, 'id' | 'doubt'>[])
    if (withoutHistory(doubt).length < doubtsIn(doubt).length) update.run(JSON.stringify(withoutHistory(doubt)), id);
  for (const result of db.prepare(RESULTS).all(documentId) as Result[]) {
    const { patient_id: patient, norm_lab_test_id: test, unit } = result;
    const earlier = db.prepare(EARLIER).all({ document: documentId, patient, test, unit }) as Earlier[];
    const found: LabDoubt[] = [
      ...(leavesCurve(result, earlier) ? (['curve_differs'] as const) : []),
      ...(hasOtherRange(result, earlier) ? (['range_differs'] as const) : []),
    ];
    if (found.length === 0) continue;
    update.run(JSON.stringify([...withoutHistory(result.doubt), ...found]), result.id);
  }
}

function leavesCurve({ value }: Result, earlier: readonly Earlier[]): boolean {
  if (earlier.length < MIN_CURVE) return false;
  const values = earlier.map((one) => one.value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least > 0 && (value > FAR * most || value < least / FAR);
}

function hasOtherRange(result: Result, earlier: readonly Earlier[]): boolean {
  const last = earlier.find((one) => one.is_same_house === 1);
  if (!last) return false;
  const differs = (now: number | null, before: number | null): boolean =>
    now !== null && before !== null && now > 0 && before > 0 && Math.max(now / before, before / now) >= RANGE_FACTOR;
  return (
    differs(result.reference_range_low, last.reference_range_low) ||
    differs(result.reference_range_high, last.reference_range_high)
  );
}
