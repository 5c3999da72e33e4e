import type { Client } from '../support/client.ts';
import { KINDS, normalization, sharedPaper } from './worlds.ts';

/** One request of a walk; later requests use what earlier ones answered. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<any>; // oxlint-disable-line typescript/no-explicit-any

/** Words that only the other household's records contain, and words of both. */
const WORDS = ['Schlotter', 'Buntwort', 'Zabelstein', 'HIV', 'Frisch'];

/** Looks up names wherever they can be found. */
export async function lookUpNames(ask: Ask): Promise<void> {
  await ask('GET', '/api/normalization');
  for (const kind of KINDS) {
    const { items = [] } = await ask('GET', normalization(kind));
    for (const query of ['filter=unused', 'filter=unreviewed', 'sort=uses', ...WORDS.map((word) => `search=${word}`)])
      await ask('GET', `${normalization(kind)}?${query}`);
    for (const { id } of items.slice(0, 4)) {
      await ask('GET', normalization(kind, id));
      await ask('GET', normalization(kind, `${id}/documents`));
    }
    await ask('POST', normalization(kind, 'auto-merge'));
    await ask('GET', normalization(kind, 'merges'));
  }
  for (const word of WORDS) {
    await ask('GET', `/api/documents?q=${word}`);
    await ask('GET', `/api/documents/suggest?q=${word}`);
    await ask('GET', `/api/documents/near-hits?q=${word}`);
    await ask('GET', `/api/documents/near-hits?q=${word.slice(0, -1)}x`);
    await ask('GET', `/api/documents/facets?q=${word}`);
    await ask('GET', `/api/documents?specialty=${word},Cardiologie`);
    await ask('GET', `/api/lab-results?test_name=${word}`);
  }
  for (const path of ['/api/documents/facets', '/api/documents?limit=200', '/api/events', '/api/trash', '/api/today'])
    await ask('GET', path);
}

/** Values of each parameter of a list; words of both households, of the other one only, and of none. */
const QUERIES: Record<string, readonly string[]> = {
  '/api/documents': [
    ...['q=Hypertonie', 'q=HIV', 'q=Hypertonie%20HIV', 'q=%22Diagnose%22', 'q=geheim', 'q=Ferritin%20OR%20Geheimwert'],
    ...['event_date', 'created_at', 'doc_type', 'original_filename', 'doctor', 'facility', 'specialty'].flatMap(
      (sort) => [`sort=${sort}&order=asc`, `sort=${sort}&order=desc&q=Diagnose`],
    ),
    ...['tag=geheim', 'tag=iron', 'status=done', 'status=failed', 'type=lab_report', 'limit=1&offset=1'],
    ...['date_from=2025-03-01', 'date_to=2025-03-31'],
  ],
  '/api/documents/facets': ['q=Hypertonie', 'q=HIV', 'tag=geheim', 'type=lab_report', 'specialty=Cardiologie'],
  '/api/documents/suggest': [...'aefghimsz'].map((letter) => `q=${letter}`).concat('q=mul', 'q=hyp', 'q=fer&limit=20'),
  '/api/events': ['limit=1', 'offset=1', 'event_type=visit'],
  '/api/lab-results': ['test_name=Ferritine', 'test_name=Geheimwert', 'limit=1&offset=1', 'date_from=2025-01-01'],
  '/api/lab-results/orphans': ['limit=5'],
  '/api/trash': [],
  '/api/review': [],
  '/api/pipeline/status': [],
  '/api/patients': [],
  '/api/vault/check': [],
};
const OF_PATIENT: Record<string, readonly string[]> = {
  '/api/lab-results/timeline': ['test_name=Ferritin', 'test_name=Geheimwert'],
  '/api/lab-results/summary': [],
  '/api/lab-results/series': ['test=Ferritin', 'test=Geheimwert', 'test=Sonderwert'],
  '/api/timeline': ['from=2025-01-01', 'specialty=Cardiologie', 'specialty=Kardiologie'],
  '/api/today': ['follow_ups=3'],
};

/** Reads every list with every parameter, of all patients and of one. */
export async function readLists(ask: Ask, patient: number): Promise<void> {
  const with_ = (path: string, ...queries: (string | undefined)[]): string =>
    [path, queries.filter(Boolean).join('&')].filter(Boolean).join('?');
  for (const [path, queries] of Object.entries(QUERIES))
    for (const query of [undefined, ...queries]) {
      await ask('GET', with_(path, query));
      if (!/trash|status|patients|check/.test(path)) await ask('GET', with_(path, `patient_id=${patient}`, query));
    }
  for (const [path, queries] of Object.entries(OF_PATIENT))
    for (const query of [undefined, ...queries]) await ask('GET', with_(path, `patient_id=${patient}`, query));
  const { items = [] } = await ask('GET', '/api/documents?limit=200');
  for (const { id, doctor_id, facility_id } of items) {
    if (doctor_id) await ask('GET', `/api/documents?doctor_id=${doctor_id}`);
    if (facility_id) await ask('GET', `/api/documents?facility_id=${facility_id}`);
    await ask('GET', `/api/documents/${id}`);
  }
  for (const kind of KINDS)
    for (const query of ['sort=name&limit=2&offset=1', 'sort=uses&limit=2&offset=1', 'search=e'])
      await ask('GET', `${normalization(kind)}?${query}`);
}

/** Writes down what the other household has written down, too. */
export async function writeSameNames(ask: Ask, document: number, patient: number): Promise<void> {
  const at = `/api/documents/${document}`;
  for (const doctor_name of ['Dr. R. Aebischer', 'Peter Frisch', 'Dr. Quirin Zabelstein', 'Q. Zabelstein'])
    await ask('PATCH', at, { doctor_name, facility_name: 'Klinik Aare, Bern', specialty_original: 'Cardiologie' });
  for (const [diagnosis_original, diagnosis_code] of [
    ['Multiple Sklerose', 'G35'],
    ['HIV', 'B20'],
    ['Gicht', 'M10.9'],
    ['Hypertonie', 'I10.90'],
    ['Eisenmangl', null],
    ['Neuer Nebel', null],
  ]) {
    const encounter = await ask('POST', '/api/encounters', {
      document_id: document,
      diagnosis_original,
      diagnosis_code,
    });
    if (encounter.id)
      await ask('PATCH', `/api/encounters/${encounter.id}`, { diagnosis_original: `${diagnosis_original}.` });
    await ask('POST', '/api/events', {
      patient_id: patient,
      title: 'Akte',
      diagnosis_text: diagnosis_original,
      icd10_code: diagnosis_code,
      specialty_text: 'Cardiologie',
    });
  }
  for (const [brand_name, active_ingredient_original] of [
    ['Tysabri', 'Natalizumab'],
    ['Aspirin', null],
    ['Maltofr', null],
    ['Nirgendwo', null],
  ])
    await ask('POST', '/api/medications', { document_id: document, brand_name, active_ingredient_original });
  for (const test_name_original of ['Ferritine', 'Sonderwrt', 'Geheimwert'])
    await ask('POST', '/api/lab-results', { document_id: document, test_name_original, value: 2, unit: 'µg/L' });
  await ask('GET', at);
}

/** Changes every kind of names in every way. */
export async function changeNames(ask: Ask): Promise<void> {
  for (const kind of KINDS) {
    const { items = [] } = await ask('GET', normalization(kind));
    const [first, second, third] = items as { id: number; canonical_display: string; canonical_code: string }[];
    if (!first || !second || !third) continue;
    await ask('PATCH', normalization(kind, first.id), { canonical_display: `${first.canonical_display} Buntwort` });
    for (const canonical_code of [second.canonical_code, 'neuer-nebel', 'quirin-zabelstein', 'geheimwert'])
      await ask('PATCH', normalization(kind, first.id), { canonical_code });
    for (const alias of [`${second.canonical_display} Nebenwort`, 'Geheimwert', 'Neuer Nebel', 'Zabelstein Quirin'])
      await ask('POST', normalization(kind, `${first.id}/aliases`), { alias });
    const { aliases = [] } = await ask('GET', normalization(kind, first.id));
    if (aliases[0]) await ask('DELETE', normalization(kind, `aliases/${aliases[0].alias_id}`));
    await ask('POST', normalization(kind, `${second.id}/confirm`));
    await ask('POST', normalization(kind, 'keep-apart'), { entry_ids: [first.id, second.id] });
    const merged = await ask('POST', normalization(kind, 'merge'), { source_id: first.id, target_id: second.id });
    await ask('GET', normalization(kind, 'merges'));
    await ask('GET', normalization(kind, second.id));
    if (merged.merge_id) await ask('POST', normalization(kind, `merges/${merged.merge_id}/undo`));
    await ask('POST', normalization(kind, 'merge-batch'), {
      source_ids: [first.id, second.id],
      new_target: { canonical_code: 'neuer-nebel', canonical_display: 'Neuer Nebel' },
    });
    const removed = await ask('DELETE', normalization(kind, third.id));
    await ask('GET', '/api/trash');
    if (removed.trash_id) await ask('POST', `/api/trash/${removed.trash_id}/restore`);
    await ask('GET', normalization(kind, third.id));
  }
}

/** Stores a file that the other household has, deletes it and restores it. */
export async function storeSharedPaper(ask: Ask, client: Client, patient: number, look: (answer: unknown) => void) {
  for (const name of ['einladung.pdf', 'noch-einmal.pdf']) {
    const { status, body } = await client.upload(await sharedPaper(), name, patient);
    look({ status, body });
    if (status !== 201) continue;
    const removed = await ask('DELETE', `/api/documents/${body.document_id}`);
    if (removed.trash_id) await ask('POST', `/api/trash/${removed.trash_id}/restore`);
  }
}
