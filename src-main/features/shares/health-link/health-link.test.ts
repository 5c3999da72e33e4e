import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  SHLExpiredError,
  SHLInvalidPasscodeError,
  SHLManifestNotFoundError,
  SHLDecryptionError,
  SHLViewer,
} from 'kill-the-clipboard';
import type { SharedDetail } from '../../../../src-shared/contract/share.ts';
import type { Bundle, DocumentReference, Observation, Patient } from 'fhir/r4.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildBundles, type DocumentToShare, type RecordToShare, type ResultToShare } from './bundle.ts';
import { encryptBundle } from './encrypt.ts';
import { createKey, writeLink, type HealthLink } from './link.ts';
import { decideRequest, isLive, takeTry, writeManifest, type LinkFile, type LinkState } from './manifest.ts';
import { documentToShare } from './content.ts';

const NOW = Date.now();
const PDF = new TextEncoder().encode('%PDF-1.4 stamped');
const result = (changed: Partial<ResultToShare> = {}): ResultToShare => ({
  ...{ name: 'Ferritin', loinc: '2276-4', value: 24, comparator: null, text: null, unit: 'µg/L', ucum: 'ug/L' },
  ...{ low: 30, high: 300, date: '2025-11-12', isAbnormal: true, isDoubtful: false },
  ...changed,
});
const document = (changed: Partial<DocumentToShare> = {}): DocumentToShare => ({
  ...{ title: 'Laborbefund', type: 'Laboratory report', date: '2025-11-12', doctor: 'Dr. med. Regula Aebischer' },
  ...{ facility: 'Synlabor Mittelland AG', results: [result()] },
  file: { mime: 'application/pdf', name: 'Laborbefund.pdf', data: PDF },
  ...changed,
});
const record = (documents: readonly DocumentToShare[] = [document()]): RecordToShare => ({
  patient: { name: 'Elena Keller', birthDate: '1979-05-09', sex: 'F' },
  documents,
});
const deps = { newUuid: randomUUID, now: NOW };

const resourcesOf = <T>(bundle: Bundle | undefined, type: string): T[] =>
  (bundle?.entry ?? []).flatMap(({ resource }) => (resource?.resourceType === type ? [resource as T] : []));

/** A listener that holds ciphertext, the state of a link and a passcode, and answers as the standard says. */
let server: Server, base: string;
let state: LinkState, files: Map<string, LinkFile & { jwe: string }>, passcode: string | null, asked: string[];
beforeAll(async () => {
  server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    const file = files.get(new URL(req.url ?? '', base).pathname);
    if (req.method === 'GET')
      return file ? res.writeHead(200, { 'content-type': 'application/jose' }).end(file.jwe) : res.writeHead(404).end();
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', async () => {
      const sent = JSON.parse(body) as { passcode?: string; embeddedLengthMax?: number };
      const given =
        sent.passcode === undefined
          ? 'missing'
          : ({ true: 'right', false: 'wrong' } as const)[`${sent.passcode === passcode}`];
      const { reply, next } = decideRequest(state, Date.now(), given);
      state = next;
      const listed = [...files.values()];
      const manifest = await writeManifest(listed, {
        embeddedLengthMax: sent.embeddedLengthMax,
        read: (index) => Promise.resolve(listed[index]?.jwe ?? ''),
      });
      const answer = 'body' in reply ? reply.body : manifest;
      res.writeHead(reply.status, { 'content-type': 'application/json' });
      res.end(reply.status === 404 ? '' : JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  state = { isRevoked: false, expiresAt: null, usesLeft: null, triesLeft: null };
  files = new Map();
  passcode = null;
  asked = [];
});

async function share(bundles: readonly Bundle[], changed: Partial<HealthLink> = {}): Promise<string> {
  const key = createKey();
  for (const [i, bundle] of bundles.entries()) {
    const location = `${base}/files/${i}`;
    const jwe = await encryptBundle(bundle, key);
    files.set(`/files/${i}`, { jwe, size: jwe.length, location, lastUpdated: new Date(NOW).toISOString() });
  }
  return writeLink({
    ...{ url: `${base}/m`, key, expiresAt: null, isLongTerm: false, hasPasscode: false, label: 'Elena Keller' },
    ...changed,
  });
}
const openLink = (link: string, options: { passcode?: string; embeddedLengthMax?: number } = {}) =>
  new SHLViewer({ shlinkURI: link }).resolveSHL({ recipient: 'Dr. Ruth Oesch', ...options });

describe('a SMART Health Link opened by another reader', () => {
  test('shows the person, the results and the stamped files', async () => {
    const { fhirResources } = await openLink(await share(buildBundles(record(), deps)));
    const bundle = fhirResources[0] as Bundle;
    expect(resourcesOf<Patient>(bundle, 'Patient')).toMatchObject([
      { name: [{ text: 'Elena Keller' }], birthDate: '1979-05-09', gender: 'female' },
    ]);
    expect(resourcesOf<Observation>(bundle, 'Observation')).toMatchObject([
      {
        status: 'final',
        code: { coding: [{ system: 'http://loinc.org', code: '2276-4' }], text: 'Ferritin' },
        valueQuantity: { value: 24, unit: 'µg/L', system: 'http://unitsofmeasure.org', code: 'ug/L' },
        referenceRange: [{ low: { value: 30 }, high: { value: 300 } }],
        effectiveDateTime: '2025-11-12',
      },
    ]);
    const [reference] = resourcesOf<DocumentReference>(bundle, 'DocumentReference');
    expect(reference).toMatchObject({ status: 'current', description: 'Laborbefund' });
    const attachment = reference?.content[0]?.attachment;
    expect(attachment).toMatchObject({ contentType: 'application/pdf', size: PDF.length });
    expect(Buffer.from(attachment?.data ?? '', 'base64').equals(PDF)).toBe(true);
  });

  test('has references that lead to entries of the bundle', () => {
    const [bundle] = buildBundles(record([document(), document()]), deps);
    const urls = new Set(bundle?.entry?.map(({ fullUrl }) => fullUrl));
    const references = [...JSON.stringify(bundle).matchAll(/"reference":"([^"]+)"/g)].map((match) => match[1]);
    expect(urls.size).toBe(bundle?.entry?.length);
    expect(references.length).toBeGreaterThan(4);
    for (const reference of references) expect(urls).toContain(reference);
  });

  test('gives large files by their location, and those that the reader wants embedded within', async () => {
    const large = document({ file: { mime: 'image/png', name: 'a.png', data: new Uint8Array(7 * 2 ** 20) } });
    const bundles = buildBundles(record([large, large]), deps);
    expect(bundles).toHaveLength(3);
    expect(resourcesOf<DocumentReference>(bundles[0], 'DocumentReference')).toHaveLength(2);
    expect(JSON.stringify(bundles[0])).not.toContain('"data"');
    const link = await share(bundles);
    const { manifest, fhirResources } = await openLink(link);
    expect(manifest?.files.map((file) => 'embedded' in file)).toEqual([true, false, false]);
    expect(fhirResources).toHaveLength(3);
    expect(asked.filter((request) => request.startsWith('GET'))).toHaveLength(2);
    const { manifest: none } = await openLink(link, { embeddedLengthMax: 10 });
    expect(none?.files.map((file) => 'embedded' in file)).toEqual([false, false, false]);
  });

  test('is ciphertext for whoever has no key', async () => {
    const link = await share(buildBundles(record(), deps));
    const [file] = files.values();
    const header = JSON.parse(Buffer.from(file?.jwe.split('.')[0] ?? '', 'base64url').toString()) as object;
    expect(header).toEqual({ alg: 'dir', enc: 'A256GCM', cty: 'application/fhir+json' });
    const decoded = file?.jwe.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(decoded?.join()).not.toMatch(/Keller|Ferritin/);
    const payload = JSON.parse(Buffer.from(link.slice(8), 'base64url').toString()) as { url: string };
    const other = writeLink({
      ...{ url: payload.url, key: createKey(), expiresAt: null, isLongTerm: false, hasPasscode: false, label: '' },
    });
    await expect(openLink(other)).rejects.toBeInstanceOf(SHLDecryptionError);
  });

  test('uses another initialization vector for each file', async () => {
    const [bundle] = buildBundles(record(), deps);
    const key = createKey();
    const [one, other] = await Promise.all([encryptBundle(bundle!, key), encryptBundle(bundle!, key)]);
    expect(one.split('.')[2]).not.toBe(other.split('.')[2]);
  });
});

describe('a manifest', () => {
  const list = (sizes: readonly number[]): LinkFile[] =>
    sizes.map((size, i) => ({ size, location: `l${i}`, lastUpdated: new Date(NOW).toISOString() }));
  const embedded = async (sizes: readonly number[], embeddedLengthMax?: number): Promise<boolean[]> => {
    const read = (index: number): Promise<string> => Promise.resolve(`file ${index}`);
    const { files: listed } = await writeManifest(list(sizes), { embeddedLengthMax, read });
    return listed.map((file) => 'embedded' in file);
  };

  test('embeds no more than 4 MiB together, whatever the reader wants', async () => {
    const mebibyte = 2 ** 20;
    expect(await embedded(Array(6).fill(mebibyte))).toEqual([true, true, true, true, false, false]);
    expect(await embedded([3 * mebibyte, 2 * mebibyte, mebibyte], 2 ** 40)).toEqual([true, false, true]);
  });
});

describe('a document as it goes into a link', () => {
  const row: SharedDetail['lab_results'][number] = {
    ...{ id: 1, test_name_original: 'Glucose', test_name_canonical: 'Glucose', canonical_code: 'glucose', value: 5.4 },
    ...{ value_text: '5.4', unit: 'mmol/L', reference_range_low: null, reference_range_high: null },
    ...{ reference_range_comparator: null, is_abnormal: null, sample_type: null, panel_name: null, test_date: null },
    is_doubtful: false,
  };
  const shared = (changed: Partial<SharedDetail['lab_results'][number]>, language: CoreLanguage = 'en') =>
    documentToShare(
      {
        ...{ id: 7, doc_type: 'lab_test', original_filename: 'scan.pdf', event_date: '2025-11-12', issued_date: null },
        ...{ summary_en: null, summary_original: null, language_source: null, page_count: 1, doctor_name: null },
        ...{ facility_name: 'Synlabor', specialty_display: null, date_received: null, notes: null },
        ...{ specialty_canonical_display: null, has_file: true, medications: [], vaccinations: [], sections: [] },
        ...{ region_translations: [], imaging_studies: [], links: [], lab_results: [{ ...row, ...changed }] },
      },
      { mime: 'application/pdf', data: new Uint8Array(3) },
      { language, loincOf: (code) => (code === 'glucose' ? { loinc: '14749-6', ucum: 'mmol/L' } : null) },
    );

  test('has no LOINC code if its unit has another one', () => {
    const codes = [{}, { unit: 'mg/dL' }, { unit: null }, { canonical_code: null }].map(
      (changed) => shared(changed).results[0]?.loinc,
    );
    expect(codes).toEqual(['14749-6', null, null, null]);
  });

  test('keeps the sign of a value, and has the date of its document', () => {
    expect(shared({ value_text: '< 0.3', value: 0.3 }).results[0]).toMatchObject({
      ...{ comparator: '<', value: 0.3, ucum: 'mmol/L', date: '2025-11-12' },
    });
  });

  test('is named after its kind in the language of its sender, never after its file', () => {
    expect(shared({}, 'de')).toMatchObject({
      ...{ title: 'Laborbefund · Synlabor', type: 'Laborbefund' },
      file: { name: 'Laborbefund 2025-11-12.pdf' },
    });
  });
});

describe('a link with a passcode', () => {
  beforeEach(() => {
    passcode = 'blue lamp';
    state = { ...state, triesLeft: 3 };
  });

  test('opens with the right one only, and is locked for good after the last wrong one', async () => {
    const link = await share(buildBundles(record(), deps), { hasPasscode: true });
    expect((await openLink(link, { passcode: 'blue lamp' })).fhirResources).toHaveLength(1);
    for (const left of [2, 1, 0]) {
      await expect(openLink(link, { passcode: 'red lamp' })).rejects.toBeInstanceOf(SHLInvalidPasscodeError);
      expect(state.triesLeft).toBe(left);
    }
    await expect(openLink(link, { passcode: 'blue lamp' })).rejects.toBeInstanceOf(SHLManifestNotFoundError);
  });

  test('tells how many tries are left, and does not count a request without a passcode', () => {
    const wrong = decideRequest(state, NOW, 'wrong');
    expect(wrong.reply).toEqual({ status: 401, body: { remainingAttempts: 2 } });
    expect(decideRequest(state, NOW, 'missing')).toEqual({
      reply: { status: 401, body: { remainingAttempts: 3 } },
      next: state,
    });
  });

  test('does not get its tries back by the right passcode', () => {
    const { next } = decideRequest(decideRequest(state, NOW, 'wrong').next, NOW, 'right');
    expect(next.triesLeft).toBe(2);
  });

  test('counts simultaneous guesses one by one', () => {
    let stored = state;
    const allowed = Array.from({ length: 10 }, () => {
      if (!isLive(stored, NOW)) return false;
      stored = takeTry(stored);
      return true;
    });
    expect(allowed.filter(Boolean)).toHaveLength(3);
  });
});

describe('a link that can’t be opened any more', () => {
  test('is not asked for by a reader that sees in the link that it expired', async () => {
    const link = await share(buildBundles(record(), deps), { expiresAt: NOW - 60_000 });
    await expect(openLink(link)).rejects.toBeInstanceOf(SHLExpiredError);
    expect(asked).toEqual([]);
  });

  test.each([
    ['expired', { expiresAt: NOW - 1 }],
    ['revoked', { isRevoked: true }],
    ['used up', { usesLeft: 0 }],
  ])('is not found: %s', async (_, changed) => {
    state = { ...state, ...changed };
    await expect(openLink(await share(buildBundles(record(), deps)))).rejects.toBeInstanceOf(SHLManifestNotFoundError);
  });

  test('was a link for one use', async () => {
    state = { ...state, usesLeft: 1 };
    const link = await share(buildBundles(record(), deps));
    await openLink(link);
    await expect(openLink(link)).rejects.toBeInstanceOf(SHLManifestNotFoundError);
  });
});

describe('writing a link down', () => {
  const link: HealthLink = {
    ...{ url: 'https://h.example/m', key: createKey(), expiresAt: NOW, isLongTerm: true, hasPasscode: true },
    label: '👩‍⚕️'.repeat(40),
  };
  test('states expiry in seconds, flags in order, and a label of at most 80 characters', () => {
    const { shl } = new SHLViewer({ shlinkURI: writeLink(link) });
    expect([shl.url, shl.key, shl.exp, shl.flag, shl.version]).toEqual([
      ...[link.url, link.key, Math.floor(NOW / 1000), 'LP', 1],
    ]);
    expect(shl.label?.length).toBeLessThanOrEqual(80);
    expect(shl.label?.isWellFormed()).toBe(true);
  });

  test('is refused with a long address, another protocol or a short key', () => {
    const refused = (field: string) =>
      expect.objectContaining({ code: 'health_link.invalid_setting', params: { field } });
    expect(() => writeLink({ ...link, url: `https://h.example/${'m'.repeat(120)}` })).toThrow(
      expect.objectContaining({ code: 'health_link.address_too_long', params: { limit: 128 } }),
    );
    expect(() => writeLink({ ...link, url: 'ftp://h.example/m' })).toThrow(refused('url'));
    expect(() => writeLink({ ...link, key: 'abc' })).toThrow(refused('key'));
  });
});

describe('results in FHIR', () => {
  const observation = (changed: Partial<ResultToShare>): Observation | undefined =>
    resourcesOf<Observation>(
      buildBundles(record([document({ results: [result(changed)] })]), deps)[0],
      'Observation',
    )[0];

  test.each([
    ['a value below a limit', { comparator: '≤' }, { valueQuantity: { value: 24, comparator: '<=' } }],
    ['a text', { value: null, text: 'negativ' }, { valueString: 'negativ' }],
    ['nothing', { value: null }, { dataAbsentReason: { coding: [{ code: 'unknown' }] } }],
    ['one limit', { low: null }, { referenceRange: [{ high: { value: 300 } }] }],
    ['an unconfirmed reading', { isDoubtful: true }, { status: 'preliminary' }],
  ] as const)('with %s', (_, changed, expected) => expect(observation(changed)).toMatchObject(expected));

  test('have no interpretation, code or date that nobody knows', () => {
    const plain = observation({ isAbnormal: null, loinc: null, date: null, low: null, high: null });
    expect(Object.keys(plain ?? {})).not.toContain('interpretation');
    expect(Object.keys(plain ?? {})).not.toContain('effectiveDateTime');
    expect(Object.keys(plain ?? {})).not.toContain('referenceRange');
    expect(plain?.code).toEqual({ text: 'Ferritin' });
    expect(observation({ isDoubtful: true })).not.toHaveProperty('interpretation');
  });

  test('and a file that is too large are refused', () => {
    const file = { mime: 'application/pdf', name: 'a.pdf', data: new Uint8Array(25 * 2 ** 20) };
    expect(() => buildBundles(record([document({ file })]), deps)).toThrow(
      expect.objectContaining({ code: 'health_link.file_too_large' }),
    );
  });
});
