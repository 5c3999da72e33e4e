import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import { DOCUMENT_TYPE_NAMES } from '../../../../src-shared/contract/document-type-names.ts';
import type { SharedDetail } from '../../../../src-shared/contract/share.ts';
import { parseNumber } from '../../../../src-shared/medical/number.ts';
import { ucumOf } from '../../../../src-shared/medical/ucum-code.ts';
import type { DocumentToShare, ResultToShare } from './bundle.ts';

/** The LOINC code of a canonical test, and the UCUM code of the unit that it is for. */
export type LoincOf = (canonicalCode: string) => { loinc: string; ucum: string | null } | null;

const ENDINGS: Readonly<Record<string, string>> = { 'application/pdf': 'pdf', 'image/png': 'png' };

/** A document with its results and its stamped copy, as it goes into a bundle. */
export function documentToShare(
  detail: SharedDetail,
  copy: { mime: string; data: Uint8Array<ArrayBuffer> },
  { language, loincOf }: { language: CoreLanguage; loincOf: LoincOf },
): DocumentToShare {
  const type = DOCUMENT_TYPE_NAMES[language][detail.doc_type ?? 'other'];
  const date = detail.event_date ?? detail.issued_date;
  const title = [type, detail.facility_name ?? detail.doctor_name].filter(Boolean).join(' · ');
  return {
    title,
    type,
    date,
    doctor: detail.doctor_name,
    facility: detail.facility_name,
    results: detail.lab_results.map((result) => resultToShare(result, date, loincOf)),
    file: { mime: copy.mime, name: `${[type, date].filter(Boolean).join(' ')}.${ENDINGS[copy.mime]}`, data: copy.data },
  };
}

function resultToShare(
  result: SharedDetail['lab_results'][number],
  documentDate: string | null,
  loincOf: LoincOf,
): ResultToShare {
  const { value, value_text, unit, canonical_code } = result;
  const ucum = unit === null ? null : ucumOf(unit);
  const known = canonical_code === null ? null : loincOf(canonical_code);
  return {
    name: result.test_name_canonical ?? result.test_name_original,
    // A LOINC code is for one kind of unit: glucose in mg/dL has another one than in mmol/L.
    loinc: known !== null && known.ucum === ucum ? known.loinc : null,
    value,
    comparator: value_text === null ? null : (parseNumber(value_text)?.comparator ?? null),
    text: value_text,
    unit,
    ucum,
    low: result.reference_range_low,
    high: result.reference_range_high,
    date: result.test_date ?? documentDate,
    isAbnormal: result.is_abnormal,
    isDoubtful: result.is_doubtful,
  };
}
