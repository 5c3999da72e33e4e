/** @module-tag long */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { directory, slice } from '../fixtures/dicom/disc.ts';
import { zip } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { test as base } from '../support/fixtures.ts';
import { labReport } from '../support/sample-documents.ts';
import type { Served } from '../support/serve.ts';

let served: Served, person: Client;
const test = base.override('serveOptions', { env: { VAULT_PIPELINE_POLL_INTERVAL: '0.2' } });
test.beforeAll(async ({ served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup();
});

const studies = async (): Promise<Record<string, unknown>[]> =>
  (await person.get('/api/imaging?patient_id=1&limit=500')).body.items;
const studyOf = async (uid: string) => (await studies()).find((study) => study['study_instance_uid'] === uid);
const bundleOf = async (id: unknown): Promise<string[]> =>
  (await person.get(`/api/imaging/${String(id)}/bundle-files`)).body.items.map(({ name }: { name: string }) => name);
const trash = async (): Promise<string[]> =>
  (await person.get('/api/trash')).body.items.map(({ label }: { label: string }) => label);

function put(path: string, content: Buffer | string): void {
  const absolute = join(served.vault, 'inbox/elena-keller', path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
}

describe('a folder of an imaging disc in the inbox', () => {
  test('is taken in as a whole: studies, papers, and its other files beside them', async () => {
    put('CD/DICOMDIR', directory());
    put('CD/DICOM/S1/I1', slice({ study: '7.1', number: 1 }));
    put('CD/DICOM/S1/I2', slice({ study: '7.1', number: 2, position: 20 }));
    put('CD/VIEWER/run.exe', 'MZ program');
    put('CD/report.pdf', Buffer.from(await labReport({ seed: 78 })));
    await expect.poll(() => studyOf('7.1'), { timeout: 60_000 }).toMatchObject({ num_images: 2, patient_id: 1 });
    const folder = join(served.vault, 'inbox/elena-keller/CD');
    const left = (): string[] =>
      existsSync(folder)
        ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? one.name : []))
        : [];
    await expect.poll(left, { timeout: 30_000 }).toEqual([]);
    expect(await bundleOf((await studyOf('7.1'))?.['id'])).toEqual(['DICOMDIR', 'VIEWER/run.exe']);
    const documents = (await person.get('/api/documents?patient_id=1&limit=100')).body.items;
    expect(documents.map((one: { original_filename: string }) => one.original_filename)).toContain('report.pdf');
    expect(await trash()).toEqual([]);
  });

  test('that was taken in before goes to the trash', async () => {
    put('again/DICOMDIR', directory());
    put('again/I1', slice({ study: '7.1', number: 1 }));
    await expect.poll(trash, { timeout: 60_000 }).toEqual(expect.arrayContaining(['DICOMDIR', 'I1']));
    expect(await studyOf('7.1')).toMatchObject({ num_images: 2 });
  });
});

describe('an archive of pictures', () => {
  const picture = (shade: number, size: { width: number; height: number }, isColor = false): Promise<Buffer> =>
    sharp({
      create: { ...size, channels: 3, background: { r: shade, g: shade, b: isColor ? 255 - shade : shade } },
    })
      .png()
      .toBuffer();

  test('becomes a study of its pictures, which are kept as they are beside it', async () => {
    const files = [
      { name: 'export/10.png', content: await picture(200, { width: 40, height: 30 }) },
      { name: 'export/2.png', content: await picture(90, { width: 40, height: 30 }) },
      {
        name: 'export/color.jpg',
        content: await sharp(await picture(20, { width: 8, height: 8 }, true))
          .jpeg()
          .toBuffer(),
      },
    ];
    const { status, body } = await person.upload(zip(files), 'Knie.zip');
    expect([status, body.dicom, body.extracted, body.message]).toEqual([201, 3, 0, '1 study, 3 new images.']);
    const id = body.studies[0].study_id;
    const study = (await person.get(`/api/imaging/${id}`)).body;
    expect(study).toMatchObject({ patient_id: 1, modality: 'OT', num_images: 3, report_status: 'placeholder' });
    expect(study.series).toMatchObject([{ series_description: 'Knie', num_images: 3 }]);
    expect(await bundleOf(id)).toEqual(['export/10.png', 'export/2.png', 'export/color.jpg']);
    const shades: unknown[] = [];
    for (const index of [0, 1, 2]) {
      const path = `/api/imaging/${id}/series/${study.series[0].series_id}/frame/${index}`;
      const response = await fetch(served.url + path, { headers: { cookie: person.cookie } });
      const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
        .raw()
        .toBuffer({ resolveWithObject: true });
      shades.push([info.width, info.height, data[0]]);
    }
    // In the order of their numbers: 2 before 10.
    expect(shades.slice(0, 2)).toEqual([
      [40, 30, 90],
      [40, 30, 200],
    ]);
    const again = await person.upload(zip(files), 'Knie.zip');
    expect(again.body.studies).toMatchObject([{ study_id: id, status: 'known', duplicates: 3, objects: 0 }]);
  });

  test('becomes documents where one is a scan, a photo of a camera, or alone', async () => {
    const scan = await sharp(await picture(250, { width: 1654, height: 2339 }))
      .jpeg()
      .toBuffer();
    const small = await picture(140, { width: 40, height: 30 });
    const photo = await sharp(await picture(120, { width: 60, height: 45 }))
      .withExif({ IFD0: { Make: 'Apple', Model: 'iPhone 15' } })
      .jpeg()
      .toBuffer();
    const other = await picture(141, { width: 40, height: 30 });
    for (const [name, files] of [
      ['scans.zip', { 'a.jpg': scan, 'b.png': small }],
      ['photos.zip', { 'a.jpg': photo, 'b.png': other }],
      ['one.zip', { 'a.png': await picture(142, { width: 40, height: 30 }) }],
    ] as const) {
      const members = Object.entries(files).map(([member, content]) => ({ name: member, content }));
      const { body } = await person.upload(zip(members), name);
      expect([name, body.dicom, body.studies, body.documents.length]).toEqual([name, 0, [], members.length]);
    }
  });
});
