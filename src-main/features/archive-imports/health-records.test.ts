import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readHealthRecords, typeOf, type HealthRecord } from './health-records.ts';

const never = new AbortController().signal;
async function read(xml: string, chunk = 7) {
  const found = { records: [] as HealthRecord[], others: [] as string[], clinical: [] as string[] };
  const chunks = Array.from({ length: Math.ceil(xml.length / chunk) }, (_, n) => xml.slice(n * chunk, (n + 1) * chunk));
  await readHealthRecords(
    { name: 'export.xml', open: async () => Readable.from(chunks.map((part) => Buffer.from(part))) },
    {
      record: (record) => found.records.push(record),
      other: (type) => found.others.push(type),
      clinical: (file, source) => found.clinical.push(`${file} ${source}`),
    },
    never,
  );
  return found;
}
const record = (attributes: string): string => `<HealthData><Record ${attributes}/></HealthData>`;
const of = (type: string, unit: string, value: string): string =>
  record(
    `type="HKQuantityTypeIdentifier${type}" sourceName="A&amp;B" unit="${unit}" value="${value}" startDate="2024-02-29 23:59:59 -0800"`,
  );

test.each([
  ['HKQuantityTypeIdentifierBodyMass', 'body_mass'],
  ['HKQuantityTypeIdentifierVO2Max', 'vo2_max'],
  ['HKQuantityTypeIdentifierHeartRateVariabilitySDNN', 'heart_rate_variability_sdnn'],
  ['HKQuantityTypeIdentifierForcedExpiratoryVolume1', 'forced_expiratory_volume_1'],
  ['HKCategoryTypeIdentifierSleepAnalysis', null],
])('names %s as backups of phones do', (identifier, type) => {
  expect(typeOf(identifier)).toBe(type);
});

test.each([
  ['BodyMass', 'lb', '150', 68.038856, 'kg'],
  ['Height', 'ft', '6', 1.8288, 'm'],
  ['Height', 'cm', '180', 1.8, 'm'],
  ['BodyTemperature', 'degF', '98.6', 37, 'degC'],
  ['OxygenSaturation', '%', '0.97', 97, '%'],
  ['BloodGlucose', 'mmol&lt;180.1558800000541&gt;/L', '5.4', 5.4, 'mmol/L'],
  ['HeartRate', 'count/min', '61', 61, 'count/min'],
])('gives %s in %s the unit that people use', async (type, unit, value, expected, usual) => {
  const { records } = await read(of(type, unit, value));
  expect(records).toEqual([
    { type: typeOf(`HKQuantityTypeIdentifier${type}`), value: expected, unit: usual, day: '2024-02-29', source: 'A&B' },
  ]);
});

test('takes no value that is not one', async () => {
  for (const bad of [
    of('BodyMass', 'kg', ''),
    of('BodyMass', 'kg', 'NaN'),
    of('BodyMass', 'kg', '1').replace('2024-02-29', 'yesterday'),
  ])
    expect((await read(bad)).records).toEqual([]);
});

test('leaves out records within others, which are repeated at the top', async () => {
  const inner = of('BodyMass', 'kg', '70').replaceAll(/<\/?HealthData>/g, '');
  expect((await read(`<HealthData><Correlation>${inner}</Correlation>${inner}</HealthData>`)).records).toHaveLength(1);
});

test.each([
  ['that ends early', '<HealthData><Record type="HKQuantityTypeIdentifierBodyMass"'],
  ['with an unknown entity', record('type="&boom;"')],
  ['with entities that grow', `<!DOCTYPE HealthData [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${record('type="&b;"')}`],
])('refuses a file %s', async (_, xml) => {
  await expect(read(xml)).rejects.toThrow('import.health_invalid');
});

test('refuses a tag that would fill the memory', async () => {
  await expect(read(`<HealthData><Record type="${'a'.repeat(5 * 2 ** 20)}`, 2 ** 16)).rejects.toThrow(
    'import.health_invalid',
  );
});
