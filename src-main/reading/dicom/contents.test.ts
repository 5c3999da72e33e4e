import { describe, expect, it } from 'vitest';
import { doseReport, encapsulated, fluoroscopyDose, structuredReport } from '../../../test/fixtures/dicom/reports.ts';
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
