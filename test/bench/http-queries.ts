import type { Database } from '../../src-main/platform/database/connection.ts';
import { COMMON_WORD } from './seed-large.ts';
import type { Query } from './http-peer.ts';

const PATIENT = 2;

const DOCUMENT_SELECT = `SELECT d.*, p.display_name AS patient_name, dr.canonical_display AS doctor_name,
  f.canonical_display AS facility_name, s.canonical_display AS specialty_canonical_display,
  s.canonical_code AS specialty_canonical_code, e.title AS event_title, e.event_type, e.color AS event_color
  FROM documents AS d LEFT JOIN patients AS p ON p.id = d.patient_id LEFT JOIN doctors AS dr ON dr.id = d.doctor_id
  LEFT JOIN facilities AS f ON f.id = d.facility_id LEFT JOIN norm_specialties AS s ON s.id = d.norm_specialty_id
  LEFT JOIN events AS e ON e.id = d.event_id`;
const VISIBLE = '(+d.patient_id IN (1, 2, 3, 4) OR +d.patient_id IS NULL)';
const RESULT_SELECT = `SELECT l.*, n.canonical_display AS test_name_canonical, n.canonical_code, n.unit_preferred,
  d.original_filename AS document_filename, d.doc_type AS document_doc_type, d.event_date AS document_doc_date
  FROM lab_results AS l LEFT JOIN norm_lab_tests AS n ON n.id = l.norm_lab_test_id
  LEFT JOIN documents AS d ON d.id = l.document_id`;
const POINT_SELECT = `SELECT l.*, coalesce(l.test_date, d.event_date) AS date, d.original_filename,
  f.canonical_display AS laboratory FROM lab_results AS l LEFT JOIN documents AS d ON d.id = l.document_id
  LEFT JOIN facilities AS f ON f.id = d.facility_id`;
const search = (word: string, limit: string): Query => [
  `SELECT d.*, h.snippet FROM (SELECT rowid, snippet(documents_fts, -1, '<', '>', '…', 18) AS snippet
    FROM documents_fts WHERE documents_fts MATCH ? ${limit}) AS h JOIN (${DOCUMENT_SELECT}) AS d ON d.id = h.rowid
    WHERE ${VISIBLE}`,
  word,
];

/** What the product is asked for, and the statements with which a bare handler would answer it. */
export function peerQueries(db: Database): { name: string; path: string; queries: readonly Query[] }[] {
  const one = (sql: string, ...values: (string | number)[]): string =>
    String(
      db
        .prepare(sql)
        .pluck()
        .get(...values),
    );
  const document = one('SELECT max(document_id) FROM lab_results WHERE patient_id = ?', PATIENT);
  const rare = one("SELECT 'wort' || 123");
  const test = one(
    `SELECT norm_lab_test_id FROM lab_results WHERE patient_id = ? AND norm_lab_test_id IS NOT NULL
      GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
    PATIENT,
  );
  const children = ['encounters', 'medications', 'vaccinations', 'invoice_items', 'document_sections'];
  return [
    {
      name: 'list',
      path: '/api/documents?limit=50',
      queries: [[`${DOCUMENT_SELECT} WHERE ${VISIBLE} ORDER BY d.event_date DESC, d.id DESC LIMIT 50`]],
    },
    {
      name: 'search',
      path: `/api/documents?limit=50&q=${COMMON_WORD}`,
      queries: [search(COMMON_WORD, 'ORDER BY rowid DESC LIMIT 50')],
    },
    { name: 'search, rare', path: `/api/documents?limit=50&q=${rare}`, queries: [search(rare, 'ORDER BY rank')] },
    {
      name: 'document',
      path: `/api/documents/${document}`,
      queries: [
        [`${DOCUMENT_SELECT} WHERE d.id = ?`, document],
        ['SELECT * FROM document_texts WHERE id = ?', document],
        [`${RESULT_SELECT} WHERE l.document_id = ? ORDER BY l.id`, document],
        ...children.map((table): Query => [`SELECT * FROM ${table} WHERE document_id = ?`, document]),
      ],
    },
    {
      name: 'labs',
      path: `/api/lab-results?patient_id=${PATIENT}&limit=50`,
      queries: [[`${RESULT_SELECT} WHERE l.patient_id = ? ORDER BY l.test_date DESC, l.id DESC LIMIT 50`, PATIENT]],
    },
    {
      name: 'labs, 500',
      path: `/api/lab-results?patient_id=${PATIENT}`,
      queries: [[`${RESULT_SELECT} WHERE l.patient_id = ? ORDER BY l.test_date DESC, l.id DESC LIMIT 500`, PATIENT]],
    },
    {
      name: 'trend',
      path: `/api/lab-results/series?patient_id=${PATIENT}&test=n:${test}`,
      queries: [[`${POINT_SELECT} WHERE l.patient_id = ? AND l.norm_lab_test_id = ?`, PATIENT, test]],
    },
  ];
}
