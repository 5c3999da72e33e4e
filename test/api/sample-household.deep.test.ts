import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { DocumentDetail } from '../../src-shared/contract/rows.ts';
import { PEOPLE } from '../fixtures/demo/people.ts';
import { PAPERS } from '../fixtures/demo/story.ts';
import { Client } from '../support/client.ts';
import { serve } from '../support/serve.ts';

/** What the reader took from a paper, without ids. */
function readingOf(document: DocumentDetail): unknown {
  const texts = (rows: Record<string, unknown>[], ...columns: string[]): unknown[] =>
    rows.map((row) => columns.map((column) => row[column]));
  return {
    type: document.doc_type,
    date: document.event_date,
    doctor: document.doctor_name,
    facility: document.facility_name,
    results: texts(document.lab_results, 'test_name_original', 'value', 'unit', 'reference_range_high'),
    medications: texts(document.medications, 'brand_name', 'active_ingredient_original', 'dosage'),
    vaccinations: texts(document.vaccinations, 'vaccine_name', 'lot_number', 'date_administered'),
    diagnoses: texts(document.encounters, 'diagnosis_original', 'diagnosis_code'),
  };
}

it('the sample household has what the reader reads from its papers today', async () => {
  const place = mkdtempSync(join(tmpdir(), 'hearth-sample-deep-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const demo = await serve({ args: ['--demo'], env: { TMPDIR: place, TEMP: place, TMP: place } });
  const fresh = await serve();
  onTestFinished(async () => {
    await demo.stop();
    await fresh.remove();
  });
  const [sample, reader] = [new Client(demo.url), new Client(fresh.url)];
  await sample.post('/api/auth/login', { username: 'demo', password: 'demo' });
  await reader.setup(PEOPLE.claire.name, PEOPLE.claire.born);
  const ids = new Map([['claire', 1]]);
  for (const { key, name, born, sex } of [PEOPLE.daniel, PEOPLE.nora, PEOPLE.rosa])
    ids.set(key, (await reader.post('/api/patients', { display_name: name, date_of_birth: born, sex })).body.id);

  const { items } = (await sample.get('/api/documents?limit=500')).body;
  // Engines for scans differ between computers.
  for (const { file, person, putUnder } of PAPERS.filter(({ form }) => form === 'pdf')) {
    const { id } = items.find((item: { original_filename: string }) => item.original_filename === file);
    const response = await fetch(`${demo.url}/api/documents/${id}/file`, { headers: { cookie: sample.cookie } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { body } = await reader.upload(bytes, file, ids.get(putUnder ?? person));
    await reader.idle();
    const [shown, read] = [
      (await sample.get(`/api/documents/${id}`)).body,
      (await reader.get(`/api/documents/${body.document_id}`)).body,
    ];
    expect(readingOf(read), `${file}: run “npm run build:demo”`).toEqual(readingOf(shown));
  }
});
