import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { DICOM_WEB_PATH } from '../../src-shared/contract/dicom-web.ts';
import { slice } from '../fixtures/dicom/disc.ts';
import { imageObject } from '../fixtures/dicom/image-objects.ts';
import { withAttributes } from '../fixtures/dicom/sample-objects.ts';
import { attribute, writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { Client } from '../support/client.ts';
import { foreignViewer, type ForeignViewer } from '../support/dicom-web-client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';

const test = base.override('serveOptions', WITHOUT_INBOX);
let viewer: ForeignViewer, address: string, token: string;

/** 16 × 16 pixels of the values 0 to 255. */
const ramp = (): Buffer =>
  writeDicom(
    withAttributes(
      imageObject(
        { rows: 16, columns: 16 },
        Array.from({ length: 256 }, (_, i) => i),
      ),
      attribute(0x0020_000d, 'UI', '1.7'),
      attribute(0x0020_000e, 'UI', '1.7.1'),
      attribute(0x0008_0018, 'UI', '1.7.1.1'),
      attribute(0x0010_0010, 'PN', 'Keller^Elena'),
      attribute(0x0010_0030, 'DA', '19790509'),
    ),
  );

test.beforeAll(async ({ served }) => {
  const person = new Client(served.url);
  await person.setup();
  await person.post('/api/pipeline/stop');
  await person.upload(ramp(), 'ramp.dcm');
  await person.upload(slice({ study: '1.8', frames: 3, pixel: 2 }), 'frames.dcm');
  token = (await person.post('/api/viewer-access', { name: 'OHIF', origins: [] })).body.token;
  address = `${served.url}${DICOM_WEB_PATH}`;
  viewer = foreignViewer(address, token);
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${address}${path}`, { headers: { Authorization: `Bearer ${token}`, ...headers } });
const RAMP = '/studies/1.7/series/1.7.1/instances/1.7.1.1';
const FRAMES = '/studies/1.8/series/1.8.2/instances/1.8.2.1';
const rendered = async (query: string, accept?: string, place = `${RAMP}/rendered`) => {
  const response = await get(`${place}${query}`, accept === undefined ? {} : { accept });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), bytes };
};
const grays = (bytes: Buffer): Promise<Buffer> => sharp(bytes).toColourspace('b-w').raw().toBuffer();

describe('a rendered frame', () => {
  it.each([
    [undefined, 'image/jpeg'],
    ['*/*', 'image/jpeg'],
    ['image/*', 'image/jpeg'],
    ['image/png', 'image/png'],
    ['image/png, image/jpeg;q=0.5', 'image/png'],
    ['image/png;q=0.5, image/jpeg', 'image/jpeg'],
    ['image/gif, image/png', 'image/png'],
  ])('is what the client accepts most: %s', async (accept, type) => {
    for (const place of [`${RAMP}/rendered`, `${FRAMES}/frames/3/rendered`]) {
      const picture = await rendered('', accept, place);
      expect([picture.status, picture.type]).toEqual([200, type]);
      expect((await sharp(picture.bytes).metadata()).format).toBe(type.slice('image/'.length));
    }
  });

  it.each(['image/gif', 'video/mp4', 'image/jpeg;q=0', 'application/dicom'])(
    'is refused to who accepts only %s',
    async (accept) => {
      const { status, bytes } = await rendered('', accept);
      expect([status, JSON.parse(bytes.toString()).code]).toEqual([406, 'dicomweb.not_acceptable']);
    },
  );

  it('reaches a foreign viewer as JPEG and as PNG', async () => {
    const place = { studyInstanceUID: '1.7', seriesInstanceUID: '1.7.1', sopInstanceUID: '1.7.1.1' };
    for (const format of ['jpeg', 'png']) {
      const [picture] = await viewer.retrieveInstanceRendered({
        ...place,
        mediaTypes: [{ mediaType: `image/${format}` }],
      });
      expect((await sharp(Buffer.from(picture!)).metadata()).format).toBe(format);
    }
  });

  it('has the window and the function that are asked for', async () => {
    const drawn = async (window: string) => [
      ...(await grays((await rendered(`?window=${window}`, 'image/png')).bytes)),
    ];
    const linear = await drawn('128,256');
    expect(linear).toEqual(Array.from({ length: 256 }, (_, i) => i));
    expect(await drawn('64,2,LINEAR')).toEqual(Array.from({ length: 256 }, (_, i) => (i < 64 ? 0 : 255)));
    const exact = await drawn('128,200,linear-exact');
    expect([exact[28], exact[78], exact[228]]).toEqual([0, 63, 255]);
    const sigmoid = await drawn('128,64,sigmoid');
    expect([sigmoid[64], sigmoid[128], sigmoid[192]]).toEqual([4, 127, 250]);
  });

  it('is smaller in a lower quality', async () => {
    const [low, high] = [await rendered('?quality=1'), await rendered('?quality=100')];
    expect([low.type, high.type]).toEqual(['image/jpeg', 'image/jpeg']);
    expect(low.bytes.length).toBeLessThan(high.bytes.length);
    const distance = Math.max(...(await grays(high.bytes)).map((gray, i) => Math.abs(gray - i)));
    expect(distance).toBeLessThan(4);
  });
});

describe('a parameter with a value that it can’t have', () => {
  it.each([
    [`${RAMP}/rendered?quality=0`, 'quality', '0'],
    [`${RAMP}/rendered?quality=101`, 'quality', '101'],
    [`${RAMP}/rendered?quality=best`, 'quality', 'best'],
    [`${RAMP}/rendered?window=40`, 'window', '40'],
    [`${RAMP}/rendered?window=,400`, 'window', ',400'],
    [`${RAMP}/rendered?window=40,0`, 'window', '40,0'],
    [`${RAMP}/rendered?window=40,400,cubic`, 'window', '40,400,cubic'],
    ['/studies?limit=-1', 'limit', '-1'],
    ['/studies?limit=many', 'limit', 'many'],
    ['/studies/1.7/series?limit=1.5', 'limit', '1.5'],
    ['/studies?offset=-1', 'offset', '-1'],
    ['/instances?offset=0x10', 'offset', '0x10'],
    ['/studies?fuzzymatching=perhaps', 'fuzzymatching', 'perhaps'],
    ['/studies?StudyDate=yesterday', 'StudyDate', 'yesterday'],
    ['/studies?00080020=20240101-20240201-', '00080020', '20240101-20240201-'],
  ])('is named in the refusal: %s', async (path, name, value) => {
    const response = await get(path);
    const { code, params, detail } = (await response.json()) as Record<string, unknown>;
    expect([response.status, code, params]).toEqual([400, 'dicomweb.invalid_parameter', { name, value }]);
    expect(detail).toContain(`“${name}”`);
  });

  it.each(['', '*', '2024', '20240229', '2024.02.29', '20240101-', '-20241231', '20240101-20241231'])(
    'is not a date that the standard allows: “%s”',
    async (date) => {
      expect((await get(`/studies?StudyDate=${date}`)).status).toBe(200);
    },
  );
});
