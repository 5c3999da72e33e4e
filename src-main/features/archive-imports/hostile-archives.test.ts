import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readClinicalRecord } from './clinical-records.ts';
import { planFolder } from './folder-plan.ts';
import { readHealthRecords, typeOf } from './health-records.ts';
import { planPaperless } from './paperless-plan.ts';
import type { Source } from './source.ts';

const sourceOf = (kind: Source['kind'], files: Readonly<Record<string, string>>): Source => ({
  ...{ kind, name: 'source' },
  async read(take) {
    for (const [name, content] of Object.entries(files))
      if (!(await take({ name, open: async () => Readable.from([Buffer.from(content)]) }))) return;
  },
});

test.each(['manifest.json', 'a-manifest.json'])(
  'takes a history of 200,000 rows in %s of paperless-ngx',
  async (name) => {
    const history = '{"model":"auditlog.logentry","pk":1,"fields":{}},'.repeat(200_000);
    const document = '{"model":"documents.document","pk":1,"fields":{"title":"Last"},"__exported_file_name__":"a.pdf"}';
    const items = await planPaperless(sourceOf('paperless', { [name]: `[${history}${document}]` }), () => '2026-01-01');
    expect(items.map(({ member, details }) => [member, details.document?.title])).toEqual([['a.pdf', 'Last']]);
  },
);

test('composes the letters of folders from a Mac', async () => {
  const member = 'Ro\u0308ntgen/a.pdf';
  const [item] = await planFolder(sourceOf('folder', { [member]: '' }));
  expect([item?.member, item?.details.document?.tags]).toEqual([member, ['R\u00f6ntgen']]);
});

test('knows units and types of Apple Health only by their own names', async () => {
  expect(typeOf('HKQuantityTypeIdentifierconstructor')).toBe('constructor');
  const xml =
    '<HealthData><Record type="HKQuantityTypeIdentifierBodyMass" unit="constructor" value="1" startDate="2024-01-01"/></HealthData>';
  const units: (string | null)[] = [];
  const reader = { record: ({ unit }: { unit: string | null }) => units.push(unit), other() {}, clinical() {} };
  const member = { name: 'export.xml', open: async () => Readable.from([Buffer.from(xml)]) };
  await readHealthRecords(member, reader, new AbortController().signal);
  expect(units).toEqual(['constructor']);
});

test('reads a clinical record that has other things where texts belong', () => {
  const data = Buffer.from('paper').toString('base64');
  const attachment = { contentType: 'application/pdf', title: 7, data };
  const read = (resource: object) => readClinicalRecord(Buffer.from(JSON.stringify(resource)));
  const report = { resourceType: 'DiagnosticReport', code: { text: {} } };
  const kinds = [7, {}, 'constructor'].map((contentType) => ({ contentType, data }));
  expect(read({ ...report, presentedForm: [attachment, ...kinds] })?.papers.map(({ name }) => name)).toEqual([
    'Report.pdf',
  ]);
  const letter = { resourceType: 'DocumentReference', description: {}, content: [{ attachment }] };
  expect(read(letter)?.papers.map(({ name }) => name)).toEqual(['Report.pdf']);
  const value = { resourceType: 'Observation', code: { text: 'CRP' }, effectiveDateTime: '2024-02-10' };
  expect(read({ ...value, valueQuantity: { value: 3, unit: {}, code: 'mg/L' } })?.values).toEqual([
    { name: 'CRP', value: 3, unit: 'mg/L', date: '2024-02-10' },
  ]);
});
