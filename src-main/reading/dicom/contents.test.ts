import { describe, expect, it } from 'vitest';
import {
  doseReport,
  encapsulated,
  fluoroscopyDose,
  measuredDose,
  structuredReport,
} from '../../../test/fixtures/dicom/reports.ts';
import { ctHeader } from '../../../test/fixtures/dicom/sample-objects.ts';
import { attribute, writeDicom, type Attribute } from '../../../test/fixtures/dicom/write-dicom.ts';
import { readContents } from './contents.ts';
import { parseDicom } from './parse.ts';
import { readReport } from './report-content.ts';

const contentsOf = (bytes: Uint8Array) => readContents(parseDicom(bytes));

describe('a structured report', () => {
  it('is read as sections and statements, with terms by their meaning and measurements with their unit', () => {
    const report = readReport(parseDicom(structuredReport()).data);
    expect(report?.title).toBe('Imaging Measurement Report');
    expect(Object.fromEntries(report?.facts ?? [])).toMatchObject({
      Patient: 'Elena Keller',
      'Date of birth': '1979-05-09',
      'Date of examination': '2024-02-29',
      State: 'Complete, Verified',
    });
    expect(report?.lines.map(({ level, label, text }) => `${'>'.repeat(level)}${label}: ${text}`)).toEqual([
      'Findings: ',
      '>Finding: Rundherd im rechten Oberlappen, glatt begrenzt.',
      '>Finding site: Right upper lobe of lung',
      '>Diameter: 8.5 mm',
      '>Count: 3',
      'Conclusions: ',
      '>Conclusion: Kontrolle in 3 Monaten empfohlen.',
    ]);
  });

  it('becomes a PDF that is the same every time', async () => {
    const [first, second] = [await contentsOf(structuredReport()), await contentsOf(structuredReport())];
    expect(first).toMatchObject({ paper: { type: 'pdf', title: 'Imaging Measurement Report' }, dose: null });
    expect(Buffer.from(first.paper!.bytes.subarray(0, 5)).toString()).toBe('%PDF-');
    expect(first.paper!.bytes).toEqual(second.paper!.bytes);
  });

  it('that says nothing has no paper', async () => {
    expect(await contentsOf(writeDicom(ctHeader()))).toEqual({ paper: null, dose: null });
  });

  it('is cut off where it is nested too deeply or too long', async () => {
    let nested: Attribute = attribute(0x0040_a160, 'UT', 'deep');
    for (let level = 0; level < 300; level += 1)
      nested = attribute(0x0040_a730, 'SQ', [[attribute(0x0040_a040, 'CS', 'TEXT'), nested]]);
    expect(readReport(parseDicom(writeDicom([...ctHeader(), nested])).data)).toBeNull();
    const many = Array.from({ length: 6_000 }, (_, i) => [
      attribute(0x0040_a040, 'CS', 'TEXT'),
      attribute(0x0040_a160, 'UT', `line ${i}`),
    ]);
    const long = parseDicom(writeDicom([...ctHeader(), attribute(0x0040_a730, 'SQ', many)]));
    expect(readReport(long.data)?.lines).toHaveLength(5_000);
  });
});

describe('a dose report', () => {
  it('of a CT gives the highest CTDIvol and the total DLP', async () => {
    expect((await contentsOf(doseReport())).dose).toMatchObject({ ctdiVol: 7.5, dlp: 402.5, dap: null });
  });

  it('of a fluoroscopy gives dose area product and time, in common units', async () => {
    const { dose } = await contentsOf(fluoroscopyDose());
    expect(dose).toMatchObject({ dap: expect.closeTo(12.3), fluoroscopySeconds: 312, dlp: null });
  });
});

describe('the measurements of a dose report', () => {
  const doseOf = async (...measured: [string, string, string][]) => (await contentsOf(measuredDose(measured))).dose;

  it.each<[string, string, string, string, number]>([
    ['113722', '12', 'dGy.cm2', 'dap', 1.2],
    ['113722', '3400', 'mGy.cm2', 'dap', 3.4],
    ['113722', '250', '\xb5Gy\xb7m\xb2', 'dap', 2.5],
    ['113722', '0.5', 'Gym2', 'dap', 5000],
    ['113813', '4.5', 'Gy*cm', 'dlp', 4500],
    ['113813', '2', 'mGy m', 'dlp', 200],
    ['113830', '0.0125', 'Gy', 'ctdiVol', 12.5],
    ['113730', '2.5', 'min', 'fluoroscopySeconds', 150],
    ['113730', '90', 'sec', 'fluoroscopySeconds', 90],
    ['111637', '0.2', 'cGy', 'glandular', 2],
    ['113507', '10', 'mCi', 'activity', 370],
  ])('are in common units: %s of %s %s', async (code, value, unit, field, expected) => {
    expect(await doseOf([code, value, unit])).toMatchObject({ [field]: expect.closeTo(expected, 9) });
  });

  it('are added up where the report has no total', async () => {
    const fluoroscopy: [string, string, string] = ['113726', '1.5', 'Gy.cm2'];
    expect(await doseOf(fluoroscopy, ['113727', '2', 'Gy.cm2'], ['122130', '0.7', 'Gy.cm2'])).toMatchObject({
      dap: 3.5,
    });
    expect(await doseOf(fluoroscopy, ['113722', '4', 'Gy.cm2'])).toMatchObject({ dap: 4 });
    expect(await doseOf(['111631', '1.2', 'mGy'], ['111631', '1.3', 'mGy'])).toMatchObject({ glandular: 2.5 });
    expect(await doseOf(['111631', '1.2', 'mGy'], ['111637', '2.4', 'mGy'])).toMatchObject({ glandular: 2.4 });
  });

  it.each<[string, string]>([
    ['-4', 'mGy.cm'],
    ['many', 'mGy.cm'],
    ['', 'mGy.cm'],
    ['1e308', 'mGy.cm'],
    ['402', 'mSv'],
    ['402', ''],
    ['402', 'Gy.cm2'],
  ])('that are broken or of another unit are left out: %j %s', async (value, unit) => {
    expect(await doseOf(['113813', value, unit])).toBeNull();
    expect(await doseOf(['113813', value, unit], ['113813', '7', 'mGy.cm'])).toMatchObject({ dlp: 7 });
  });
});

describe('an encapsulated document', () => {
  it('is taken out without padding', async () => {
    const pdf = Buffer.from('%PDF-1.4 odd');
    const odd = Buffer.concat([pdf, Buffer.of(0x0a)]);
    expect(await contentsOf(encapsulated(odd))).toEqual({
      paper: { type: 'pdf', title: 'Befund', bytes: Uint8Array.from(odd) },
      dose: null,
    });
    const cda = await contentsOf(encapsulated(Buffer.from('<ClinicalDocument/>'), { mime: 'text/XML' }));
    expect(cda.paper?.type).toBe('xml');
  });
});
