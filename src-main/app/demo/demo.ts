import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { loadConfig, type Overrides } from '../../platform/config/load.ts';
import { startCore, type Core } from '../core.ts';
import { DEMO_EVENTS, DEMO_LINKS, DEMO_DOCUMENTS, DEMO_PEOPLE, renderSampleDocument } from './sample-documents.ts';

const DEMO_USER = 'demo';
const CLIENT = { ip: '127.0.0.1', userAgent: 'demo', sessionId: null };

/**
 * Starts a temporary vault with a fictional household, read by the pipeline; user `demo`, password `demo`. It is
 * deleted when the program ends.
 */
export async function startDemo(overrides: Overrides): Promise<{ core: Core; mode: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-demo-'));
  const config = loadConfig({ ...overrides, 'vault.path': folder });
  const core = await startCore({ config });
  const stop = core.stop.bind(core);
  await fillVault(core);
  return {
    mode: config.mode,
    core: {
      ...core,
      stop: async () => {
        await stop();
        await rm(folder, { recursive: true, force: true });
      },
    },
  };
}

async function fillVault({ auth, patients, documents, events, links, pipeline }: Core): Promise<void> {
  const [first, ...others] = DEMO_PEOPLE;
  const { user, patient } = await auth.createFirst(
    {
      username: DEMO_USER,
      password: DEMO_USER,
      display_name: first.name,
      patient_name: first.name,
      patient_date_of_birth: first.born,
      patient_sex: first.sex,
    },
    CLIENT,
  );
  const ids = new Map([[first.name, patient.id]]);
  for (const person of others)
    ids.set(
      person.name,
      patients.create({ display_name: person.name, date_of_birth: person.born, sex: person.sex }, user).id,
    );
  for (const sample of DEMO_DOCUMENTS)
    await documents.importFile(
      Readable.from([await renderSampleDocument(sample)]),
      sample.file,
      ids.get(sample.person) ?? patient.id,
    );
  pipeline.wake();
  await pipeline.idle();

  const byFilename = new Map(
    documents.queries
      .list({ limit: DEMO_DOCUMENTS.length, offset: 0 }, user)
      .items.map((item) => [item.original_filename, item]),
  );
  for (const { person, fields, files } of DEMO_EVENTS) {
    const { id } = events.create({ ...fields, patient_id: ids.get(person) ?? patient.id });
    for (const file of files) {
      const document = byFilename.get(file);
      if (document) events.link(id, document.id, 'primary', user);
    }
  }
  for (const [source, type, target] of DEMO_LINKS) {
    const from = byFilename.get(source),
      to = byFilename.get(target);
    if (from && to) links.create(from.id, to.id, type, user);
  }
}
