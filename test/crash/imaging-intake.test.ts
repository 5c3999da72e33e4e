/** @module-tag long */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { randomFrom, type Random } from '../fixtures/corpus/random.ts';
import { directory, slice } from '../fixtures/dicom/disc.ts';
import { structuredReport } from '../fixtures/dicom/reports.ts';
import { zip } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { inDepth } from '../support/depth.ts';
import { launch } from './launch.ts';

const KILLS = inDepth(2, 12);
const IMAGES = 300;

/** A disc with a study of many images and a report, and another study; `of` makes its UIDs. */
const disc = (of: number): Buffer =>
  zip([
    { name: 'DICOMDIR', content: directory() },
    ...Array.from({ length: IMAGES }, (_, i) => ({
      name: `DICOM/I${i}`,
      content: slice({ study: `9.${of}`, number: i + 1, position: i }),
    })),
    { name: 'DICOM/SR', content: structuredReport({ study: `9.${of}`, finding: `Befund ${of}` }) },
    { name: 'DICOM/B', content: slice({ study: `8.${of}` }) },
  ]);

async function begin(vault: string, cookie: string | null) {
  const program = launch(vault);
  const url = await program.ready;
  if (url === null) throw new Error(`the program did not start: ${program.log()}`);
  const client = new Client(url);
  if (cookie === null) await client.setup();
  else client.cookie = cookie;
  return { program, client };
}

/** Kills the program within an intake, at a random part of the time that one takes; true if it had answered. */
async function uploadAndKill(
  { vault, cookie, intakeMs }: { vault: string; cookie: string; intakeMs: number },
  random: Random,
  kill: number,
): Promise<boolean> {
  const { program, client } = await begin(vault, cookie);
  const answer = client.upload(disc(kill), 'CD.zip').then(
    ({ status }) => status === 201,
    () => false,
  );
  await new Promise((resolve) => setTimeout(resolve, (0.2 + 0.8 * random.next()) * intakeMs));
  program.kill('SIGKILL');
  await program.ended;
  return answer;
}

/** Studies with the objects of each, and what is wrong in the database. */
function inspect(vault: string) {
  const db = new Sqlite(join(vault, 'vault.db'), { readonly: true });
  try {
    const studies = db
      .prepare(
        `SELECT i.study_instance_uid AS uid, i.num_images AS counted, sum(o.frames) AS images, count(o.id) AS objects,
          count(DISTINCT o.sop_instance_uid) AS distinct_objects FROM imaging_studies AS i
          JOIN imaging_series AS s ON s.study_id = i.id JOIN imaging_instances AS o ON o.series_id = s.id
          GROUP BY i.id ORDER BY i.id`,
      )
      .all() as { uid: string; counted: number; images: number; objects: number; distinct_objects: number }[];
    const journal = db.prepare('SELECT count(*) FROM vault_journal').pluck().get();
    const links = db.prepare("SELECT count(*) FROM document_links WHERE link_type = 'report_for'").pluck().get();
    return { studies, journal, links };
  } finally {
    db.close();
  }
}

test('kills amid the intake of a disc leave whole studies, and the rest can be taken in again', async () => {
  const place = mkdtempSync(join(tmpdir(), 'hearth-intake-'));
  const vault = join(place, 'vault');
  mkdirSync(vault);
  const random = randomFrom('intake');
  try {
    const first = await begin(vault, null);
    const { cookie } = first.client;
    const started = performance.now();
    expect((await first.client.upload(disc(KILLS), 'CD.zip')).status).toBe(201);
    const intakeMs = performance.now() - started;
    first.program.kill('SIGTERM');
    await first.program.ended;
    let cutOff = 0;
    for (let kill = 0; kill < KILLS; kill += 1)
      if (!(await uploadAndKill({ vault, cookie, intakeMs }, random, kill))) cutOff += 1;
    expect(cutOff).toBeGreaterThan(0);
    const last = await begin(vault, cookie);
    for (const { uid, counted, images } of inspect(vault).studies)
      expect([uid, counted, images]).toEqual([uid, images, uid.startsWith('9.') ? IMAGES : 1]);
    for (let kill = 0; kill < KILLS; kill += 1)
      expect((await last.client.upload(disc(kill), 'CD.zip')).status).toBe(201);
    last.program.kill('SIGTERM');
    await last.program.ended;
    const { studies, journal, links } = inspect(vault);
    expect(studies.map(({ uid }) => uid).sort()).toEqual(
      Array.from({ length: KILLS + 1 }, (_, n) => [`8.${n}`, `9.${n}`])
        .flat()
        .sort(),
    );
    for (const { objects, distinct_objects } of studies) expect(objects).toBe(distinct_objects);
    expect([journal, links]).toEqual([0, KILLS + 1]);
    expect(await hearth(['verify', '--vault', vault])).toMatchObject({
      code: 0,
      said: expect.stringContaining('all intact'),
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
