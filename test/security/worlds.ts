import { expect, vi } from 'vitest';
import { openHousehold, type Household } from '../support/household.ts';
import type { Client } from '../support/client.ts';
import { labReport, letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

/** One vault of the comparison, with or without the data of the other household. */
export interface World {
  household: Household;
  /** The same text for the same answer: ids by their first appearance, without timestamps and own addresses. */
  canonical(text: string): string;
  remove(): Promise<void>;
}

export const KINDS = ['lab_tests', 'specialties', 'diagnoses', 'medications', 'doctors', 'facilities'] as const;
export const normalization = (kind: string, tail: number | string = ''): string =>
  `/api/normalization/${kind}${tail === '' ? '' : `/${tail}`}`;

const ID = /(?<![\d.])[1-9]\d{5,6}(?![\d.])/g;
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g;
/** Ids, names and links of shares, of their sessions and links for health apps, and tokens of tickers, which are random. */
const SHARE =
  /(?<="(?:(?:share_|link_)?id|session|share)":"|\/share\/|\/quote\?token=|"link":"shlink:\/)[\w-]{32,}(?![\w-])/g;
/** Addresses of the program itself, which has a free port. */
const OWN_ADDRESS = /http:\/\/127\.0\.0\.1:\d+/g;
/** The distance between the first ids of two tables, so that no number is an id of two. */
const ID_STEP = 100_000;

/** Starts a program on a new vault whose tables number their rows from different starts. */
export async function openWorld(): Promise<World> {
  const served: Served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  const household = await openHousehold(served.url, served.vault);
  const tables = household.db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' ORDER BY name")
    .pluck()
    .all() as string[];
  for (const [index, table] of tables.entries()) {
    household.db.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
    household.db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, (index + 1) * ID_STEP);
  }
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    if (!names.has(id)) names.set(id, `#${names.size}`);
    return names.get(id) ?? '';
  };
  return {
    household,
    canonical: (text) =>
      text
        .replaceAll(served.vault, 'OWN_VAULT')
        .replace(TIMESTAMP, 'TIME')
        .replace(OWN_ADDRESS, 'OWN_ADDRESS')
        .replace(SHARE, nameOf)
        .replace(ID, nameOf),
    async remove() {
      household.close();
      await served.remove();
    },
  };
}

/** Reads everything that waits, and stops again. */
export async function readAll(household: Household): Promise<void> {
  const keeper = household.as('keeper');
  const unread = household.db
    .prepare("SELECT count(*) FROM documents WHERE status IN ('pending', 'processing')")
    .pluck();
  await keeper.post('/api/pipeline/start');
  await vi.waitFor(() => expect(unread.get()).toBe(0), { timeout: 60_000, interval: 100 });
  await keeper.post('/api/pipeline/stop');
}

/** Runs the check of the vault, whose result everybody may see a part of. */
export async function checkVault({ household }: World): Promise<void> {
  const keeper = household.as('keeper');
  await keeper.post('/api/vault/check');
  const status = async (): Promise<string> => (await keeper.get('/api/vault/check')).body.check.status;
  await vi.waitFor(async () => expect(await status()).toBe('done'), { timeout: 60_000, interval: 100 });
}

const page = (lines: readonly string[]) => letter([lines.map((text, index) => ({ text, y: 80 + index * 24 }))]);

/** A file that both households have. */
export const sharedPaper = (): Promise<Uint8Array> => page(['Einladung zur Impfung', 'An alle Haushalte']);

/** The records of the household that is looked at. */
export async function buildOwn(world: World): Promise<void> {
  const { household } = world;
  const owner = household.as('owner');
  await owner.upload(await labReport({ seed: 3 }), 'labor.pdf', household.patient);
  await owner.upload(
    await page([
      'Arztbericht',
      'Dr. med. Regula Aebischer, FMH Kardiologie',
      'Datum: 12.03.2025',
      'Diagnose: Hypertonie I10.90',
    ]),
    'bericht.pdf',
    household.patient,
  );
  await readAll(household);
  const document = household.make.document();
  await owner.call('PATCH', `/api/documents/${document}`, {
    doctor_name: 'Dr. Peter Frisch',
    facility_name: 'Klinik Aare',
    specialty_original: 'Kardiologie',
  });
  await owner.post('/api/encounters', { document_id: document, diagnosis_original: 'Eisenmangel' });
  await owner.post('/api/medications', { document_id: document, brand_name: 'Maltofer' });
  await owner.post('/api/medications', { document_id: document, brand_name: 'Ibuprofen 400 mg' });
  await owner.post('/api/lab-results', { document_id: document, test_name_original: 'Sonderwert', value: 1 });
}

/** The records of the other household: the same people, diseases and tests, often in other words. */
export async function buildOther(world: World): Promise<void> {
  const { household } = world;
  const other = household.as('other');
  const patient = household.otherPatient;
  await other.upload(await labReport({ seed: 7, patient: 'Marco Bianchi' }), 'labor.pdf', patient);
  await other.upload(
    await page([
      'Arztbericht',
      'Dr. med. R. Aebischer, FMH Kardiologie',
      'Datum: 02.04.2025',
      'Diagnose: Schlotterkraut Hypertonie I10.90',
      'Diagnose: Multiple Sklerose G35',
    ]),
    'bericht.pdf',
    patient,
  );
  await other.upload(await sharedPaper(), 'einladung.pdf', patient);
  await other.upload(await page(['Brief von niemandem', 'Dr. Quirin Zabelstein']), 'lose.pdf', null);
  await readAll(household);
  for (const doctor_name of ['Prof. Dr. P. Frisch', 'Dr. Quirin Zabelstein'])
    await withDocument(world, other, doctor_name);
}

async function withDocument(world: World, other: Client, doctor_name: string): Promise<void> {
  const patient = world.household.otherPatient;
  const pdf = await page([`Notiz ${doctor_name}`]);
  const { body } = await other.upload(pdf, `${doctor_name}.pdf`, patient);
  const document = body.document_id as number;
  await other.call('PATCH', `/api/documents/${document}`, {
    doctor_name,
    facility_name: `Klinik Aare AG, Musterweg ${doctor_name.length}, 3012 Bern`,
    specialty_original: 'Cardiologie',
    tags: ['iron', 'geheim'],
  });
  const diagnoses = [
    ['Multiple Sklerose', 'G35'],
    ['HIV-Krankheit', 'B20'],
    ['Eisenmangl', null],
    ['Neuer Nebel', null],
  ] as const;
  for (const [diagnosis_original, diagnosis_code] of diagnoses) {
    await other.post('/api/encounters', { document_id: document, diagnosis_original, diagnosis_code });
    const event = {
      patient_id: patient,
      title: 'Akte',
      diagnosis_text: diagnosis_original,
      icd10_code: diagnosis_code,
    };
    await other.post('/api/events', event);
  }
  for (const [brand_name, active_ingredient_original] of [
    ['Tysabri', 'Natalizumab'],
    ['Maltofr', null],
    ['Aspirin Cardio', 'Acetylsalicylsäure'],
    ['Ibuprofen-Mepha', null],
  ])
    await other.post('/api/medications', { document_id: document, brand_name, active_ingredient_original });
  for (const test_name_original of ['Ferritine', 'Sonderwert', 'Sonderwrt', 'Geheimwert'])
    await other.post('/api/lab-results', { document_id: document, test_name_original, value: 2, unit: 'µg/L' });
}

/** What the other household does with its names afterwards: renames, spellings, merges, deletions. */
export async function changeOther({ household }: World): Promise<void> {
  const other = household.as('other');
  for (const kind of KINDS) {
    const list = async () =>
      (await other.get(normalization(kind))).body.items as { id: number; canonical_display: string }[];
    for (const { id, canonical_display } of await list()) {
      await other.call('PATCH', normalization(kind, id), { canonical_display: `${canonical_display} Buntwort` });
      await other.post(normalization(kind, `${id}/aliases`), { alias: `${canonical_display} Nebenwort` });
      await other.post(normalization(kind, `${id}/confirm`));
    }
    const [first, second, third, fourth] = (await list()).map(({ id }) => id);
    if (first && second) await other.post(normalization(kind, 'merge'), { source_id: first, target_id: second });
    if (second && third) await other.post(normalization(kind, 'keep-apart'), { entry_ids: [second, third] });
    if (fourth) await other.call('DELETE', normalization(kind, fourth));
  }
  const { items } = (await other.get('/api/documents?limit=100')).body;
  await other.call('DELETE', `/api/documents/${items[0].id}`);
  household.db.prepare("UPDATE documents SET status = 'failed' WHERE id = ?").run(items[1].id);
  await other.upload(await page(['Wartet noch', 'Dr. Quirin Zabelstein']), 'wartet.pdf', household.otherPatient);
}

/** Gives the paper without a patient to the other household's patient. */
export async function fileLoosePaper({ household }: World): Promise<void> {
  const other = household.as('other');
  const { items } = (await other.get('/api/documents?limit=100')).body;
  const loose = items.filter((item: { patient_id: number | null }) => item.patient_id === null);
  for (const { id } of loose) await other.post(`/api/documents/${id}/move`, { patient_id: household.otherPatient });
}
