import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { Failure } from '../../platform/kernel/errors.ts';
import { readClinicalRecord } from './clinical-records.ts';
import { planFolder } from './folder-plan.ts';
import { planHealth } from './health-plan.ts';
import { readHealthRecords, typeOf } from './health-records.ts';
import { planPaperless } from './paperless-plan.ts';
import { failureOfFile, openSource, type Member, type Source } from './source.ts';

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

test('takes no day that does not exist', async () => {
  const record = (day: string) =>
    `<Record type="HKQuantityTypeIdentifierBodyMass" unit="kg" value="70" startDate="${day} 08:00:00 +0100"/>`;
  const xml = `<HealthData>${['2021-02-31', '2021-02-28', '2021-04-31'].map(record).join('')}</HealthData>`;
  const days: string[] = [],
    others: string[] = [];
  const reader = {
    record: ({ day }: { day: string }) => void days.push(day),
    other: (type: string) => void others.push(type),
    clinical() {},
  };
  const member = { name: 'export.xml', open: async () => Readable.from([Buffer.from(xml)]) };
  await readHealthRecords(member, reader, new AbortController().signal);
  expect([days, others.length]).toEqual([['2021-02-28'], 2]);
  const manifest = '[{"model":"documents.document","pk":1,"fields":{"created":"2021-02-31"}}]';
  const [item] = await planPaperless(sourceOf('paperless', { 'manifest.json': manifest }), () => '2026-01-01');
  expect(item?.details.date).toBeUndefined();
});

test('ends with a failure at an export of more kinds of records than there are, or that breaks off', async () => {
  const kinds = Array.from({ length: 2001 }, (_, n) => `<Record type="x${n}"/>`).join('');
  const failed = expect.objectContaining({ code: 'import.health_invalid' });
  for (const xml of [`<HealthData>${kinds}</HealthData>`, '<HealthData><Record type="x"/><Rec', '<HealthData>'])
    await expect(planHealth(sourceOf('apple_health', { 'e.xml': xml }), new AbortController().signal)).rejects.toEqual(
      failed,
    );
});

test('refuses the files and folders that cannot be read, and takes the others', async () => {
  const code = (error: string): string => (failureOfFile(Object.assign(new Error(), { code: error })) as Failure).code;
  expect(['EACCES', 'EIO', 'ENOENT', 'EMFILE'].map(code)).toEqual([
    'import.source_unreadable',
    'import.file_damaged',
    'import.file_missing',
    'EMFILE',
  ]);
  const items = await planFolder({ ...sourceOf('folder', { 'a.pdf': '' }), unreadable: ['locked'] });
  expect(items.map(({ member, status, code: reason }) => [member, status, reason])).toEqual([
    ['a.pdf', 'unchecked', undefined],
    ['locked', 'refused', 'import.source_unreadable'],
  ]);
});

test('lists a folder without links and hidden files, and a file that was removed since is missing', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hearth-source-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ['z.pdf', 'sub/deep/b.pdf', 'vault/own.pdf']) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), name);
  }
  symlinkSync(join(root, 'sub'), join(root, 'link'));
  const tools = { readArchive: async () => undefined, isFinishedName: () => true, root: join(root, 'vault') };
  const source = await openSource(root, tools);
  const members: Member[] = [];
  await source.read(async (member) => members.push(member) > 0);
  expect(members.map(({ name }) => name)).toEqual(['sub/deep/b.pdf', 'z.pdf']);
  rmSync(join(root, 'z.pdf'));
  const contentOf = async (member: Member): Promise<string> => text(await member.open());
  expect(await contentOf(members[0]!)).toBe('sub/deep/b.pdf');
  await expect(contentOf(members[1]!)).rejects.toMatchObject({ code: 'import.file_missing' });
});
