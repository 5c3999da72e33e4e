import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import yauzl from 'yauzl';
import { DICOM_WEB_PATH } from '../../src-shared/contract/dicom-web.ts';
import { slice } from '../fixtures/dicom/disc.ts';
import { imageObject, smoothPixels } from '../fixtures/dicom/image-objects.ts';
import { withAttributes } from '../fixtures/dicom/sample-objects.ts';
import { attribute, SYNTAX, writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { zip } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { foreignViewer, type ForeignViewer } from '../support/dicom-web-client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { listInArchive } from '../support/image-archive.ts';
import { itWith } from '../support/requirements.ts';

const DCMTK = { programs: ['dcmdump', 'dcmmkdir'] };
const OHIF = 'http://viewer.example:3000';
const test = base.override('serveOptions', WITHOUT_INBOX);
let person: Client, other: Client, viewer: ForeignViewer, address: string, token: string;

const uid = (n: number, tag: number) => attribute(tag, 'UI', `1.9.${n}`);
/** An RLE image in color, as ultrasound has it. */
const PIXELS = smoothPixels([0, 255], { samples: 3, rows: 4, columns: 4 });
const RLE_SEGMENT = (plane: number): Buffer =>
  Buffer.from([15, ...Array.from({ length: 16 }, (_, i) => PIXELS[i * 3 + plane]!)]);
function rleFrame(): Buffer {
  const segments = [0, 1, 2].map(RLE_SEGMENT).map((one) => (one.length % 2 ? Buffer.concat([one, Buffer.of(0)]) : one));
  const header = Buffer.alloc(64);
  header.writeUInt32LE(3, 0);
  segments.forEach((one, i) => header.writeUInt32LE(64 + i * one.length, 4 + i * 4));
  return Buffer.concat([header, ...segments]);
}
const ultrasound = (): Buffer =>
  writeDicom(
    withAttributes(
      imageObject({ rows: 4, columns: 4, samples: 3, photometric: 'RGB', planar: 0 }, PIXELS),
      ...[uid(1, 0x0020_000d), uid(2, 0x0020_000e), uid(3, 0x0008_0018)],
      attribute(0x0008_0020, 'DA', '20251103'),
      attribute(0x0008_0060, 'CS', 'US'),
      attribute(0x0008_1030, 'LO', 'Sono Abdomen'),
      attribute(0x0010_0010, 'PN', 'Keller^Elena'),
      attribute(0x0010_0030, 'DA', '19790509'),
      attribute(0x0008_1140, 'SQ', [[attribute(0x0008_1155, 'UI', '1.2.3.99')]]),
      attribute(0x0028_1201, 'OW', new Uint8Array(2048).fill(3)),
      { tag: 0x7fe0_0010, vr: 'OB', value: { fragments: [rleFrame()] } },
    ),
    { syntax: '1.2.840.10008.1.2.5' },
  );

test.beforeAll(async ({ served }) => {
  person = new Client(served.url);
  await person.setup();
  await person.post('/api/pipeline/stop');
  const bigEndian = slice({ study: '1.7', number: 4, position: 40, pixel: 5, writing: { syntax: SYNTAX.bigEndian } });
  const disc = [
    slice({ study: '1.7', number: 1, position: 20, pixel: 1 }),
    slice({ study: '1.7', number: 2, position: 10, frames: 3, pixel: 2 }),
    slice({ study: '1.7', series: '1.7.9', number: 3, writing: { syntax: SYNTAX.implicit } }),
    bigEndian,
    ultrasound(),
  ].map((content, index) => ({ name: `A/${index}`, content }));
  await person.upload(zip(disc), 'disc.zip');
  await person.post('/api/patients', { display_name: 'Lucia Keller', date_of_birth: '1990-01-01', sex: 'F' });
  const luca = slice({ study: '1.8', patient: 'Keller^Lucia', birthDate: '19900101' });
  await person.upload(luca, 'luca.dcm', 2);
  const account = { username: 'luca', password: 'correct horse stable' };
  const user = (await person.post('/api/settings/users', { ...account, role: 'viewer' })).body.id;
  await person.post(`/api/settings/users/${user}/access`, { patient_id: 2 });
  other = new Client(served.url);
  await other.post('/api/auth/login', account);
  const made = await person.post('/api/viewer-access', { name: 'OHIF', origins: [OHIF] });
  token = made.body.token;
  address = `${served.url}${DICOM_WEB_PATH}`;
  viewer = foreignViewer(address, token);
});

const studyUids = async (options: object = {}): Promise<unknown[]> =>
  (await viewer.searchForStudies(options)).map((study) => study['0020000D']!.Value![0]).sort();
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${address}${path}`, { headers: { Authorization: `Bearer ${token}`, ...headers } });
const CT_1 = '/studies/1.7/series/1.7.2/instances/1.7.2.1';

describe('a foreign viewer', () => {
  it('finds studies, series and objects with what it shows in its lists', async () => {
    const [study] = await viewer.searchForStudies({ queryParams: { StudyInstanceUID: '1.7' } });
    expect(study).toMatchObject({
      '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
      '00080020': { vr: 'DA', Value: ['20240229'] },
      '00080061': { vr: 'CS', Value: ['CT'] },
      '00080090': { vr: 'PN', Value: [{ Alphabetic: 'Huber^Eva^^Dr.' }] },
      '00081190': { vr: 'UR', Value: [`${address}/studies/1.7`] },
      '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Keller^Elena' }] },
      '00201206': { vr: 'IS', Value: [2] },
      '00201208': { vr: 'IS', Value: [4] },
    });
    const series = await viewer.searchForSeries({ studyInstanceUID: '1.7' });
    expect(series.map((one) => [one['0020000E']!.Value, one['00080060']!.Value, one['00201209']!.Value])).toEqual([
      [['1.7.2'], ['CT'], [3]],
      [['1.7.9'], ['CT'], [1]],
    ]);
    const objects = await viewer.searchForInstances({ studyInstanceUID: '1.7', seriesInstanceUID: '1.7.2' });
    expect(objects.map((one) => [one['00080018']!.Value, one['00280008']?.Value])).toEqual([
      [['1.7.2.2'], [3]],
      [['1.7.2.1'], [1]],
      [['1.7.2.4'], [1]],
    ]);
  });

  it('finds by wildcards, ranges, lists, names without case, and in sequences', async () => {
    const found = (queryParams: object) => studyUids({ queryParams });
    expect(await found({})).toEqual(['1.7', '1.8', '1.9.1']);
    expect(await found({ PatientName: 'keller^e*' })).toEqual(['1.7', '1.9.1']);
    expect(await found({ PatientName: 'lucia kel', fuzzymatching: true })).toEqual(['1.8']);
    expect(await found({ StudyDate: '20250101-' })).toEqual(['1.9.1']);
    expect(await found({ StudyDate: '20240101-20241231' })).toEqual(['1.7', '1.8']);
    expect(await found({ StudyDate: '20240229', StudyTime: '08-09' })).toEqual(['1.7', '1.8']);
    expect(await found({ ModalitiesInStudy: 'US' })).toEqual(['1.9.1']);
    expect(await found({ StudyDescription: 'Sono?Abd*' })).toEqual(['1.9.1']);
    expect(await found({ StudyInstanceUID: '1.8,1.9.1' })).toEqual(['1.8', '1.9.1']);
    expect(await found({ 'ReferencedImageSequence.00081155': '1.2.3.99' })).toEqual(['1.9.1']);
    expect(await found({ AccessionNumber: 'nothing' })).toEqual([]);
  });

  it('gets pages of results and the attributes that it asks for', async () => {
    const all = (await viewer.searchForStudies()).map((study) => study['0020000D']!.Value![0]);
    const page = await viewer.searchForStudies({ queryParams: { limit: 1, offset: 1 } });
    expect(page.map((study) => study['0020000D']!.Value![0])).toEqual([all[1]]);
    const [more] = await viewer.searchForStudies({
      queryParams: { StudyInstanceUID: '1.7', includefield: '00080080,BodyPartExamined' },
    });
    expect([more!['00080080']!.Value, more!['00180015']!.Value]).toEqual([['Klinik am See'], ['CHEST']]);
    const unknown = await get('/studies?PatientNname=x');
    expect([unknown.status, ((await unknown.json()) as { code: string }).code]).toEqual([
      400,
      'dicomweb.unknown_attribute',
    ]);
    const everything = await get('/instances?includefield=all&SOPInstanceUID=1.7.2.1');
    expect(Object.keys(((await everything.json()) as object[])[0]!)).toEqual(
      expect.arrayContaining(['00200032', '00281050', '0020000D']),
    );
  });

  it('reads the metadata of a study, in which long values have addresses', async () => {
    const objects = await viewer.retrieveStudyMetadata({ studyInstanceUID: '1.9.1' });
    const model = objects[0]!;
    expect(model).toMatchObject({
      '00083002': { vr: 'UI', Value: ['1.2.840.10008.1.2.5'] },
      '00081140': { vr: 'SQ', Value: [{ '00081155': { vr: 'UI', Value: ['1.2.3.99'] } }] },
      '00280010': { vr: 'US', Value: [4] },
      '00200032': { vr: 'DS', Value: [-120.5, -130, 42.5] },
    });
    expect(model['00281201']!.BulkDataURI).toMatch(/\/instances\/1\.9\.3\/bulkdata\/00281201$/);
    const [bytes] = await viewer.retrieveBulkData({ BulkDataURI: model['00281201']!.BulkDataURI });
    expect(Buffer.from(bytes!)).toEqual(Buffer.alloc(2048, 3));
    const [pixels] = await viewer.retrieveBulkData({ BulkDataURI: model['7FE00010']!.BulkDataURI });
    expect([...new Uint8Array(pixels!)]).toEqual(PIXELS);
    const series = await viewer.retrieveSeriesMetadata({ studyInstanceUID: '1.7', seriesInstanceUID: '1.7.2' });
    expect(series.map((one) => one['00200013']!.Value)).toEqual([[2], [1], [4]]);
  });

  it('gets the pixels of frames decoded, in little endian, or as they are coded', async () => {
    const at = (study: string, series: string, instance: string, frames: number[], more: object = {}) =>
      viewer.retrieveInstanceFrames({
        ...{ studyInstanceUID: study, seriesInstanceUID: series, sopInstanceUID: instance, frameNumbers: frames },
        ...more,
      });
    expect((await at('1.7', '1.7.2', '1.7.2.2', [1, 3])).map((one) => [...new Uint8Array(one)])).toEqual([
      Array(12).fill(2),
      Array(12).fill(2),
    ]);
    expect([...new Uint8Array((await at('1.7', '1.7.2', '1.7.2.4', [1]))[0]!)]).toEqual(Array(12).fill(5));
    expect([...new Uint8Array((await at('1.9.1', '1.9.2', '1.9.3', [1]))[0]!)]).toEqual(PIXELS);
    const accept = { accept: 'multipart/related; type="application/octet-stream"; transfer-syntax=*' };
    const raw = await get('/studies/1.9.1/series/1.9.2/instances/1.9.3/frames/1', accept);
    expect(Buffer.from(await raw.arrayBuffer()).includes(rleFrame())).toBe(true);
    const image = await get('/studies/1.9.1/series/1.9.2/instances/1.9.3/frames/1', {
      accept: 'multipart/related; type="image/dicom-rle"',
    });
    expect(image.headers.get('content-type')).toMatch(/^multipart\/related; type="image\/dicom-rle"; boundary=/);
    expect((await get(`${CT_1}/frames/2`)).status).toBe(404);
    expect((await get(`${CT_1}/frames/1`, { accept: 'image/jp2' })).status).toBe(406);
    expect((await get(`${CT_1}/frames/1`, { accept: '' })).status).toBe(200);
    expect((await get('/studies', { accept: ' ' })).status).toBe(200);
  });

  it('gets whole objects byte by byte as they are stored, and pictures', async () => {
    const place = { studyInstanceUID: '1.7', seriesInstanceUID: '1.7.2', sopInstanceUID: '1.7.2.1' };
    const stored = slice({ study: '1.7', number: 1, position: 20, pixel: 1 });
    expect(Buffer.from(await viewer.retrieveInstance(place))).toEqual(stored);
    const alone = await get(CT_1, { accept: 'application/dicom' });
    expect([alone.headers.get('content-type'), Buffer.from(await alone.arrayBuffer())]).toEqual([
      'application/dicom',
      stored,
    ]);
    expect(await viewer.retrieveStudy({ studyInstanceUID: '1.7' })).toHaveLength(4);
    const [png] = await viewer.retrieveInstanceRendered({ ...place, mediaTypes: [{ mediaType: 'image/png' }] });
    expect(Buffer.from(png!).subarray(1, 4).toString()).toBe('PNG');
    const jpeg = '1.2.840.10008.1.2.4.70';
    const impossible = await get(CT_1, {
      accept: `multipart/related; type="application/dicom"; transfer-syntax=${jpeg}`,
    });
    expect(impossible.status).toBe(406);
  });
});

describe('the token of a viewer', () => {
  it('is needed, shows only what its user may see, and ends at once', async () => {
    const without = await fetch(`${address}/studies`);
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const cookie = await fetch(`${address}/studies`, { headers: { cookie: person.cookie } });
    expect(cookie.status).toBe(401);
    const made = (await other.post('/api/viewer-access', { name: 'Weasis' })).body;
    const lucas = foreignViewer(address, made.token);
    expect((await lucas.searchForStudies()).map((study) => study['0020000D']!.Value)).toEqual([['1.8']]);
    await expect(lucas.retrieveStudyMetadata({ studyInstanceUID: '1.7' })).rejects.toMatchObject({ status: 404 });
    expect((await person.call('DELETE', `/api/viewer-access/${made.id}`)).status).toBe(404);
    expect((await other.call('DELETE', `/api/viewer-access/${made.id}`)).status).toBe(200);
    await expect(lucas.searchForStudies()).rejects.toMatchObject({ status: 401 });
  });

  it('is listed without itself, and its readings are in the audit log once', async () => {
    const { items } = (await person.get('/api/viewer-access')).body;
    expect(items).toEqual([
      expect.objectContaining({ name: 'OHIF', origins: [OHIF], last_used_at: expect.any(String) }),
    ]);
    expect(JSON.stringify(items)).not.toContain(token);
    await get(`${CT_1}/metadata`);
    await get(`${CT_1}/metadata`);
    const logged = (await person.get('/api/settings/audit-log?action=imaging.viewer_read&limit=100')).body.items;
    expect(logged.filter((entry: { resource_id: string }) => entry.resource_id === logged[0].resource_id)).toHaveLength(
      1,
    );
  });

  it('may be used by pages of the listed origins only', async () => {
    const preflight = (origin: string): Promise<Response> =>
      fetch(`${address}/studies`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
      });
    const allowed = await preflight(OHIF);
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, OHIF]);
    expect((await preflight('http://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
    const read = await get('/studies', { origin: OHIF });
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, OHIF]);
    const refused = await get('/studies', { origin: 'http://evil.example' });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('is of no use from other computers, nor for changes', async () => {
    const forwarded = await get('/studies', { 'x-forwarded-for': '203.0.113.9' });
    expect([forwarded.status, ((await forwarded.json()) as { code: string }).code]).toEqual([
      403,
      'dicomweb.only_this_computer',
    ]);
    const store = await fetch(`${address}/studies`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
    expect(store.status).toBe(405);
    const elsewhere = await get('/../patients');
    expect(elsewhere.status).toBe(401);
    // A client that hangs up leaves nothing behind.
    const { hostname, port } = new URL(address);
    await new Promise<void>((resolve) => {
      const sent = request(
        { hostname, port, path: `${DICOM_WEB_PATH}/studies/1.7`, headers: { Authorization: `Bearer ${token}` } },
        (response) => response.destroy(),
      );
      sent.on('close', resolve).end();
    });
    expect((await get('/studies')).status).toBe(200);
  });
});

/** The members of a ZIP. */
async function unzip(bytes: Buffer): Promise<[name: string, content: Buffer][]> {
  const archive = await yauzl.fromBufferPromise(bytes);
  const members: [string, Buffer][] = [];
  for await (const entry of archive.eachEntry())
    members.push([entry.fileName, await buffer(await archive.openReadStreamPromise(entry))]);
  return members;
}

describe('a disc with exported studies', () => {
  let folder: string;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  async function disc(query: string): Promise<string[]> {
    const { items } = (await person.get('/api/imaging?sort=modality&order=desc')).body;
    const ids = items
      .filter((study: { patient_id: number }) => study.patient_id === 1)
      .map(({ id }: { id: number }) => id);
    const response = await fetch(`${person.url}/api/imaging/export?ids=${ids.join(',')}${query}`, {
      headers: { cookie: person.cookie, 'accept-language': 'de' },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    folder ??= mkdtempSync(join(tmpdir(), 'hearth-disc-'));
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const names: string[] = [];
    for (const [name, content] of await unzip(Buffer.from(await response.arrayBuffer()))) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
      names.push(name);
    }
    return names.sort();
  }
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd: folder, encoding: 'latin1', stdio: ['ignore', 'pipe', 'pipe'] });
  /** Kind and file of each record of a directory. */
  const recordsOf = (name: string): string[] =>
    run('dcmdump', '-M', '+P', '0004,1430', '+P', '0004,1500', '+P', '0004,1511', '+L', name)
      .split('\n')
      .map((line) => line.replace(/ *#.*$/, '').trim())
      .filter(Boolean);

  it('has files with short names, a directory and a text in the language of the reader', async () => {
    expect(await disc('')).toEqual([
      'DICOM/ST000001/SE000001/IM000001',
      'DICOM/ST000002/SE000001/IM000001',
      'DICOM/ST000002/SE000001/IM000002',
      'DICOM/ST000002/SE000001/IM000003',
      'DICOM/ST000002/SE000002/IM000001',
      'DICOMDIR',
      'README.TXT',
    ]);
    expect(readFileSync(join(folder, 'README.TXT'), 'utf8')).toMatch(/Anzahl DICOM-Objekte: 5\./);
  });

  itWith(DCMTK, 'has the directory that dcmtk makes of its files, and which dcmtk extends', async () => {
    const files = (await disc('')).filter((name) => name.startsWith('DICOM/'));
    const own = recordsOf('DICOMDIR');
    run('dcmmkdir', '+D', 'THEIRS', '-Nxc', '+I', '-W', ...files);
    expect(own.sort()).toEqual(recordsOf('THEIRS').sort());
    run('dcmmkdir', '+D', 'DICOMDIR', '+U', '-Nxc', '+I', '-W', ...files);
    expect(recordsOf('DICOMDIR').sort()).toEqual(own);
  });

  itWith(
    { programs: ['dcmqrscp', 'dcmqridx', 'findscu', 'dcmdump'] },
    'is taken in whole by an image archive',
    async () => {
      const files = (await disc('')).filter((name) => name.startsWith('DICOM/'));
      const uids = files.map((name) => /\[(.*?)\]/.exec(run('dcmdump', '+P', '0008,0018', name))![1]!);
      const paths = files.map((name) => join(folder, name));
      expect(await listInArchive(paths, ['1.7', '1.9.1'])).toEqual(uids.sort());
    },
  );

  itWith(DCMTK, 'has no names in files and directory once it is de-identified', async () => {
    const files = await disc('&deidentify=1');
    const text = files
      .filter((name) => name !== 'README.TXT')
      .map((name) => run('dcmdump', name))
      .join('');
    expect(text).toMatch(/\[ANON-[0-9A-F]{8} ?\]/);
    expect(text).not.toMatch(/Keller|Elena|19790509|Huber|Klinik|\[1\.7|\[1\.9/);
    const readme = readFileSync(join(folder, 'README.TXT'), 'utf8');
    expect(readme).toMatch(/PS3\.15 anonymisiert/);
    expect(readme).toMatch(/1 zeigen vielleicht Namen/);
  });

  it('is for those who may see every study on it', async () => {
    const { items } = (await person.get('/api/imaging')).body;
    expect((await other.get(`/api/imaging/export?ids=${items[0].id},${items.at(-1).id}`)).status).toBe(403);
  });
});

describe('a study in lists', () => {
  it('has a small picture, as each of its series does', async () => {
    const { items } = (await person.get('/api/imaging?modality=CT&patient_id=1')).body;
    const { series } = (await person.get(`/api/imaging/${items[0].id}`)).body;
    for (const path of ['', `/series/${series[0].series_id}`]) {
      const response = await fetch(`${person.url}/api/imaging/${items[0].id}${path}/thumbnail`, {
        headers: { cookie: person.cookie },
      });
      const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect([response.status, format, width, height]).toEqual([200, 'png', 3, 2]);
      expect(response.headers.get('etag')).toMatch(/-small"$/);
    }
  });

  it('is found by what it shows, in another language and by its descriptions', async () => {
    const found = async (words: string): Promise<number> =>
      (await person.get(`/api/documents?q=${encodeURIComponent(words)}&patient_id=1`)).body.total;
    expect([await found('Ultraschall Abdomen'), await found('ultrasound'), await found('Brustkorb')]).toEqual([
      1, 1, 2,
    ]);
    expect([await found('Lunge'), await found('A-77'), await found('Mammographie')]).toEqual([2, 2, 0]);
    expect(await found('Knie-MRT')).toBe(0);
    const { study_id } = (await person.upload(slice({ study: '1.11' }), 'knee.dcm')).body.studies[0];
    const knee = { modality: 'MR', body_part: 'KNEE', study_description: null };
    expect((await person.call('PATCH', `/api/imaging/${study_id}/metadata`, knee)).status).toBe(200);
    expect([await found('Knie-MRT'), await found('MRT Knie')]).toEqual([1, 1]);
  });
});
