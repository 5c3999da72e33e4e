import { parseNumber } from '../../src-shared/medical/number.ts';
import { parseReferenceRange } from '../../src-shared/medical/reference-range.ts';
import { startModelService, type ModelService, type Received } from './model-service.ts';

/** A document of a corpus as its truth describes it. */
export interface KnownDocument {
  doc_type: string;
  sex?: 'M' | 'F' | null;
  event_date: string | null;
  issued_date: string | null;
  doctor_name: string | null;
  facility_name: string | null;
  specialty: string | null;
  lab_results: {
    test_name_original: string;
    value: number | null;
    unit: string | null;
    reference_range_low: number | null;
    reference_range_high: number | null;
    panel_name: string | null;
    test_date: string | null;
  }[];
  medications: {
    brand_name: string | null;
    active_ingredient_original: string | null;
    dosage: string | null;
    form: string | null;
    frequency: string | null;
    duration: string | null;
  }[];
  vaccinations: {
    vaccine_name: string;
    manufacturer: string | null;
    lot_number: string | null;
    date_administered: string | null;
  }[];
  diagnoses: { text: string; icd10: string | null }[];
}

/**
 * `perfect` answers with the truth, in the words that are printed. `lying` answers with values that are on no page, with
 * those of the row below, and with another person's doctor and date.
 */
export type Honesty = 'perfect' | 'lying';

/** What the lying model says, which must be filed nowhere. */
export const LIES = { number: '4711.83', name: 'Zyxomycin', doctor: 'Dr. Quentin Quackenbush', date: '1971-03-04' };

/** A stand-in of a service that knows each document: set `known` before the document is read. */
export interface KnowingModel extends ModelService {
  known: KnownDocument | null;
}

export async function startKnowingModel(honesty: Honesty): Promise<KnowingModel> {
  const model = (await startModelService((request) => ({
    does: 'answer',
    text: JSON.stringify(model.known ? answerOf(honesty, model.known, request) : {}),
  }))) as KnowingModel;
  model.known = null;
  return model;
}

function answerOf(honesty: Honesty, known: KnownDocument, { body }: Received): Record<string, unknown> {
  const fields = Object.keys(body.response_format.json_schema.schema.properties);
  const { content } = body.messages[1];
  const text: string =
    typeof content === 'string' ? content : content.map((part: { text?: string }) => part.text ?? '').join('\n');
  const all = honesty === 'perfect' ? truthOf(known, text) : liesAbout(known, text);
  return Object.fromEntries(fields.map((field) => [field, all[field]]));
}

function truthOf(known: KnownDocument, text: string): Record<string, unknown> {
  const { doc_type, event_date, issued_date, doctor_name, facility_name, specialty, sex = null } = known;
  const lines = text.split('\n');
  return {
    ...{ doc_type, event_date, issued_date, doctor_name, facility_name, specialty },
    lab_results: known.lab_results.map((row) => ({
      test_name: row.test_name_original,
      value: printedNumber(lines, row.test_name_original, row.value),
      unit: row.unit,
      reference_range: printedRange(lines, row, sex),
      panel_name: row.panel_name,
      sample_date: row.test_date,
    })),
    medications: known.medications.map(({ active_ingredient_original, ...row }) => ({
      ...row,
      ...{ active_ingredient: active_ingredient_original, quantity: null },
    })),
    vaccinations: known.vaccinations.map(({ vaccine_name, manufacturer, lot_number, date_administered }) => ({
      ...{ vaccine_name, manufacturer, lot_number, date_administered },
    })),
    diagnoses: known.diagnoses.map(({ text: diagnosis, icd10 }) => ({ diagnosis, icd10_code: icd10 })),
    invoice_items: [],
  };
}

/** Other values of the truth, invented rows, and nothing else. */
function liesAbout(known: KnownDocument, text: string): Record<string, unknown> {
  const truth = truthOf(known, text);
  const results = truth['lab_results'] as { value: string }[];
  const medicines = truth['medications'] as { dosage: string | null }[];
  const invented = {
    ...{ unit: 'mmol/L', reference_range: '1 - 2', panel_name: null, sample_date: LIES.date },
    ...{ test_name: LIES.name, value: LIES.number },
  };
  return {
    ...truth,
    ...{ doctor_name: LIES.doctor, event_date: LIES.date, issued_date: LIES.date },
    lab_results: [
      ...results.map((row, index) => ({
        ...row,
        value: index % 2 === 0 ? (results[(index + 1) % results.length]?.value ?? LIES.number) : LIES.number,
      })),
      invented,
    ],
    medications: [
      ...medicines.map((row) => ({ ...row, dosage: '4711 mg' })),
      {
        ...{ brand_name: LIES.name, active_ingredient: null, dosage: '4711 mg', form: null, frequency: '9-9-9' },
        ...{ duration: null, quantity: null },
      },
    ],
    vaccinations: [{ vaccine_name: LIES.name, manufacturer: null, lot_number: 'X4711', date_administered: LIES.date }],
    diagnoses: [{ diagnosis: `${LIES.name} intoxication`, icd10_code: 'Z47.1' }],
  };
}

const MAX_WINDOW = 8;

/** The words beside each other that mean something, the fewest first; in lines with a name before others. */
function windowWith(lines: readonly string[], name: string, means: (text: string) => boolean): string | null {
  const isNamed = (line: string): boolean => line.toLowerCase().includes(name.toLowerCase());
  const ordered = [...lines.filter(isNamed), ...lines.filter((line) => !isNamed(line))];
  for (const line of ordered) {
    const words = line.split(/\s+/);
    for (let length = 1; length <= MAX_WINDOW; length += 1)
      for (let from = 0; from + length <= words.length; from += 1) {
        const text = words.slice(from, from + length).join(' ');
        if (means(text)) return text;
      }
  }
  return null;
}

/** A number as it is printed, with its comparator if there is one. */
function printedNumber(lines: readonly string[], name: string, value: number | null): string {
  return windowWith(lines, name, (text) => parseNumber(text)?.value === value) ?? String(value);
}

function printedRange(
  lines: readonly string[],
  {
    test_name_original: name,
    reference_range_low: low,
    reference_range_high: high,
  }: KnownDocument['lab_results'][number],
  sex: 'M' | 'F' | null,
): string | null {
  if (low === null && high === null) return null;
  return windowWith(lines, name, (text) => {
    const range = parseReferenceRange(text, sex);
    return range !== null && range.low === low && range.high === high;
  });
}
