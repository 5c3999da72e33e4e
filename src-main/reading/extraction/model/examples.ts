import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { fold } from '../fold.ts';

/** What a person corrected after another document of the same patient had been read. */
export interface Correction {
  documentId: number;
  doc_type: DocumentType | null;
  facility: string | null;
  /** A detail of the document, or kind and column of a row: `medications.dosage`. */
  field: string;
  read: string | null;
  right: string;
}

/** The document that is read now, as the rules see it. */
export interface NearTo {
  doc_type: DocumentType | null;
  facility: string | null;
}

/** More would crowd the document out of a small model, and show more of other papers than helps. */
const MAX_DOCUMENTS = 2;
const MAX_CORRECTIONS = 8;
const MAX_VALUE = 100;

/** Columns that a model is asked for, by its names. A corrected number teaches nothing about the next one. */
const DETAILS: Readonly<Record<string, string>> = {
  ...{ doc_type: 'doc_type', event_date: 'event_date', issued_date: 'issued_date', doctor_id: 'doctor_name' },
  ...{ facility_id: 'facility_name', specialty_original: 'specialty' },
};
const ROWS: Readonly<Record<string, string>> = {
  'lab_results.test_name_original': 'test_name',
  'lab_results.unit': 'unit',
  'lab_results.panel_name': 'panel_name',
  'lab_results.test_date': 'sample_date',
  'medications.brand_name': 'brand_name',
  'medications.active_ingredient_original': 'active_ingredient',
  'medications.dosage': 'dosage',
  'medications.form': 'form',
  'medications.frequency': 'frequency',
  'medications.duration': 'duration',
  'vaccinations.vaccine_name': 'vaccine_name',
  'vaccinations.manufacturer': 'manufacturer',
  'vaccinations.lot_number': 'lot_number',
  'vaccinations.date_administered': 'date_administered',
  'encounters.diagnosis_original': 'diagnosis',
  'encounters.diagnosis_code': 'icd10_code',
  'imaging.modality': 'modality',
  'imaging.body_part': 'body_part',
  'imaging.study_description': 'study_description',
};

/**
 * Examples for a question to a model: the latest corrections of the two documents that are nearest by facility and type.
 * Empty if there is none.
 */
export function exampleText(corrections: readonly Correction[], near: NearTo, question: 'details' | 'rows'): string {
  const names = question === 'details' ? DETAILS : ROWS;
  const fitting = corrections.filter(({ field }) => names[field] !== undefined);
  const documents = [...new Map(fitting.map((one) => [one.documentId, one])).values()]
    .sort((a, b) => nearness(b, near) - nearness(a, near) || b.documentId - a.documentId)
    .slice(0, MAX_DOCUMENTS)
    .map(({ documentId }) => documentId);
  const lines = documents.flatMap((id) =>
    fitting
      .filter(({ documentId }) => documentId === id)
      .map(
        ({ doc_type, field, read, right }) =>
          `- ${doc_type ?? 'other'}, ${names[field]}: ${read === null ? 'nothing' : quoted(read)} was read, ` +
          `${quoted(right)} is right`,
      ),
  );
  return [...new Set(lines)].slice(0, MAX_CORRECTIONS).join('\n');
}

const nearness = ({ doc_type, facility }: Correction, near: NearTo): number => {
  const isFacility = facility !== null && near.facility !== null && fold(facility) === fold(near.facility);
  return (isFacility ? 2 : 0) + (doc_type !== null && doc_type === near.doc_type ? 1 : 0);
};

/** One line without tags: what is printed on a paper can't end its part of the prompt. */
const quoted = (value: string): string =>
  `“${value
    .replace(/[<>“”]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_VALUE)}”`;
