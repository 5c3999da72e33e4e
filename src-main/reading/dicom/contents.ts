import type { DataSet } from './data-set.ts';
import { readDose } from './dose.ts';
import type { DicomObject } from './parse.ts';
import { readReport } from './report-content.ts';
import { drawReport } from './report-pdf.ts';
import type { ContentsAnswer } from './requests.ts';

/** What an object without pixels has for people: a paper, or the dose of an examination. */
export async function readContents({ data }: DicomObject): Promise<ContentsAnswer> {
  const encapsulated = encapsulatedIn(data);
  if (encapsulated) return { paper: encapsulated, dose: null };
  const dose = readDose(data);
  if (dose) return { paper: null, dose };
  const report = readReport(data);
  return {
    paper: report && { type: 'pdf', title: report.title, bytes: await drawReport(report) },
    dose: null,
  };
}

/** An encapsulated document (PS3.3, C.24.2), without the padding of its element. */
function encapsulatedIn(data: DataSet): ContentsAnswer['paper'] {
  const bytes = data.bytes('x00420011');
  if (bytes.length === 0) return null;
  const length = data.number('x00420015', 'UL');
  const isXml = /xml/i.test(data.text('x00420012') ?? '') || startsAsXml(bytes);
  return {
    type: isXml ? 'xml' : 'pdf',
    title: data.text('x00420010') ?? data.text('x0008103e') ?? (isXml ? 'CDA' : 'Report'),
    bytes: Uint8Array.from(length !== null && length > 0 ? bytes.subarray(0, length) : bytes),
  };
}

const startsAsXml = (bytes: Uint8Array): boolean => /^\s*<\?xml/.test(Buffer.from(bytes.subarray(0, 64)).toString());
