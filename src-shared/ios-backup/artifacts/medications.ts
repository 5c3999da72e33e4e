import type { ClinicalRecord, MedicationRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase } from '../ports.ts';
import { clinicalRecords, titleOfResource } from './clinical.ts';
import { HEALTH_DOMAIN, HEALTH_SECURE } from './health.ts';
import { columnsOf, countOf, type ArtifactReader, type Columns, type ReadTools } from './source.ts';
import { appleTime, flagOf, intOf, numberOf, textOf, uuidOf } from './column-values.ts';

/** HKMedicationDoseEvent.LogStatus (iOS 26 documents it; the column is older): 4 taken, 5 skipped. */
const TAKEN = 4,
  SKIPPED = 5;
const FHIR_MEDICINES = new Set(['MedicationStatement', 'MedicationRequest', 'MedicationOrder']);

interface ListedMedicine {
  name: string | null;
  createdAt: string | null;
  isArchived: boolean;
}

/** Medicines from the user's list in the Health app (iOS 16 and later), and those of clinical records. */
export const medications: ArtifactReader = {
  name: 'medications',
  async *read(source, tools) {
    const db = await source.database(HEALTH_DOMAIN, HEALTH_SECURE);
    if (!db) return;
    try {
      yield { table: 'medications', rows: await readListedMedicines(db, tools) };
      for await (const { rows } of clinicalRecords(db, { ...tools, skip: () => undefined })) {
        const medicines = rows.filter((record) => FHIR_MEDICINES.has(record.resource_type ?? '')).map(medicineOfRecord);
        if (medicines.length > 0) yield { table: 'medications', rows: medicines };
      }
    } finally {
      await db.close();
    }
  },
};

/** Reads the medicines of the user's list that have a name or logged doses. */
async function readListedMedicines(db: SqliteDatabase, tools: ReadTools): Promise<MedicationRow[]> {
  const listed = await readNames(db);
  const byId = new Map<string, MedicationRow>();
  for (const [id, { name }] of listed) if (name !== null) byId.set(id, medicineOf(id, listed.get(id)));
  const d = await columnsOf(db, 'medication_dose_event_samples', 'd');
  if (!d.exists) return [...byId.values()];
  tools.expect(await countOf(db, 'medication_dose_event_samples'));
  for await (const rows of db.batches(selectDoses(d))) {
    for (const row of rows) {
      const id = uuidOf(row.uuid) ?? textOf(row.identifier) ?? 'unknown';
      const medicine = byId.get(id) ?? medicineOf(id, listed.get(id));
      byId.set(id, medicine);
      medicine.doses.push({
        taken_at: appleTime(row.at) ?? appleTime(row.scheduled),
        quantity: numberOf(row.dose),
        unit: textOf(row.unit),
        status: doseStatusOf(intOf(row.status)),
      });
    }
  }
  return [...byId.values()];
}

const selectDoses = (d: Columns): string =>
  `SELECT ${d.pick('uuid', 'medication_uuid')}, ${d.pick('identifier', 'medication_identifier')},
      ${d.pick('dose', 'dose_quantity', 'quantity', 'dose_value')},
      ${d.pick('unit', 'dose_unit', 'unit_string', 'unit')},
      ${d.pick('status', 'status', 'log_status', 'dose_status')}, ${d.pick('scheduled', 'scheduled_date')},
      s.start_date AS at
    FROM medication_dose_event_samples AS d
    LEFT JOIN samples AS s ON s.data_id = d.data_id
    ORDER BY d.data_id`;

const medicineOf = (id: string, listed: ListedMedicine | undefined): MedicationRow => ({
  medication_identifier: id,
  name: listed?.name ?? null,
  nickname: null,
  form: null,
  strength: null,
  is_archived: listed?.isArchived ?? false,
  created_at: listed?.createdAt ?? null,
  doses: [],
});

function medicineOfRecord(record: ClinicalRecord): MedicationRow {
  const resource = (record.fhir ?? {}) as Record<string, unknown>;
  const dosage = [resource.dosage, resource.dosageInstruction].find(Array.isArray)?.[0] as
    | { text?: unknown }
    | undefined;
  return {
    medication_identifier: record.record_identifier,
    name: record.title ?? titleOfResource(resource),
    nickname: null,
    form: null,
    strength: typeof dosage?.text === 'string' ? dosage.text : null,
    is_archived: false,
    created_at: record.recorded_at,
    doses: [],
  };
}

/**
 * Reads names by the id of a medicine. They are properties of `user_domain_concepts`, in tables whose columns changed
 * with each release: the first text is taken from every related table that has a concept id and a text.
 */
async function readNames(db: SqliteDatabase): Promise<Map<string, ListedMedicine>> {
  const concept = await columnsOf(db, 'user_domain_concepts', 'c');
  const names = new Map<string, ListedMedicine>();
  if (!concept.exists) return names;
  const id = concept.expr('udc_id', 'ROWID');
  const own = concept.expr('name', 'user_specified_name', 'display_name');
  const uuids = new Map<number, string>();
  for (const row of await db.query(
    `SELECT ${id} AS id, ${concept.pick('uuid', 'uuid')}, ${own} AS name,
        ${concept.pick('created', 'creation_date')}, ${concept.pick('deleted', 'deleted')}
      FROM user_domain_concepts AS c`,
  )) {
    const uuid = uuidOf(row.uuid);
    if (uuid === null) continue;
    uuids.set(intOf(row.id) ?? -1, uuid);
    names.set(uuid, { name: textOf(row.name), createdAt: appleTime(row.created), isArchived: flagOf(row.deleted) });
  }
  for (const { name: table } of await db.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%concept%propert%'",
  )) {
    const p = await columnsOf(db, textOf(table) ?? '', 'p');
    const value = p.expr('string_value', 'value_string', 'value', 'text');
    if (!p.has('udc_id') || value === 'NULL') continue;
    for (const row of await db.query(
      `SELECT p.udc_id AS id, ${value} AS value
        FROM "${textOf(table)}" AS p
        WHERE typeof(${value}) = 'text'
        ORDER BY p.rowid`,
    )) {
      const medicine = names.get(uuids.get(intOf(row.id) ?? -1) ?? '');
      if (medicine && medicine.name === null) medicine.name = textOf(row.value);
    }
  }
  return names;
}

function doseStatusOf(status: number | null): MedicationRow['doses'][number]['status'] {
  if (status === TAKEN) return 'taken';
  return status === SKIPPED ? 'skipped' : 'unknown';
}
