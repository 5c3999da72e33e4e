import type {
  Bundle,
  BundleEntry,
  CodeableConcept,
  DocumentReference,
  FhirResource,
  Observation,
  Patient,
  Quantity,
} from 'fhir/r4.js';
import type { Comparator } from '../../../../src-shared/contract/wire.ts';
import { fail } from '../../../platform/kernel/errors.ts';

/** What a SMART Health Link holds: one person, and some of their documents. */
export interface RecordToShare {
  patient: { name: string; birthDate: string | null; sex: string | null };
  documents: readonly DocumentToShare[];
}

export interface DocumentToShare {
  title: string;
  /** The kind of document as people call it: `Laboratory report`. */
  type: string;
  /** When it happened: `YYYY-MM-DD`. */
  date: string | null;
  doctor: string | null;
  facility: string | null;
  results: readonly ResultToShare[];
  /** The stamped copy. */
  file: { mime: string; name: string; data: Uint8Array };
}

export interface ResultToShare {
  name: string;
  loinc: string | null;
  value: number | null;
  comparator: Comparator | null;
  /** The result as text, if it is not a number. */
  text: string | null;
  unit: string | null;
  /** The unit as a code of UCUM. */
  ucum: string | null;
  low: number | null;
  high: number | null;
  date: string | null;
  isAbnormal: boolean | null;
  /** Whether it may have been read wrongly and nobody has confirmed it. */
  isDoubtful: boolean;
}

interface BundleDeps {
  /** A new UUID of RFC 9562. */
  newUuid: () => string;
  /** Milliseconds since the epoch. */
  now: number;
}

const LOINC = 'http://loinc.org';
const UCUM = 'http://unitsofmeasure.org';
const CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category';
const INTERPRETATION = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation';
const ABSENT = 'http://terminology.hl7.org/CodeSystem/data-absent-reason';
const GENDERS: Readonly<Record<string, Patient['gender']>> = { F: 'female', M: 'male', O: 'other' };
const SIGNS: Readonly<Record<Comparator, Quantity['comparator']>> = { '<': '<', '>': '>', '≤': '<=', '≥': '>=' };
export const MAX_FILE_BYTES = 24 * 2 ** 20;
/** Files that are larger together get bundles of their own, so that readers can fetch them one by one. */
const MAX_TOGETHER_BYTES = 12 * 2 ** 20;

/**
 * The record as FHIR R4 bundles of type `collection`. The first one has the person, all results and all documents;
 * large files follow in bundles of their own, with the same person and the same document.
 * @throws `health_link.file_too_large`
 */
export function buildBundles({ patient, documents }: RecordToShare, deps: BundleDeps): Bundle[] {
  if (documents.some(({ file }) => file.data.length > MAX_FILE_BYTES))
    throw fail('health_link.file_too_large', { limit: `${MAX_FILE_BYTES / 2 ** 20} MB` });
  const together = documents.reduce((sum, { file }) => sum + file.data.length, 0) <= MAX_TOGETHER_BYTES;
  const person = entryOf(toPatient(patient), deps);
  const subject = referenceTo(person);
  const parts = documents.map((document) => {
    const entry = entryOf(toDocumentReference(document, subject, deps, together), deps);
    const results = document.results.map((result) => entryOf(toObservation(result, subject, referenceTo(entry)), deps));
    return { document, entry, results };
  });
  const first = bundleOf([person, ...parts.flatMap(({ entry, results }) => [entry, ...results])], deps);
  if (together) return [first];
  const others = parts.map(({ document, entry }) => {
    const resource = toDocumentReference(document, subject, deps, true);
    return bundleOf([person, { ...entry, resource }], deps);
  });
  return [first, ...others];
}

const toTimestamp = (now: number): string => new Date(now).toISOString();

const entryOf = <R extends FhirResource>(
  resource: R,
  { newUuid }: BundleDeps,
): BundleEntry<R> & { fullUrl: string } => ({
  fullUrl: `urn:uuid:${newUuid()}`,
  resource,
});

const referenceTo = ({ fullUrl }: { fullUrl: string }): { reference: string } => ({ reference: fullUrl });

const bundleOf = (entry: BundleEntry[], { now }: BundleDeps): Bundle => ({
  resourceType: 'Bundle',
  type: 'collection',
  timestamp: toTimestamp(now),
  entry,
});

const toPatient = ({ name, birthDate, sex }: RecordToShare['patient']): Patient => ({
  resourceType: 'Patient',
  name: [{ text: name }],
  gender: GENDERS[sex ?? ''] ?? 'unknown',
  ...(birthDate !== null && { birthDate }),
});

function toDocumentReference(
  { title, type, date, doctor, facility, file }: DocumentToShare,
  subject: { reference: string },
  { now }: BundleDeps,
  withData: boolean,
): DocumentReference {
  return {
    resourceType: 'DocumentReference',
    status: 'current',
    type: { text: type },
    subject,
    date: toTimestamp(now),
    description: title,
    ...(doctor !== null && { author: [{ display: doctor }] }),
    ...(facility !== null && { custodian: { display: facility } }),
    ...(date !== null && { context: { period: { start: date, end: date } } }),
    content: [
      {
        attachment: {
          contentType: file.mime,
          title: file.name,
          size: file.data.length,
          ...(withData && { data: Buffer.from(file.data).toString('base64') }),
        },
      },
    ],
  };
}

function toObservation(
  result: ResultToShare,
  subject: { reference: string },
  document: { reference: string },
): Observation {
  const { name, loinc, date, low, high, isAbnormal, isDoubtful } = result;
  const range = [...(low === null ? [] : [['low', low] as const]), ...(high === null ? [] : [['high', high] as const])];
  return {
    resourceType: 'Observation',
    // A person has not looked at it yet.
    status: isDoubtful ? 'preliminary' : 'final',
    category: [concept(CATEGORY, 'laboratory')],
    code: { ...(loinc !== null && { coding: [{ system: LOINC, code: loinc }] }), text: name },
    subject,
    derivedFrom: [document],
    ...(date !== null && { effectiveDateTime: date }),
    ...valueOf(result),
    ...(range.length > 0 && {
      referenceRange: [Object.fromEntries(range.map(([side, value]) => [side, quantityOf(value, result)]))],
    }),
    ...(isAbnormal !== null && !isDoubtful && { interpretation: [concept(INTERPRETATION, isAbnormal ? 'A' : 'N')] }),
  };
}

const concept = (system: string, code: string): CodeableConcept => ({ coding: [{ system, code }] });

const quantityOf = (value: number, { unit, ucum }: ResultToShare) => ({
  value,
  ...(unit !== null && { unit }),
  ...(ucum !== null && { system: UCUM, code: ucum }),
});

function valueOf(
  result: ResultToShare,
): Partial<Pick<Observation, 'valueQuantity' | 'valueString' | 'dataAbsentReason'>> {
  const { value, comparator, text } = result;
  if (value !== null)
    return {
      valueQuantity: { ...quantityOf(value, result), ...(comparator !== null && { comparator: SIGNS[comparator] }) },
    };
  return text === null ? { dataAbsentReason: concept(ABSENT, 'unknown') } : { valueString: text };
}
