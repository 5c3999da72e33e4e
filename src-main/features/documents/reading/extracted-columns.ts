import type { BBox, PageText } from '../../../../src-shared/medical/page.ts';
import type { Extraction, Found, FoundLabResult, FoundRow, Place } from '../../../reading/extraction/extraction.ts';
import type { Home, NameResolver } from '../../names/service.ts';
import type { DocumentRows } from '../extracted-rows-repository.ts';
import type { DocumentFields } from '../write-repository.ts';
import { toDisplayBox } from '../../../../src-shared/medical/place-on-page.ts';

export type Pages = Map<number, PageText>;

type StayField = 'admission_date' | 'discharge_date';
type OutcomeField = 'findings' | 'follow_up_date' | 'follow_up_instructions';
/** Fields of an extraction that are stored in rows of their own. */
type RowField = Exclude<keyof DocumentRows, 'encounters'> | 'diagnoses' | StayField | OutcomeField;
/** Every other field is stored in columns of the document; `review_reasons` depend on what a user edited. */
type DocumentField = Exclude<keyof Extraction, RowField | 'review_reasons'>;

/** Columns as extracted, with names resolved to entries. */
export function extractedFields(
  names: NameResolver,
  home: Home,
  extraction: Extraction,
  originalDate: string | null,
): DocumentFields {
  const resolve = (kind: 'doctors' | 'facilities' | 'specialties', found: { value: string } | null) =>
    found ? names.resolve(home, kind, found.value, { auto: true }) : null;
  const columns = {
    doc_type: { doc_type: extraction.doc_type.value },
    language: { language_source: extraction.language?.value ?? null },
    event_date: { event_date: extraction.event_date?.value ?? originalDate },
    issued_date: { issued_date: extraction.issued_date?.value ?? null },
    patient: {
      extracted_patient_name: extraction.patient.name?.value ?? null,
      extracted_birth_date: extraction.patient.date_of_birth?.value ?? null,
    },
    doctor_name: { doctor_id: resolve('doctors', extraction.doctor_name) },
    facility_name: { facility_id: resolve('facilities', extraction.facility_name) },
    specialty_original: {
      norm_specialty_id: resolve('specialties', extraction.specialty_original),
      specialty_original: extraction.specialty_original?.value ?? null,
    },
    insurance_company: { insurance_company: extraction.insurance_company?.value ?? null },
    insurance_policy: { insurance_policy: extraction.insurance_policy?.value ?? null },
    // Only its place is stored, as evidence: the items add up to it.
    invoice_total: {},
    summary_en: { summary_en: extraction.summary_en || null },
    filename_stem: { filename_stem: extraction.filename_stem },
  } satisfies Record<DocumentField, DocumentFields>;
  return Object.assign({}, ...Object.values(columns)) as DocumentFields;
}

/** Evidence as stored: its box in the coordinates of the page as displayed. */
function evidenceAt(place: Place | null, confidence: number, pages: Pages, label?: string) {
  if (!place) return null;
  const box: BBox = toDisplayBox(place.bbox, pages.get(place.page)?.toDisplay ?? null);
  return { page: place.page, bbox: [...box] as [number, number, number, number], confidence, ...(label && { label }) };
}

/** Fields of an extraction that are one value with its place. */
type ValueField = {
  [F in keyof Extraction]: Extraction[F] extends Found<unknown> | null ? F : never;
}[keyof Extraction];
/** Values whose evidence has the name of the field; that of an outcome is in its encounter. */
type EvidenceField = Exclude<ValueField, 'language' | OutcomeField>;

/** The place of each value of the document, by the name of its field. */
export function fieldEvidence(extraction: Extraction, pages: Pages) {
  const values = {
    doc_type: extraction.doc_type,
    event_date: extraction.event_date,
    issued_date: extraction.issued_date,
    doctor_name: extraction.doctor_name,
    facility_name: extraction.facility_name,
    specialty_original: extraction.specialty_original,
    extracted_patient_name: extraction.patient.name,
    date_of_birth: extraction.patient.date_of_birth,
    insurance_company: extraction.insurance_company,
    insurance_policy: extraction.insurance_policy,
    language_source: extraction.language,
    invoice_total: extraction.invoice_total,
    admission_date: extraction.admission_date,
    discharge_date: extraction.discharge_date,
  } satisfies Record<EvidenceField, Found<unknown> | null> & Record<string, Found<unknown> | null>;
  return Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => {
      const evidence = value && evidenceAt(value.place, value.confidence, pages, value.label);
      return evidence ? [[field, evidence]] : [];
    }),
  );
}

interface RowOwners {
  doctorId: number | null;
  facilityId: number | null;
  pages: Pages;
}

/** The rows of an extraction as they are stored. */
export function rowsOf(extraction: Extraction, owners: RowOwners): DocumentRows {
  const { pages } = owners;
  return {
    lab_results: extraction.lab_results.map((row) => labColumnsOf(row, pages)),
    encounters: encountersOf(extraction, owners),
    medications: extraction.medications.map((row) => columnsOf(row, pages)),
    vaccinations: extraction.vaccinations.map((row) => columnsOf(row, pages)),
    invoice_items: extraction.invoice_items.map((row) => columnsOf(row, pages)),
    sections: extraction.sections.map((section) => ({
      ...section,
      ocr_text: [...pages.values()]
        .filter(({ page }) => page >= section.page_start && page <= section.page_end)
        .map((page) => page.text)
        .join('\n\n'),
    })),
  };
}

function columnsOf<R extends FoundRow>(
  row: R,
  pages: Pages,
): Omit<R, 'place' | 'confidence'> & { evidence: ReturnType<typeof evidenceAt> } {
  const { place, confidence, ...columns } = row;
  return { ...columns, evidence: evidenceAt(place, confidence, pages) };
}

/** A second reading is stored with the place where the value was read. */
function labColumnsOf({ second_reading, ...row }: FoundLabResult, pages: Pages) {
  const columns = columnsOf(row, pages);
  if (second_reading === undefined || columns.evidence === null) return columns;
  return { ...columns, evidence: { ...columns.evidence, second_reading } };
}

/**
 * One encounter for each diagnosis, the first with findings and follow-up; without diagnoses, one if there is any
 * content.
 */
function encountersOf(extraction: Extraction, { doctorId, facilityId, pages }: RowOwners): DocumentRows['encounters'] {
  const stay = {
    doctor_id: doctorId,
    facility_id: facilityId,
    encounter_date: extraction.event_date?.value ?? null,
    admission_date: extraction.admission_date?.value ?? null,
    discharge_date: extraction.discharge_date?.value ?? null,
    specialty_original: extraction.specialty_original?.value ?? null,
  } satisfies Record<StayField, string | null> & Record<string, unknown>;
  const outcome = {
    findings: extraction.findings?.value ?? null,
    follow_up_date: extraction.follow_up_date?.value ?? null,
    follow_up_instructions: extraction.follow_up_instructions?.value ?? null,
  } satisfies Record<OutcomeField, string | null>;
  if (extraction.diagnoses.length > 0)
    return extraction.diagnoses.map((diagnosis, index) => ({
      ...stay,
      ...(index === 0 && outcome),
      ...columnsOf(diagnosis, pages),
    }));
  const hasContent = Object.values(outcome).some((value) => value !== null) || stay.admission_date !== null;
  if (!hasContent) return [];
  const { place = null, confidence = 0 } = extraction.findings ?? {};
  return [{ ...stay, ...outcome, evidence: evidenceAt(place, confidence, pages) }];
}
