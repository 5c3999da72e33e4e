import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { LiveMessage } from '../../../../src-shared/contract/live.ts';
import type { DocumentStatus } from '../../../../src-shared/contract/rows.ts';
import type { BBox, PageText, PageTurn } from '../../../../src-shared/medical/page.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { Extraction, FoundRow, Place, ReaderContext } from '../../../reading/extraction/extraction.ts';
import { toCivilDate, toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { Failure } from '../../../platform/kernel/errors.ts';
import type { Log } from '../../../platform/kernel/log.ts';
import type { NameKind, Names } from '../../names/service.ts';
import type { DocumentStore, PackedPage } from '../../../reading/pipeline/ports.ts';
import { inboxOwner } from '../../../platform/vault/layout.ts';
import { hashFile } from '../../../platform/vault/hash.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { Intake } from '../intake/intake.ts';
import type { Placement } from '../edit/placement.ts';
import type { EditableKind } from '../edit/user-edits.ts';
import { toDisplayBox } from './place-on-page.ts';
import { remainingReasons } from '../edit/review-reasons.ts';
import { reindexDocument } from '../list/text-index.ts';
import type { DocumentFields, DocumentRows, WriteRepository } from '../write-repository.ts';

/** Below this a match of the printed name with a household member is left for a person to decide. */
const SURE_MATCH = 0.85;

const pack = promisify<string, Buffer>(gzip);
const unpack = promisify<Buffer, Buffer>(gunzip);

export interface StoreDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  log: Log;
  repository: WriteRepository;
  names: Names;
  intake: Intake;
  placement: Placement;
  announce: (message: LiveMessage) => void;
  changed: () => void;
  /** Patients that may be found by name for a document without one: those that its uploader may write to. */
  writablePatients(uploaderId: number | null): number[];
}

/** The documents feature as the pipeline sees it. */
export function createDocumentStore({
  db,
  vault,
  clock,
  log,
  repository,
  names,
  intake,
  placement,
  announce,
  changed,
  writablePatients,
}: StoreDeps): DocumentStore {
  const now = () => toTimestamp(clock.now());
  const told = (id: number) => {
    changed();
    const row = repository.get(id);
    if (row)
      announce({
        kind: 'document',
        document_id: id,
        patient_id: row.patient_id,
        status: row.status,
        change: 'updated',
      });
  };
  const setStatus = (id: number, status: DocumentStatus, fields: DocumentFields = {}) => {
    repository.update(id, { status, updated_at: now(), ...fields });
    told(id);
  };

  function contextOf(row: {
    patient_id: number | null;
    uploaded_by_user_id: number | null;
    original_filename: string;
  }): ReaderContext {
    const household = repository
      .household()
      .map(({ id, display_name, date_of_birth, sex }) => ({ id, display_name, date_of_birth, sex }));
    const writable = row.patient_id === null ? new Set(writablePatients(row.uploaded_by_user_id)) : null;
    return {
      patient: household.find((patient) => patient.id === row.patient_id) ?? null,
      household: writable ? household.filter((patient) => writable.has(patient.id)) : household,
      today: toCivilDate(clock.now()),
      original_filename: row.original_filename,
    };
  }

  return {
    load(id) {
      const row = repository.get(id);
      if (!row) return null;
      return {
        id,
        patient_id: row.patient_id,
        file_path: row.file_path,
        mime_type: row.mime_type,
        file_hash: row.file_hash,
        file_size: row.file_size,
        original_filename: row.original_filename,
        page_turns: (row.page_turns ?? {}) as Record<string, PageTurn>,
        retry_count: row.retry_count,
        context: contextOf(row),
      };
    },
    started: (id) => setStatus(id, 'processing', { error_message: null }),
    async packPages(pages) {
      const packed: PackedPage[] = [];
      for (const page of pages) packed.push({ page: page.page, data: await pack(JSON.stringify(page)) });
      return packed;
    },
    saveReading: (id, { pages, ocr_engine }, packed) => {
      db.transaction(() => {
        repository.savePages(id, [...packed]);
        const letters = pages.reduce((sum, page) => sum + page.text.length, 0);
        const confidence = letters
          ? pages.reduce((sum, page) => sum + page.confidence * page.text.length, 0) / letters
          : 0;
        repository.update(id, {
          page_count: pages.length,
          ocr_confidence: confidence,
          ocr_engine: ocr_engine ?? 'text_layer',
          updated_at: now(),
        });
        reindexDocument(db, id, pages.map((page) => page.text).join('\n\n'));
      });
      changed();
    },
    async loadPages(id) {
      const pages: PageText[] = [];
      for (const data of repository.pages(id)) pages.push(JSON.parse((await unpack(data)).toString()) as PageText);
      return pages;
    },
    saveExtraction(id, extraction, provider, readPages) {
      db.transaction(() => {
        const row = repository.get(id);
        if (!row) return;
        const pages = new Map(readPages.map((page) => [page.page, page]));
        const kept = new Set(row.edited_fields ?? []);
        const match = extraction.patient.match;
        const patientId =
          row.patient_id ??
          (match &&
          !kept.has('patient_id') &&
          match.confidence >= SURE_MATCH &&
          writablePatients(row.uploaded_by_user_id).includes(match.id)
            ? match.id
            : null);
        const resolve = (kind: 'doctors' | 'facilities' | 'specialties', found: { value: string } | null) =>
          found ? names.resolve(kind, found.value, { auto: true }) : null;
        const read: DocumentFields = {
          doc_type: extraction.doc_type.value,
          event_date: extraction.event_date?.value ?? row.original_date,
          issued_date: extraction.issued_date?.value ?? null,
          doctor_id: resolve('doctors', extraction.doctor_name),
          facility_id: resolve('facilities', extraction.facility_name),
          norm_specialty_id: resolve('specialties', extraction.specialty_original),
          specialty_original: extraction.specialty_original?.value ?? null,
          summary_en: extraction.summary_en || null,
          insurance_company: extraction.insurance_company?.value ?? null,
          insurance_policy: extraction.insurance_policy?.value ?? null,
        };
        const fields = Object.fromEntries(
          Object.entries(read).filter(
            ([field]) => !kept.has(field) && !(field === 'norm_specialty_id' && kept.has('specialty_original')),
          ),
        ) as DocumentFields;
        repository.update(id, {
          ...fields,
          patient_id: patientId,
          language_source: extraction.language?.value ?? null,
          extracted_patient_name: extraction.patient.name?.value ?? null,
          filename_stem: extraction.filename_stem,
          llm_provider: provider,
          evidence: fieldEvidence(extraction, pages),
          review_reasons: remainingReasons(
            extraction.review_reasons.filter(({ code }) => code !== 'no_event_date' || row.original_date === null),
            [...kept],
          ),
          updated_at: now(),
        });
        repository.replaceRows(
          id,
          rowsOf(extraction, {
            patientId,
            doctorId: read.doctor_id ?? null,
            facilityId: read.facility_id ?? null,
            pages,
          }),
          entriesBy(names),
        );
        // Results that a person added before the patient was known.
        repository.moveRows(id, patientId);
        repository.saveRawExtraction(id, JSON.stringify(extraction));
        reindexDocument(db, id);
      });
      told(id);
    },
    organize(id) {
      const path = vault.change(() => placement.promiseMove(id));
      told(id);
      return path;
    },
    finished(id) {
      // A field that changed while the last stages ran may ask for another place.
      vault.change(() => placement.promiseMove(id));
      const row = repository.get(id);
      if (row)
        setStatus(id, row.review_reasons?.length || row.patient_id === null ? 'needs_review' : 'done', {
          error_message: null,
          retry_count: 0,
          process_at: null,
        });
    },
    failed: (id, message, retryCount) =>
      setStatus(id, 'failed', { error_message: message, retry_count: retryCount, process_at: null }),
    backToPending: (id, { message, retryCount, processAt }) =>
      setStatus(id, 'pending', { error_message: message, retry_count: retryCount, process_at: processAt }),
    cancelled: (id) => setStatus(id, 'cancelled', { process_at: null }),
    async adopt({ path, size }) {
      const owner = inboxOwner(path);
      const patient = owner && 'patientSlug' in owner ? repository.patientBySlug(owner.patientSlug) : undefined;
      // A folder may outlive its user, or be made by hand for nobody.
      const uploaderId = owner && 'userId' in owner && repository.hasUser(owner.userId) ? owner.userId : null;
      const name = path.split('/').at(-1) ?? 'document';
      const trash = (fileHash: string | null) =>
        vault.trash.takeFile(path, {
          label: name,
          patientId: patient?.id ?? null,
          deletedByUserId: uploaderId,
          fileHash,
        });
      const hash = await hashFile(vault.resolve(path));
      try {
        const kind = await intake.identify(path, size, name);
        if (intake.duplicateOf(hash, name, () => true)) return void trash(hash);
        await intake.check(path, kind);
        const result = intake.admit(
          { path, size, hash },
          name,
          kind,
          { patientId: patient?.id ?? null, eventId: null, uploaderId },
          () => true,
          { stays: true },
        );
        if (result.status === 'duplicate') trash(hash);
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 500) throw error;
        // The sender is not there to be told; the trash keeps the file and the log says why.
        log.warn({ code: error.code }, 'a file of the inbox cannot be read and went to the trash');
        trash(hash);
      }
    },
    knows: (path) => vault.knows(path),
  };
}

/** Points a row to the canonical entry of the test, diagnosis or medicine that it names. */
const entriesBy =
  (names: Names) =>
  (kind: EditableKind, row: object): object => {
    const entry = (
      of: NameKind,
      printed: string | null | undefined,
      options: { code?: string | null; sample?: string | null; unit?: string | null } = {},
    ): number | null => (printed ? names.resolve(of, printed, { ...options, auto: true }) : null);
    switch (kind) {
      case 'lab_results': {
        const { test_name_original, sample_type = null, unit = null } = row as DocumentRows['lab_results'][number];
        return { norm_lab_test_id: entry('lab_tests', test_name_original, { sample: sample_type, unit }) };
      }
      case 'encounters': {
        const { diagnosis_original, diagnosis_code = null } = row as DocumentRows['encounters'][number];
        return { norm_diagnosis_id: entry('diagnoses', diagnosis_original, { code: diagnosis_code }) };
      }
      case 'medications': {
        const { active_ingredient_original, brand_name } = row as DocumentRows['medications'][number];
        return { norm_medication_id: entry('medications', active_ingredient_original || brand_name) };
      }
      case 'vaccinations':
        return {};
    }
  };

type Pages = Map<number, PageText>;

function displayed(place: Place | null, confidence: number, pages: Pages, label?: string) {
  if (!place) return null;
  const box: BBox = toDisplayBox(place.bbox, pages.get(place.page)?.toDisplay ?? null);
  return { page: place.page, bbox: [...box] as [number, number, number, number], confidence, ...(label && { label }) };
}

function fieldEvidence(extraction: Extraction, pages: Pages) {
  const found = {
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
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, value]) => {
      const evidence = value && displayed(value.place, value.confidence, pages, value.label);
      return evidence ? [[field, evidence]] : [];
    }),
  );
}

function rowsOf(
  extraction: Extraction,
  {
    patientId,
    doctorId,
    facilityId,
    pages,
  }: { patientId: number | null; doctorId: number | null; facilityId: number | null; pages: Pages },
): DocumentRows {
  const plain = <R extends FoundRow>(
    row: R,
  ): Omit<R, 'place' | 'confidence'> & { evidence: ReturnType<typeof displayed> } => {
    const { place, confidence, ...columns } = row;
    return { ...columns, evidence: displayed(place, confidence, pages) };
  };
  const stay = {
    doctor_id: doctorId,
    facility_id: facilityId,
    encounter_date: extraction.event_date?.value ?? null,
    admission_date: extraction.admission_date?.value ?? null,
    discharge_date: extraction.discharge_date?.value ?? null,
    specialty_original: extraction.specialty_original?.value ?? null,
  };
  const outcome = {
    findings: extraction.findings?.value ?? null,
    follow_up_date: extraction.follow_up_date?.value ?? null,
    follow_up_instructions: extraction.follow_up_instructions?.value ?? null,
  };
  const says = Object.values(outcome).some((value) => value !== null) || stay.admission_date !== null;
  const encounters = extraction.diagnoses.length
    ? extraction.diagnoses.map((diagnosis, index) => ({ ...stay, ...(index === 0 && outcome), ...plain(diagnosis) }))
    : says
      ? [
          {
            ...stay,
            ...outcome,
            evidence: displayed(extraction.findings?.place ?? null, extraction.findings?.confidence ?? 0, pages),
          },
        ]
      : [];
  return {
    lab_results: extraction.lab_results.map((row) => ({ ...plain(row), patient_id: patientId })),
    encounters,
    medications: extraction.medications.map(plain),
    vaccinations: extraction.vaccinations.map(plain),
    invoice_items: extraction.invoice_items.map(plain),
    sections: extraction.sections.map((section) => ({
      ...section,
      ocr_text: [...pages.values()]
        .filter(({ page }) => page >= section.page_start && page <= section.page_end)
        .map((page) => page.text)
        .join('\n\n'),
    })),
  };
}
