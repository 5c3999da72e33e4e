import { UNIT_TABLE } from './generated/unit-table.ts';
import type { UnitRow } from './unit-row.ts';

/** UCUM codes by spelling, for rows of `resources/knowledge/units.tsv`. */
const codesOf = (kind: UnitRow['kind'], key: (spelling: string) => string): Map<string, string> =>
  new Map(
    UNIT_TABLE.filter((row) => row.kind === kind).flatMap((row) =>
      [...row.printed, ...row.aliases].map((spelling) => [key(spelling), row.ucum] as const),
    ),
  );

const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  '⁰': '0',
  '¹': '1',
  '²': '2',
  '³': '3',
  '⁴': '4',
  '⁵': '5',
  '⁶': '6',
  '⁷': '7',
  '⁸': '8',
  '⁹': '9',
};

const normalizeDigits = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[µμ]/g, 'u')
    .replace(/[⁰¹²³⁴-⁹]+/g, (digits) => [...digits].map((digit) => SUPERSCRIPTS[digit]).join(''));
const foldUnit = (text: string): string => text.toLowerCase().replace(/[\s^]/g, '');

const BASES = codesOf('base', (spelling) => spelling);
const PREFIXED = new RegExp(
  `^([kmunpfdcGM]?)(${[...BASES.keys()].map((base) => base.replace('.', '[.]')).join('|')})$`,
);
/** Whole terms, folded to lower case. */
const TERMS = codesOf('term', (spelling) => foldUnit(normalizeDigits(spelling)));
/** Powers of ten by which cells are counted, in front of a slash. */
const COUNTS = codesOf('count', (spelling) => spelling.replace(/\.$/, ''));
/** Scales that are their own unit and equal only to themselves. */
const SCALES = codesOf('scale', foldUnit);
const WHOLE_UNITS = codesOf('unit', normalizeDigits);

/** The reference of a measurement, printed after the unit; results with different references are not comparable. */
const REFERENCE = /\b(FEU|DDU|NGSP|IFCC)\b/i;
/** References that don't change the value. */
const NEUTRAL_REFERENCES = new Set(['NGSP', 'IFCC']);

const CREATININE =
  /\s*\{?\s*(?:krea(?:tinin)?|crea(?:t(?:inine|inina)?)?|kreat|créa(?:t(?:inine)?)?|creatinin)\.?\s*\}?$/i;
/** A substance after the unit: `mmol/mol Hb`. */
const SUBSTANCE = /\s*\(?(?:hb|hgb|gehb|hämoglobin|hemoglobin|haemoglobin|protein|eiweiss)\)?$/i;

/** Parts of UCUM codes with the printed spellings that are parsed below, because a unit may already be a code. */
const CODE_SPELLINGS: readonly (readonly [string, string])[] = [
  ['[IU]', 'IU'],
  ['[iU]', 'IU'],
  ['mm[Hg]', 'mmHg'],
  ['[pH]', 'pH'],
  ['[HPF]', 'HPF'],
  ['[LPF]', 'LPF'],
  ['[ppth]', '‰'],
  ['[degF]', '°F'],
  ['{1.73_m2}', '1.73m2'],
  ['{cells}', 'cells'],
  ['(24.h)', '24h'],
  ['{FEU}', ' FEU'],
  ['{DDU}', ' DDU'],
  ['{AU}', 'AU'],
  ['{BAU}', 'BAU'],
  ['{copies}', 'copies'],
];

/**
 * Converts a unit as laboratories print it to its UCUM code (The Unified Code for Units of Measure, ucum.org): `µmol/l`
 * → `umol/L`, `G/L` → `10*9/L`, `mg/g Krea` → `mg/g{creat}`. Null for an unknown or empty unit. International and
 * enzyme units share `U`.
 */
export function ucumOf(printed: string): string | null {
  let text = normalizeDigits(printed.trim());
  for (const [code, word] of CODE_SPELLINGS) text = text.replaceAll(code, word);
  text = text
    .replace(/^\((.*)\)$|^\[([^\]]*)\]$/, '$1$2')
    .replace(/×/g, 'x')
    .replace(/·/g, '.')
    .replace(/[\u202f\u00a0]/g, ' ');
  if (text === '') return null;
  const unit = WHOLE_UNITS.get(text);
  if (unit !== undefined) return unit;
  if (/^\{[^{}]+\}$/.test(text)) return text.toLowerCase();
  const scale = SCALES.get(foldUnit(text));
  if (scale !== undefined) return scale;
  const reference = REFERENCE.exec(text)?.[1]?.toUpperCase();
  if (reference)
    text = text
      .replace(REFERENCE, '')
      .replace(/\(\s*\)/g, '')
      .trim();
  text = text
    .replace(/1[.,]73\s?m[\^*]?2/i, '1.73m2')
    .replace(/mm\s?\/\s?1\.?\s?(?:h|std)\.?/i, 'mm/h')
    .replace(/mm\s?n\.?\s?w\.?/i, 'mm/h')
    .replace(/vol\.?\s?-?\s?%/i, 'vol%');
  const parts = text.split('/').map((part) => part.trim());
  if (parts.length > 3) return null;
  const codes = parts.map((part, index) => (index === 0 ? numeratorOf(part, parts.length > 1) : termOf(part)));
  if (codes.some((code) => code === null)) return null;
  const [first, ...rest] = codes as string[];
  const code = [first === '1' && rest.length > 0 ? '' : first, ...rest.filter((part) => part !== '1')].join('/');
  const whole = code === '' ? '1' : code;
  return reference && !NEUTRAL_REFERENCES.has(reference) ? `${whole}{${reference}}` : whole;
}

/** A power of ten, with or without the counted cells: `10^9`, `x10E3`, `10*6 Zellen`. */
const POWER_OF_TEN = new RegExp(
  [
    String.raw`^(?:x ?|\* ?)?10 ?(?:\^|\*{1,2}|[eE]|exp|E\+?)? ?\(?\+?(\d{1,2})\)?`,
    String.raw`(?: ?(?:cells?|zellen|cellules?|ery|leuk))?$`,
  ].join(''),
  'i',
);

function numeratorOf(part: string, isRatio: boolean): string | null {
  if (part === '') return isRatio ? '1' : null;
  const plain = part.replace(/[\s.]+$/, '').replace(/\s+/g, ' ');
  const power = POWER_OF_TEN.exec(plain);
  if (power) return `10*${Number(power[1])}`;
  const thousand = /^(?:x ?)?(1000|1\.?000\.?000)$/.exec(plain);
  if (thousand) return plain.length > 5 ? '10*6' : '10*3';
  if (isRatio) {
    const count = COUNTS.get(plain);
    if (count) return count;
  }
  return termOf(plain);
}

function termOf(part: string): string | null {
  const creatinine = CREATININE.test(part);
  const plain = (creatinine ? part.replace(CREATININE, '') : part).replace(/\.$/, '').trim();
  if (creatinine) {
    const unit = plain === '' ? null : atomOf(plain);
    return unit === null ? null : `${unit}{creat}`;
  }
  const direct = atomOf(plain);
  return direct ?? (SUBSTANCE.test(plain) ? atomOf(plain.replace(SUBSTANCE, '').trim()) : null);
}

function atomOf(text: string): string | null {
  const term = TERMS.get(foldUnit(text));
  if (term !== undefined) return term;
  const compact = text.replace(/\s/g, '');
  // Allergens: kUA/L counts allergen-specific units.
  if (/^kUA$/i.test(compact)) return 'kU';
  const match =
    PREFIXED.exec(compact) ??
    PREFIXED.exec(compact.replace(/^([A-Z])(?=[A-Z]{1,2}$)/, (letter) => letter.toLowerCase())) ??
    PREFIXED.exec(lowerCaseUnit(compact));
  if (!match) return null;
  return `${match[1] ?? ''}${BASES.get(match[2] ?? '') ?? match[2]}`;
}

/** Lowers the case of `MMOL`, `Mmol`, `ML` and `MG`, whose capitals do not mean mega. */
const lowerCaseUnit = (text: string): string => {
  const lower = text.toLowerCase();
  return /^[munpfdck]?(?:g|mol|l|kat|eq|val|osm|osmol)$/.test(lower) ? lower : text;
};

/** Whether a code is a scale or the unit of an assay, which equals only itself. */
export const isOwnScale = (code: string): boolean => /^\{[^}]+\}$/.test(code) || code === '[pH]';

/** Returns the annotations of a code that make it incomparable with others: `{AU}/mL`, `mg/L{FEU}`. */
export const annotationsOf = (code: string): string =>
  [...code.matchAll(/\{([^}]+)\}/g)]
    .map((match) => match[1])
    .filter((name) => name !== 'creat' && name !== '1.73_m2')
    .sort()
    .join(' ');

/** Formats a UCUM code in its usual spelling: `umol/L` → `µmol/L`, `10*9/L` → `10⁹/L`. */
export function unitText(code: string): string {
  const SUPER = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  return code
    .replace(/10\*(\d+)/g, (_, digits: string) => `10${[...digits].map((digit) => SUPER[Number(digit)]).join('')}`)
    .replace(/(^|[/.])u(?=[a-zA-Z])/g, '$1µ')
    .replace('{1.73_m2}', '1.73 m²')
    .replace(/mm\[Hg\]/g, 'mmHg')
    .replace('[ppth]', '‰')
    .replace(/\[iU\]|\[IU\]/g, 'IU')
    .replace(/\[HPF\]/g, 'HPF')
    .replace(/\{creat\}/g, ' creatinine')
    .replace('[pH]', 'pH')
    .replace('Cel', '°C')
    .replace('[degF]', '°F')
    .replace(/(\w)3(?=$|\/)/g, '$1³')
    .replace(/\{([^}]+)\}/g, (_, name: string) => (code.startsWith('{') ? name : ` ${name}`))
    .trim();
}
