import { parsePersonName } from '../../../src-shared/medical/person-name.ts';
import type { FoundPatient, KnownPatient, ReaderContext, ReviewReason } from './extraction.ts';
import { foldWords } from './fold.ts';
import { matchKnown } from './fields/known-names.ts';

/** A name or birth date that was read with less confidence contradicts nobody. */
const MIN_NAME_CONFIDENCE = 0.55;
const MIN_BIRTH_CONFIDENCE = 0.5;
/** Below this confidence, a match does not choose the patient. */
const MIN_MATCH_CONFIDENCE = 0.85;

/** Reasons for which a document waits: until a user decides, its values belong to nobody. */
const UNDECIDED: ReadonlySet<string> = new Set([
  'no_patient',
  'other_patient',
  'several_patients',
  'other_birth_date',
  'other_sex',
  'other_age',
  'unnamed_patient',
]);
/** Reasons that concern the patient; they are settled when a user chooses one. */
const ABOUT_PATIENT: ReadonlySet<string> = new Set([...UNDECIDED, 'patient_assumed']);

/** Whether a reason for review asks whose document it is. */
export const isAboutPatient = ({ code }: { code: string }): boolean => ABOUT_PATIENT.has(code);
/** Whether these reasons keep a document out of every record until somebody decides whose it is. */
export const isUndecided = (reasons: readonly { code: string }[]): boolean =>
  reasons.some(({ code }) => UNDECIDED.has(code));

type Named = Pick<FoundPatient, 'name' | 'is_exact' | 'name_part' | 'date_of_birth' | 'others' | 'header'>;
type Household = Pick<ReaderContext, 'patient' | 'household' | 'isOnlyPatient'>;

/**
 * The person whose document this certainly is; null if no household member fits name and birth date, or several fit
 * alike, as father and son of one name do without a birth date.
 */
export function certainPatient(found: Named, household: readonly KnownPatient[]) {
  const matches = household
    .flatMap((patient) => matchOf(found, found.date_of_birth?.value ?? null, patient) ?? [])
    .sort((a, b) => b.confidence - a.confidence);
  const [best, second] = matches;
  if (!best || best.confidence < MIN_MATCH_CONFIDENCE || second?.confidence === best.confidence) return null;
  return best.patient;
}

const matchOf = ({ name, is_exact }: Named, birth: string | null, patient: KnownPatient) =>
  matchKnown(parsePersonName(name?.value ?? ''), birth, [patient], is_exact ? 'exact' : 'scanned');

/** Why an image whose header has no name may be somebody else's than the chosen patient's. Its silence is not a reason. */
export function namelessReasons(found: Named, { patient }: Pick<Household, 'patient'>): ReviewReason[] {
  if (patient === null) return [];
  const birth = found.date_of_birth?.value ?? null;
  if (!isOtherBirth(birth, patient)) return headerReasons(found, patient);
  const params = { found: birth ?? '', expected: patient.display_name };
  return [{ code: 'other_birth_date', field: 'patient_id', params }];
}

/** Household members whom the page may name, the most likely first. */
export function possiblePatients(
  { name, birth }: { name: string | null; birth: string | null },
  household: readonly KnownPatient[],
): KnownPatient[] {
  return household
    .flatMap((patient) => matchKnown(parsePersonName(name ?? ''), birth, [patient], 'guess') ?? [])
    .sort((a, b) => b.confidence - a.confidence)
    .map(({ patient }) => patient);
}

/**
 * Reasons to ask whose document this is. The chosen patient is a hint: the page has to name them, and may not name
 * another person or give another birth date, and no other page may be somebody else's.
 */
export function patientReasons(found: Named, context: Household): ReviewReason[] {
  const reasons = firstPersonReasons(found, context);
  if (isUndecided(reasons) || !found.name || !found.others?.length) return reasons;
  const names = [found.name, ...found.others].map(({ value }) => value).join(', ');
  return [{ code: 'several_patients', field: 'patient_id', params: { found: names } }];
}

/** A reason as documents store it. */
type StoredReason = Pick<ReviewReason, 'params'> & { code: string };
/** Names after the first one that the reason `several_patients` lists. */
export const otherNamesIn = (reasons: readonly StoredReason[]): string[] =>
  reasons.flatMap(({ code, params }) =>
    code === 'several_patients' ? String(params?.['found']).split(', ').slice(1) : [],
  );

function firstPersonReasons(found: Named, { patient, household, isOnlyPatient }: Household): ReviewReason[] {
  if (patient === null) {
    const certain = certainPatient(found, household);
    return certain ? headerReasons(found, certain) : [{ code: 'no_patient', field: 'patient_id' }];
  }
  const { name, date_of_birth: birth } = found;
  const ask = (code: ReviewReason['code'], printed?: string): ReviewReason[] => [
    { code, field: 'patient_id', params: { ...(printed && { found: printed }), expected: patient.display_name } },
  ];
  const printedBirth = birth && birth.confidence >= MIN_BIRTH_CONFIDENCE ? birth.value : null;
  const contradicts = isOtherBirth(printedBirth, patient);
  if (name !== null && isRatherOther(found, printedBirth, patient, household)) return ask('other_patient', name.value);
  if (name !== null && isNamed(found, printedBirth, patient))
    return contradicts ? ask('other_birth_date', printedBirth ?? '') : headerReasons(found, patient);
  if (name !== null && name.confidence >= MIN_NAME_CONFIDENCE) return ask('other_patient', name.value);
  if (contradicts) return ask('other_birth_date', printedBirth ?? '');
  if (printedBirth !== null && printedBirth === patient.date_of_birth) return [];
  return ask(isOnlyPatient && mayAssume(found, patient) ? 'patient_assumed' : 'unnamed_patient');
}

/** Years by which an age may differ: it is written with different care, and the day of the picture is not always known. */
const AGE_TOLERANCE = 1;

/** Why an image that names this person may be somebody else's all the same. */
function headerReasons({ header }: Named, patient: KnownPatient): ReviewReason[] {
  const { sex, display_name: expected, date_of_birth: birth } = patient;
  const ask = (code: 'other_sex' | 'other_age', found: string | number): ReviewReason[] => [
    { code, field: 'patient_id', params: { found, expected } },
  ];
  if (header?.sex && sex && sex !== 'O' && header.sex !== sex) return ask('other_sex', header.sex);
  if (!header?.age || birth === null) return [];
  const { years, on } = header.age;
  return Math.abs(yearsBetween(birth, on) - years) > AGE_TOLERANCE ? ask('other_age', years) : [];
}

const yearsBetween = (birth: string, day: string): number =>
  Number(day.slice(0, 4)) - Number(birth.slice(0, 4)) - (day.slice(5) < birth.slice(5) ? 1 : 0);

/** Whether the page names another household member more exactly than the chosen person. */
function isRatherOther(
  found: Named,
  birth: string | null,
  chosen: KnownPatient,
  household: readonly KnownPatient[],
): boolean {
  const own = matchOf(found, birth, chosen)?.confidence ?? 0;
  return household.some((other) => other.id !== chosen.id && (matchOf(found, birth, other)?.confidence ?? 0) > own);
}

/** Whether no name on the page, not even a part of one, is somebody else's. */
function mayAssume({ name, name_part: part }: Named, { display_name }: KnownPatient): boolean {
  if (name !== null) return false;
  const words = foldWords(display_name);
  return part === undefined || foldWords(part).some((word) => words.includes(word));
}

function isNamed(found: Named, birth: string | null, patient: KnownPatient): boolean {
  const words = foldWords(patient.display_name);
  if (words.length === 1) return foldWords(found.name?.value ?? '').includes(words[0] ?? '');
  return matchOf(found, birth, { ...patient, date_of_birth: birth === patient.date_of_birth ? birth : null }) !== null;
}

/**
 * Whether the printed name may be this person's, whatever the order, accents and OCR errors. A person known by one name
 * only has that name among the printed ones.
 */
export function isNameOf(printed: string, { display_name }: Pick<KnownPatient, 'display_name'>): boolean {
  const words = foldWords(display_name);
  if (words.length === 1) return foldWords(printed).includes(words[0] ?? '');
  const known = { id: 0, display_name, date_of_birth: null, sex: null };
  return matchKnown(parsePersonName(printed), null, [known]) !== null;
}

const isOtherBirth = (printed: string | null, { date_of_birth: known }: KnownPatient): boolean =>
  printed !== null && known !== null && printed !== known;
