import type { BBox } from '../../../../src-shared/medical/page.ts';
import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { foldTerm } from '../../../../src-shared/medical/name-fold.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import type {
  AppointmentFact,
  CostFact,
  DiagnosisFact,
  DocumentFact,
  EpisodeFact,
  MedicineFact,
  Place,
  ResultFact,
  StayFact,
  VaccinationFact,
} from './facts.ts';

/**
 * Reads the record of one patient. Every statement binds the patient and reads `record_documents`, so that documents
 * of others and documents whose patient is undecided are never reached.
 */
export function createRecordRepository(db: Database) {
  return bindFirst(db, {
    results: listResults,
    medicines: listMedicines,
    diagnoses: listDiagnoses,
    vaccinations: listVaccinations,
    stays: listStays,
    episodes: listEpisodes,
    documents: listDocuments,
    appointments: listAppointments,
    costs: listCosts,
    ownNames: listOwnNames,
    namesOf: listPatientNames,
  });
}
export type RecordRepository = ReturnType<typeof createRecordRepository>;

interface Placed {
  id: number;
  document_id: number | null;
  evidence: string | null;
}
const placeOf = (kind: string, { id, document_id, evidence }: Placed): Place | null => {
  if (document_id === null) return null;
  const read = JSON.parse(evidence ?? 'null') as { page: number; bbox: BBox } | null;
  return { documentId: document_id, page: read?.page ?? null, bbox: read?.bbox ?? null, value: `${kind}:${id}` };
};

const all = <Row>(db: Database, sql: string, patientId: number): Row[] => db.prepare(sql).all(patientId) as Row[];

interface ResultRow extends Placed {
  code: string | null;
  name: string;
  value: number | null;
  value_text: string | null;
  unit: string | null;
  low: number | null;
  high: number | null;
  is_abnormal: number | null;
  date: string | null;
  doubt: string | null;
}

function outsideOf({ is_abnormal, value, low, high }: ResultRow): ResultFact['outside'] {
  if (is_abnormal !== 1) return null;
  if (value !== null && high !== null && value >= high) return 'high';
  return value !== null && low !== null && value <= low ? 'low' : 'abnormal';
}

/** Oldest first. */
const listResults = (db: Database, patientId: number): ResultFact[] =>
  all<ResultRow>(
    db,
    `SELECT l.id, d.id AS document_id, l.evidence, n.canonical_code AS code, l.test_name_original AS name, l.value,
      l.value_text, l.unit, l.reference_range_low AS low, l.reference_range_high AS high, l.is_abnormal,
      l.test_date AS date, l.doubt
    FROM lab_results AS l LEFT JOIN record_documents AS d ON d.id = l.document_id AND d.patient_id = l.patient_id
    LEFT JOIN norm_lab_tests AS n ON n.id = l.norm_lab_test_id
    WHERE l.patient_id = ? ORDER BY l.test_date, l.id`,
    patientId,
  ).map((row) => {
    const isDoubtful = row.doubt !== null && row.doubt !== '[]';
    return {
      testKey: row.code ?? foldTerm(row.name),
      printedName: row.name,
      date: row.date,
      value: row.value,
      text: row.value_text ?? String(row.value ?? ''),
      unit: row.unit,
      low: row.low,
      high: row.high,
      outside: isDoubtful ? null : outsideOf(row),
      isDoubtful,
      place: placeOf('lab', row),
    };
  });

interface MedicineRow extends Placed {
  code: string | null;
  canonical: string | null;
  atc: string | null;
  brand: string | null;
  substance: string | null;
  dosage: string | null;
  form: string | null;
  frequency: string | null;
  duration: string | null;
  date: string | null;
}

/** Oldest first. */
const listMedicines = (db: Database, patientId: number): MedicineFact[] =>
  all<MedicineRow>(
    db,
    `SELECT m.id, m.document_id, m.evidence, n.canonical_code AS code, n.canonical_display AS canonical,
      n.atc_code AS atc, m.brand_name AS brand, m.active_ingredient_original AS substance, m.dosage, m.form,
      m.frequency, m.duration, coalesce(m.prescribed_date, d.event_date) AS date
    FROM medications AS m JOIN record_documents AS d ON d.id = m.document_id
    LEFT JOIN norm_medications AS n ON n.id = m.norm_medication_id
    WHERE d.patient_id = ? ORDER BY date, m.id`,
    patientId,
  ).map((row) => {
    const name = row.brand ?? row.substance ?? row.canonical ?? '';
    return {
      entryKey: row.code ?? foldTerm(name),
      name,
      substance: row.canonical === name ? null : (row.canonical ?? row.substance),
      atc: row.atc,
      dosage: row.dosage,
      form: row.form,
      frequency: row.frequency,
      duration: row.duration,
      date: row.date,
      place: placeOf('medication', row),
    };
  });

interface EncounterRow extends Placed {
  code: string | null;
  canonical: string | null;
  diagnosis: string | null;
  icd: string | null;
  doctor: string | null;
  facility: string | null;
  specialty: string | null;
  date: string | null;
  admission: string | null;
  discharge: string | null;
  follow_up: string | null;
  instructions: string | null;
  done: string | null;
}
const ENCOUNTERS = `SELECT e.id, e.document_id, e.evidence, n.canonical_code AS code, n.canonical_display AS canonical,
    e.diagnosis_original AS diagnosis, e.diagnosis_code AS icd, dr.canonical_display AS doctor,
    f.canonical_display AS facility, coalesce(s.canonical_display, e.specialty_original, d.specialty_original)
    AS specialty, coalesce(e.encounter_date, d.event_date) AS date, e.admission_date AS admission,
    e.discharge_date AS discharge, e.follow_up_date AS follow_up, e.follow_up_instructions AS instructions,
    e.follow_up_done_date AS done
  FROM encounters AS e JOIN record_documents AS d ON d.id = e.document_id
  LEFT JOIN norm_diagnoses AS n ON n.id = e.norm_diagnosis_id
  LEFT JOIN doctors AS dr ON dr.id = coalesce(e.doctor_id, d.doctor_id)
  LEFT JOIN facilities AS f ON f.id = coalesce(e.facility_id, d.facility_id)
  LEFT JOIN norm_specialties AS s ON s.id = d.norm_specialty_id
  WHERE d.patient_id = ? ORDER BY date, e.id`;
const encounters = (db: Database, patientId: number): EncounterRow[] => all<EncounterRow>(db, ENCOUNTERS, patientId);

/** Oldest first. */
const listDiagnoses = (db: Database, patientId: number): DiagnosisFact[] =>
  encounters(db, patientId).flatMap((row) =>
    row.diagnosis === null
      ? []
      : [
          {
            entryKey: row.code ?? foldTerm(row.diagnosis),
            name: row.diagnosis,
            canonical: row.canonical,
            code: row.icd,
            doctor: row.doctor,
            date: row.date,
            place: placeOf('diagnosis', row),
          },
        ],
  );

/** Oldest first; one for each document. */
function listStays(db: Database, patientId: number): StayFact[] {
  const stays = new Map<number, StayFact>();
  for (const row of encounters(db, patientId))
    if (row.admission !== null && row.document_id !== null && !stays.has(row.document_id))
      stays.set(row.document_id, {
        date: row.admission,
        to: row.discharge,
        facility: row.facility,
        diagnosis: row.diagnosis,
        place: placeOf('diagnosis', row),
      });
  return [...stays.values()];
}

/** By date of the appointment. */
const listAppointments = (db: Database, patientId: number): AppointmentFact[] =>
  encounters(db, patientId)
    .filter(({ follow_up: date }) => date !== null)
    .map((row) => ({
      date: row.follow_up,
      doctor: row.doctor,
      facility: row.facility,
      specialty: row.specialty,
      instructions: row.instructions,
      isDone: row.done !== null,
      place: placeOf('diagnosis', row),
    }))
    .sort((a, b) => ((a.date ?? '') < (b.date ?? '') ? -1 : 1));

interface VaccinationRow extends Placed {
  name: string;
  lot: string | null;
  date: string | null;
}
/** Oldest first, without the printed line. */
const listVaccinations = (db: Database, patientId: number): Omit<VaccinationFact, 'line'>[] =>
  all<VaccinationRow>(
    db,
    `SELECT v.id, v.document_id, v.evidence, v.vaccine_name AS name, v.lot_number AS lot, v.date_administered AS date
    FROM vaccinations AS v JOIN record_documents AS d ON d.id = v.document_id
    WHERE d.patient_id = ? ORDER BY v.date_administered, v.id`,
    patientId,
  ).map((row) => ({ name: row.name, lot: row.lot, date: row.date, place: placeOf('vaccination', row) }));

interface EpisodeRow {
  id: number;
  title: string;
  type: string;
  date: string | null;
  end: string | null;
  ongoing: number;
  diagnosis: string | null;
  documents: string;
}
/** Oldest first; the first document of an episode is its source. */
const listEpisodes = (db: Database, patientId: number): EpisodeFact[] =>
  all<EpisodeRow>(
    db,
    `SELECT e.id, e.title, e.event_type AS type, e.date_start AS date, e.date_end AS end, e.is_ongoing AS ongoing,
      e.diagnosis_text AS diagnosis, (SELECT json_group_array(id) FROM (SELECT d.id FROM record_documents AS d
        LEFT JOIN event_documents AS x ON x.document_id = d.id AND x.event_id = e.id
        WHERE d.patient_id = e.patient_id AND (x.event_id IS NOT NULL OR d.event_id = e.id) ORDER BY d.event_date))
        AS documents
    FROM events AS e WHERE e.patient_id = ? ORDER BY e.date_start, e.id`,
    patientId,
  ).map((row) => {
    const documentIds = JSON.parse(row.documents) as number[];
    const [first] = documentIds;
    return {
      ...{ id: row.id, title: row.title, type: row.type, date: row.date, end: row.end, diagnosis: row.diagnosis },
      isOngoing: row.ongoing === 1,
      documentIds,
      place: first === undefined ? null : { documentId: first, page: null, bbox: null, value: null },
    };
  });

interface DocumentRow extends Placed {
  filename: string;
  title: string | null;
  type: DocumentType | null;
  date: string | null;
  doctor: string | null;
  facility: string | null;
  specialty: string | null;
  words: string | null;
  pages: number | null;
}
/** Newest first. */
const listDocuments = (db: Database, patientId: number): DocumentFact[] =>
  all<DocumentRow>(
    db,
    `SELECT d.id, d.id AS document_id, d.original_filename AS filename, d.title, d.doc_type AS type,
      d.event_date AS date, dr.canonical_display AS doctor, f.canonical_display AS facility,
      coalesce(s.canonical_display, d.specialty_original) AS specialty, t.labels AS words, d.page_count AS pages,
      json_extract(d.evidence, '$.doc_type') AS evidence
    FROM record_documents AS d LEFT JOIN document_texts AS t ON t.id = d.id
    LEFT JOIN doctors AS dr ON dr.id = d.doctor_id LEFT JOIN facilities AS f ON f.id = d.facility_id
    LEFT JOIN norm_specialties AS s ON s.id = d.norm_specialty_id
    WHERE d.patient_id = ? ORDER BY d.event_date DESC, d.id DESC`,
    patientId,
  ).map((row) => ({
    ...{ id: row.id, filename: row.filename, title: row.title, type: row.type, date: row.date },
    ...{ doctor: row.doctor, facility: row.facility, specialty: row.specialty },
    words: row.words ?? '',
    pages: row.pages ?? 1,
    place: { ...placeOf('field', row)!, value: 'field:doc_type' },
  }));

interface CostRow extends Placed {
  description: string;
  amount: number;
  currency: string | null;
  date: string | null;
  facility: string | null;
}
/** Oldest first. */
const listCosts = (db: Database, patientId: number): CostFact[] =>
  all<CostRow>(
    db,
    `SELECT i.id, i.document_id, i.evidence, i.description, i.amount, i.currency, d.event_date AS date,
      f.canonical_display AS facility
    FROM invoice_items AS i JOIN record_documents AS d ON d.id = i.document_id
    LEFT JOIN facilities AS f ON f.id = d.facility_id
    WHERE d.patient_id = ? AND i.amount IS NOT NULL ORDER BY d.event_date, i.id`,
    patientId,
  ).map((row) => ({
    ...{ description: row.description, amount: row.amount, currency: row.currency ?? '' },
    ...{ facility: row.facility, date: row.date, place: placeOf('invoice', row) },
  }));

/** Names that users gave to tests and medicines of this record, by canonical code. */
const listOwnNames = (db: Database, patientId: number): { code: string; name: string }[] =>
  db
    .prepare(
      `SELECT DISTINCT n.canonical_code AS code, a.alias AS name FROM name_aliases AS a
      JOIN norm_lab_tests AS n ON n.id = a.entry_id JOIN lab_results AS l ON l.norm_lab_test_id = n.id
      WHERE a.kind = 'lab_tests' AND a.printed = 0 AND l.patient_id = ?1
      UNION SELECT DISTINCT n.canonical_code, a.alias FROM name_aliases AS a
      JOIN norm_medications AS n ON n.id = a.entry_id JOIN medications AS m ON m.norm_medication_id = n.id
      JOIN record_documents AS d ON d.id = m.document_id
      WHERE a.kind = 'medications' AND a.printed = 0 AND d.patient_id = ?1`,
    )
    .all({ 1: patientId }) as { code: string; name: string }[];

interface NamedPatient {
  id: number;
  name: string;
  sex: 'M' | 'F' | 'O' | null;
  born: string | null;
}

/** The names of these patients, and what tells whether they are somebody's father or grandmother. */
const listPatientNames = (db: Database, patientIds: readonly number[]): NamedPatient[] =>
  db
    .prepare(
      `SELECT id, display_name AS name, sex, date_of_birth AS born FROM patients
      WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(patientIds)) as NamedPatient[];
