import { z } from 'zod';
import { refusal } from './field-errors.ts';
import { endpoint } from './endpoint.ts';
import { encounter, medication, vaccination } from './rows.ts';
import { civilDate, freeText, id, idParams, timestamp } from './wire.ts';

const optionalText = (max: number) => freeText(max).nullish();
const date = civilDate.nullish();

/** Names are resolved through aliases, as for documents; an id takes precedence over a name. */
const encounterFields = {
  doctor_id: id.nullish(),
  doctor_name: optionalText(200),
  facility_id: id.nullish(),
  facility_name: optionalText(200),
  encounter_date: date,
  admission_date: date,
  discharge_date: date,
  norm_diagnosis_id: id.nullish(),
  diagnosis_original: optionalText(1000),
  diagnosis_code: optionalText(20),
  specialty_original: optionalText(200),
  notes: optionalText(100_000),
  findings: optionalText(100_000),
  follow_up_date: date,
  follow_up_instructions: optionalText(20_000),
  follow_up_done_date: date,
};
const medicationFields = {
  norm_medication_id: id.nullish(),
  brand_name: optionalText(200),
  active_ingredient_original: optionalText(200),
  dosage: optionalText(200),
  form: optionalText(200),
  frequency: optionalText(200),
  duration: optionalText(200),
  quantity: optionalText(200),
  prescribed_date: date,
};
const vaccineName = freeText(200).refine((name) => name.trim() !== '', refusal('field.required'));
const vaccinationFields = {
  manufacturer: optionalText(200),
  lot_number: optionalText(100),
  dose_number: z.int().min(0).max(1000).nullish(),
  date_administered: date,
};

const withDocument = <F extends z.ZodRawShape>(fields: F) => z.strictObject({ document_id: id, ...fields });
const newEncounter = withDocument(encounterFields),
  newMedication = withDocument(medicationFields),
  newVaccination = withDocument({ vaccine_name: vaccineName, ...vaccinationFields });
const encounterChanges = z.strictObject(encounterFields),
  medicationChanges = z.strictObject(medicationFields),
  vaccinationChanges = z.strictObject({ vaccine_name: vaccineName.optional(), ...vaccinationFields });
export type EncounterChanges = z.output<typeof encounterChanges>;
export type MedicationChanges = z.output<typeof medicationChanges>;
export type VaccinationChanges = z.output<typeof vaccinationChanges>;

const removalReply = z.object({ ok: z.literal(true), trash_id: id, undo_until: timestamp });

export const documentRows = {
  createEncounter: endpoint({
    method: 'POST',
    path: '/api/encounters',
    access: { document: 'write', from: 'body.document_id' },
    audit: 'encounter.create',
    status: 201,
    body: newEncounter,
    reply: encounter,
    errors: [
      'document.not_found',
      'row.no_values',
      'encounter.invalid_date_range',
      'document.doctor_not_found',
      'document.facility_not_found',
      'row.name_not_found',
    ],
    summary: 'Adds an encounter or diagnosis to a document.',
  }),
  updateEncounter: endpoint({
    method: 'PATCH',
    path: '/api/encounters/{id}',
    access: { encounter: 'write' },
    audit: 'encounter.update',
    params: idParams,
    body: encounterChanges,
    reply: encounter,
    errors: [
      'encounter.not_found',
      'row.no_values',
      'encounter.invalid_date_range',
      'document.doctor_not_found',
      'document.facility_not_found',
      'row.name_not_found',
    ],
    summary: 'Changes an encounter or diagnosis. The change is preserved when the document is read again.',
  }),
  removeEncounter: endpoint({
    method: 'DELETE',
    path: '/api/encounters/{id}',
    access: { encounter: 'write' },
    audit: 'encounter.delete',
    params: idParams,
    reply: removalReply,
    errors: ['encounter.not_found'],
    summary: 'Moves an encounter or diagnosis to the trash.',
  }),
  createMedication: endpoint({
    method: 'POST',
    path: '/api/medications',
    access: { document: 'write', from: 'body.document_id' },
    audit: 'medication.create',
    status: 201,
    body: newMedication,
    reply: medication,
    errors: ['document.not_found', 'medication.name_missing', 'row.name_not_found'],
    summary: 'Adds a medication to a document.',
  }),
  updateMedication: endpoint({
    method: 'PATCH',
    path: '/api/medications/{id}',
    access: { medication: 'write' },
    audit: 'medication.update',
    params: idParams,
    body: medicationChanges,
    reply: medication,
    errors: ['medication.not_found', 'medication.name_missing', 'row.name_not_found'],
    summary: 'Changes a medication. The change is preserved when the document is read again.',
  }),
  removeMedication: endpoint({
    method: 'DELETE',
    path: '/api/medications/{id}',
    access: { medication: 'write' },
    audit: 'medication.delete',
    params: idParams,
    reply: removalReply,
    errors: ['medication.not_found'],
    summary: 'Moves a medication to the trash.',
  }),
  createVaccination: endpoint({
    method: 'POST',
    path: '/api/vaccinations',
    access: { document: 'write', from: 'body.document_id' },
    audit: 'vaccination.create',
    status: 201,
    body: newVaccination,
    reply: vaccination,
    errors: ['document.not_found'],
    summary: 'Adds a vaccination to a document.',
  }),
  updateVaccination: endpoint({
    method: 'PATCH',
    path: '/api/vaccinations/{id}',
    access: { vaccination: 'write' },
    audit: 'vaccination.update',
    params: idParams,
    body: vaccinationChanges,
    reply: vaccination,
    errors: ['vaccination.not_found'],
    summary: 'Changes a vaccination. The change is preserved when the document is read again.',
  }),
  removeVaccination: endpoint({
    method: 'DELETE',
    path: '/api/vaccinations/{id}',
    access: { vaccination: 'write' },
    audit: 'vaccination.delete',
    params: idParams,
    reply: removalReply,
    errors: ['vaccination.not_found'],
    summary: 'Moves a vaccination to the trash.',
  }),
} as const;
