import { withCapitalI } from './patient-print.ts';

/** A doctor's name in a text, with title as printed. */
export interface DoctorInText {
  from: number;
  to: number;
  name: string;
  /** Family name, assumed to be the last word. */
  family: string;
}

const TITLE = [
  String.raw`(?:(?:Prim(?:ar(?:ius|ia)?)?\.|OA|OÄ|Dipl\.?-?\s?Med\.|[Mm]ed\.\s?pract\.|pract\.\s?med\.|PD|P\.D\.|`,
  String.raw`Prof\.?\s?ssa\b|Priv\.?-?\s?Doz\.?|Univ\.?-?\s?Prof\.?|apl\.?\s?Prof\.?|Prof(?:essore?|essorin|`,
  String.raw`esseure?|essoressa)?\.?(?:\s?(?:ass|agr|tit|h\.c)\.)?|Pr\.?|DDr\.?|Dra\.|Drs?\.?(?:in\b)?|Dre\.?|Dr\.?ssa|`,
  String.raw`dr\.(?:\s?ssa)?|dott\.(?:\s?ssa\b)?|dott\.?ssa\b|prof\.|`,
  String.raw`Dresse|Drsse|DOTT\.?\s?(?:SSA\b\.?)?|Dott\.?\s?(?:ssa\b|\.ssa\b)?|Dottor(?:e|essa)?|Docteure?|Doctor|Doktor|D[''’]r)[\s.,]*)`,
].join('');
const DEGREE = [
  String.raw`(?:\(\p{L}{2,5}\.?\)\s+|(?:med\.?|m[ée]d\.?|medic\.?|univ\.?|sc\.?|nat\.?|rer\.?|phil\.?|dent\.?|`,
  String.raw`habil\.?|h\.\s?c\.?|FMH|MSc|med)(?:[\s.,]+|(?=\s)))`,
].join('');
const PARTICLE = String.raw`(?:(?:von|van|de|di|du|da|del|della|der|den|dei|le|la|zu|zur|ten|El|Al|Ben|Mc|D['’])\s?)`;
const NAME = String.raw`(?:${PARTICLE}*(?:\p{Lu}[\p{L}'’]*(?:-\p{Lu}[\p{L}'’]*)*\.?))`;
const TITLED = new RegExp(String.raw`(?<![\p{L}])(${TITLE}+${DEGREE}*)(${NAME}(?:\s${NAME}){0,3})`, 'gu');
const SUFFIX = [
  String.raw`(?:M\.?D\.?|D\.?O\.?|MBBS|MB\s?BS|MBChB|MB\s?ChB|BMBS|FRC[PSR]\w?|MRC[PS]\w?|FRCGP|MRCGP|FRCOG|`,
  String.raw`FRCPath|PhD|FACP|FACC|FACS|FMH|NP|PA-C|DNP|RN|DPM|DDS|DMD|PsyD|PharmD|CNM|CRNP|APRN|ARNP|FNP(?:-BC|-C)?|`,
  String.raw`FACOG|FAAP|FRCA|FRCEM|FFPMRCA|DPT)`,
].join('');
const SUFFIXED = new RegExp(
  String.raw`(?<![\p{L}])(${NAME}(?:\s${NAME}){1,3}),?\s(${SUFFIX}(?:,?\s${SUFFIX})*)(?![\p{L}\d])`,
  'gu',
);

/** "HALVORSEN, KRISTEN MD"; "Marsh Rd, Easton, MD 21601" is a place. */
const INVERTED = new RegExp(
  String.raw`(?<![\p{L}])(\p{Lu}[\p{L}'’-]+),\s?(\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}\.?)?),?\s(${SUFFIX})(?![\p{L}\d]|\s\d{5})`,
  'gu',
);

/** Words in capitals that follow a name without being part of it. */
const NOT_A_NAME = new RegExp(
  [
    String.raw`^(?:Facharzt|Fach[äa]rztin|Spezialarzt|Specialist|Spécialiste|Specialista|Consultant|Chefarzt|`,
    String.raw`Chef[äa]rztin|Oberarzt|Ober[äa]rztin|Leitende[r]?|Assistenz[äa]rzt(?:in)?|Chirurg(?:o|ien|in)?|`,
    String.raw`Radiologe|Radiologin|Radiologo|Radiologue|Cardiologue|Kardiologe|Praxis|Praktische[r]?|Hausarzt|`,
    String.raw`Klinik|Surgery|Practice|Pharmacy|Associates|`,
    String.raw`Spital|Hospital|Clinic|Clinique|H[ôo]pital|Ospedale|Cabinet|Studio|Labor|Laboratory|`,
    String.raw`Laboratoire|FMH|MD|FRCP|FRCS|FRCR|MRCP|MBBS|PhD|FACP|Department|Abteilung|Service|Reparto|Tel|`,
    String.raw`Telefon|Fax|Datum|Date|Data|Allgemein.*|Innere|Family|General|Medical|M[ée]decin|Medico|Medicina|`,
    String.raw`M[ée]decine|GmbH|AG|SA|Geb|Patient|Surgeon|Head|Director|Attending|Cardiology|Neurology|Radiology|`,
    String.raw`Orthop.*|Dermat.*|Gyn.*|Urolog.*|Pneumo.*|Gastro.*|Neurolog.*|Kardiolog.*|Cardiolog.*|Radiolog.*|`,
    String.raw`Facharzt.*|Date|Street|Strasse|Via|Rue|Str|Signature|Unterschrift|Seite|Page|Collected|Reported|`,
    String.raw`Ordering|Zuweiser)\.?$`,
  ].join(''),
  'u',
);

/** "Dott. Pasquale lannone": a small word alone behind a given name is a family name with a misread "I". */
const MISREAD_FAMILY = /(?<=(?:Dr|Dott|Prof)\S*\s\p{Lu}\p{Ll}+\s)l(?=\p{Ll}{4,}$)/gu;

/** "Dr lestyn Prydderch": a small word directly behind a title is a given name with a misread "I". */
const MISREAD_GIVEN = /(?<=(?<!\p{L})(?:Drs?\.?|Dr\.\s?med\.|Prof\.?|Dott\.?|Dott\.?ssa)\s)l(?=\p{Ll}{3,}\s\p{Lu})/gu;

/** "PD Dr. mcd. Ines Roth", "Dr. rned. Ines Roth": the degree of a faint print, and no name. */
const MISREAD_DEGREE = /(?<=(?<!\p{L})Dr\.?\s?)(?:m[ceo][cdl]{1,2}|rn[ce]d|in[ce]d|mecl)(?=\.?\s{0,2}\p{Lu})/gu;

/** "Dr-med-Hinrich Lorenzen": a faint print whose points are read as hyphens. */
const HYPHENATED_TITLE = /(?<!\p{L})(Dr|Prof|Dipl)[-·](med|dent)[-·](?=\s?\p{Lu})/gu;

/**
 * Doctors named in a text, from left to right: "PD Dr. med. Jana Weidmann", "Dott.ssa Chiara Conti", "Anna Smith,
 * MD".
 */
export function findDoctors(printed: string): DoctorInText[] {
  const text = withCapitalI(printed)
    .replace(MISREAD_FAMILY, 'I')
    .replace(MISREAD_GIVEN, 'I')
    .replace(HYPHENATED_TITLE, '$1.$2.')
    .replace(MISREAD_DEGREE, 'med');
  const titled = [...text.matchAll(TITLED)].flatMap((match): DoctorInText[] => {
    const [whole, title = '', named = ''] = match;
    const names = trimNames(named);
    if (names.length === 0) return [];
    const name = names.join(' ');
    const to = match.index + whole.length - named.length + name.length;
    return [
      {
        from: match.index,
        to,
        name: `${title.trim().replace(/,$/, '').replace(/\s+/g, ' ')} ${name}`,
        family: familyOf(names),
      },
    ];
  });
  const suffixed = [...text.matchAll(SUFFIXED)].flatMap((match): DoctorInText[] => {
    const from = match.index,
      to = from + match[0].length;
    if (titled.some((t) => t.from < to && from < t.to)) return [];
    const names = trimNames(match[1] ?? '');
    // "Usk Bridge Surgery, NP" is a house.
    const isWhole = names.length === (match[1] ?? '').split(/\s+/).length;
    return names.length >= 2 && isWhole ? [{ from, to, name: match[0], family: familyOf(names) }] : [];
  });
  const isFree = ({ from, to }: DoctorInText): boolean =>
    ![...titled, ...suffixed].some((other) => other.from < to && from < other.to);
  const inverted = [...text.matchAll(INVERTED)].map((match): DoctorInText => {
    const [whole, family = '', given = '', degree = ''] = match;
    return { from: match.index, to: match.index + whole.length, name: `${given} ${family} ${degree}`, family };
  });
  return [...titled, ...suffixed, ...inverted.filter(isFree)].sort((a, b) => a.from - b.from);
}

const IS_TITLE = /^(?:Dr|Prof|Pr|Dott|PD)\.?$/u;

/** Words up to the first one that is not part of a name. */
function trimNames(printed: string): string[] {
  const words = printed.split(/\s+/);
  const stop = words.findIndex((w) => NOT_A_NAME.test(w));
  // "Noemi Trevisani. Rinviato": a sentence ends with the name.
  const last = words.findIndex((w) => /\p{Ll}{4}\.$/u.test(w));
  const end = Math.min(stop < 0 ? words.length : stop, last < 0 ? words.length : last + 1);
  const names = words.slice(0, end);
  // "PD Dr." alone does not name a doctor.
  return names.some((w) => w.replace(/\P{L}/gu, '').length >= 2 && !IS_TITLE.test(w))
    ? names.map((w, i) => (i === names.length - 1 ? w.replace(/\.$/, '') : w))
    : [];
}

/** The family name is the word in capitals if only one is, otherwise the last one. */
function familyOf(names: readonly string[]): string {
  const shouted = names.filter((w) => w.length > 2 && w === w.toUpperCase());
  return (shouted.length === 1 && names.length > 1 ? shouted[0] : names.at(-1)) ?? '';
}
