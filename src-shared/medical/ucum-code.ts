/**
 * The UCUM code of a unit as laboratories print it (The Unified Code for Units of Measure, ucum.org): `µmol/l` → `umol/L`, `G/L` → `10*9/L`,
 * `mg/g Krea` → `mg/g{creat}`. International and enzyme units are one (`U`): laboratories print them for one another.
 */

/** Powers of ten by which cells are counted, as they are printed in front of a slash. */
const COUNTS: Readonly<Record<string, string>> = {
  G: '10*9',
  Gpt: '10*9',
  Giga: '10*9',
  Mrd: '10*9',
  T: '10*12',
  Tpt: '10*12',
  Tera: '10*12',
  Bio: '10*12',
  M: '10*6',
  Mio: '10*6',
  Mill: '10*6',
  mill: '10*6',
  Mpt: '10*6',
  K: '10*3',
  k: '10*3',
  Tsd: '10*3',
  tsd: '10*3',
  thou: '10*3',
  mil: '10*3',
};
/** Whole terms, folded to lower case. */
const TERMS: Readonly<Record<string, string>> = {
  '%': '%',
  '‰': '[ppth]',
  'vol%': '%',
  mmhg: 'mm[Hg]',
  cmh2o: 'cm[H2O]',
  '°c': 'Cel',
  '°f': '[degF]',
  s: 's',
  sec: 's',
  sek: 's',
  sekunden: 's',
  min: 'min',
  h: 'h',
  hr: 'h',
  std: 'h',
  ora: 'h',
  '1h': 'h',
  '24h': 'd',
  '24std': 'd',
  d: 'd',
  day: 'd',
  tag: 'd',
  tg: 'd',
  die: 'd',
  jour: 'd',
  mcg: 'ug',
  gamma: 'ug',
  cmm: 'mm3',
  mm3: 'mm3',
  cm3: 'cm3',
  ccm: 'cm3',
  cc: 'cm3',
  m2: 'm2',
  '1.73m2': '{1.73_m2}',
  hpf: '[HPF]',
  gf: '[HPF]',
  gesichtsfeld: '[HPF]',
  lpf: '[LPF]',
  ph: '[pH]',
  cells: '1',
  cell: '1',
  zellen: '1',
  cellules: '1',
  cellule: '1',
  ery: '1',
  leuk: '1',
  leuko: '1',
};
/** Scales that are their own unit: equal only to themselves. */
const SCALES = new Set([
  'inr',
  'ratio',
  'quotient',
  'index',
  'titer',
  'titre',
  'coi',
  's/co',
  'z-score',
  't-score',
  'score',
]);
/** Units of assays that no other unit equals. */
const ASSAY = /^(bau|au|ru|gpl|mpl|arbu|rlu|copies|kopien|copie)$/i;
const ASSAY_NAMES: Readonly<Record<string, string>> = { kopien: 'copies', copie: 'copies', arbu: 'AU' };
const PREFIXED = /^([kmunpfdcGM]?)(g|mol|l|L|U|IU|UI|IE|I\.U|U\.I|E|kat|eq|Eq|val|osm|Osm|osmol|Pa|m|cP|Cel)$/;
const BASES: Readonly<Record<string, string>> = {
  l: 'L',
  IU: 'U',
  UI: 'U',
  IE: 'U',
  E: 'U',
  'I.U': 'U',
  'U.I': 'U',
  Eq: 'eq',
  val: 'eq',
  Osm: 'osm',
  osmol: 'osm',
};
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

/** What a measured substance is counted as, printed beside the unit; results counted differently do not compare. */
const COUNTED_AS = /\b(FEU|DDU|NGSP|IFCC)\b/i;
const SAME_AS_PLAIN = new Set(['NGSP', 'IFCC']);

const CREATININE =
  /\s*\{?\s*(?:krea(?:tinin)?|crea(?:t(?:inine|inina)?)?|kreat|créa(?:t(?:inine)?)?|creatinin)\.?\s*\}?$/i;
const OF_BLOOD = /\s*\(?(?:hb|hgb|gehb|hämoglobin|hemoglobin|haemoglobin|protein|eiweiss)\)?$/i;

/** Codes of UCUM itself, in the spelling that is read below: a unit may be given as its code. */
const OWN_SPELLINGS: readonly (readonly [string, string])[] = [
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

/** The UCUM code of a printed unit; null where nobody can say. An empty text is no unit, too. */
export function ucumOf(printed: string): string | null {
  let text = printed
    .trim()
    .normalize('NFC')
    .replace(/[µμ]/g, 'u')
    .replace(/[⁰¹²³⁴-⁹]+/g, (digits) => [...digits].map((digit) => SUPERSCRIPTS[digit]).join(''));
  for (const [code, word] of OWN_SPELLINGS) text = text.replaceAll(code, word);
  text = text
    .replace(/^\((.*)\)$|^\[([^\]]*)\]$/, '$1$2')
    .replace(/×/g, 'x')
    .replace(/·/g, '.')
    .replace(/[\u202f\u00a0]/g, ' ');
  if (text === '') return null;
  if (/^\{[^{}]+\}$/.test(text)) return text.toLowerCase();
  const scale = text.toLowerCase().replace(/\s/g, '');
  if (SCALES.has(scale)) return `{${scale === 'titre' ? 'titer' : scale}}`;
  const counted = COUNTED_AS.exec(text)?.[1]?.toUpperCase();
  if (counted)
    text = text
      .replace(COUNTED_AS, '')
      .replace(/\(\s*\)/g, '')
      .trim();
  text = text
    .replace(/1[.,]73\s?m\^?2/i, '1.73m2')
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
  return counted && !SAME_AS_PLAIN.has(counted) ? `${whole}{${counted}}` : whole;
}

function numeratorOf(part: string, isRatio: boolean): string | null {
  if (part === '') return isRatio ? '1' : null;
  const plain = part.replace(/[\s.]+$/, '').replace(/\s+/g, ' ');
  const power =
    /^(?:x ?|\* ?)?10 ?(?:\^|\*{1,2}|[eE]|exp|E\+?)? ?\(?\+?(\d{1,2})\)?(?: ?(?:cells?|zellen|cellules?|ery|leuk))?$/i.exec(
      plain,
    );
  if (power) return `10*${Number(power[1])}`;
  const thousand = /^(?:x ?)?(1000|1\.?000\.?000)$/.exec(plain);
  if (thousand) return plain.length > 5 ? '10*6' : '10*3';
  if (isRatio) {
    const count = COUNTS[plain];
    if (count) return count;
  }
  return termOf(plain);
}

function termOf(part: string): string | null {
  const creatinine = CREATININE.test(part);
  const plain = (creatinine ? part.replace(CREATININE, '') : part).replace(/\.$/, '').trim();
  if (creatinine) {
    const unit = plain === '' ? null : atom(plain);
    return unit === null ? null : `${unit}{creat}`;
  }
  const direct = atom(plain);
  return direct ?? (OF_BLOOD.test(plain) ? atom(plain.replace(OF_BLOOD, '').trim()) : null);
}

function atom(text: string): string | null {
  const folded = text.toLowerCase().replace(/\s/g, '').replace(/\^/g, '');
  const term = TERMS[folded];
  if (term) return term;
  const assay = ASSAY.exec(folded.replace(/^k(?=au|bau)/, ''));
  if (assay)
    return `{${ASSAY_NAMES[assay[1]!.toLowerCase()] ?? assay[1]!.toUpperCase()}}`.replace('{COPIES}', '{copies}');
  const compact = text.replace(/\s/g, '');
  // Allergens: kUA/L counts allergen-specific units.
  if (/^kUA$/i.test(compact)) return 'kU';
  const match =
    PREFIXED.exec(compact) ??
    PREFIXED.exec(compact.replace(/^([A-Z])(?=[A-Z]{1,2}$)/, (letter) => letter.toLowerCase())) ??
    PREFIXED.exec(loose(compact));
  if (!match) return null;
  return `${match[1] ?? ''}${BASES[match[2] ?? ''] ?? match[2]}`;
}

/** `MMOL`, `Mmol`, `ML`, `MG`: capitals that mean no mega. */
const loose = (text: string): string => {
  const lower = text.toLowerCase();
  return /^[munpfdck]?(?:g|mol|l|kat|eq|val|osm|osmol)$/.test(lower) ? lower : text;
};

/** Whether a code is a scale or an assay's own unit, which equals only itself. */
export const isOwnScale = (code: string): boolean => /^\{[^}]+\}$/.test(code) || code === '[pH]';

/** What is annotated beside a code and forbids comparing it with another: `{AU}/mL`, `mg/L{FEU}`. */
export const annotationsOf = (code: string): string =>
  [...code.matchAll(/\{([^}]+)\}/g)]
    .map((match) => match[1])
    .filter((name) => name !== 'creat' && name !== '1.73_m2')
    .sort()
    .join(' ');

/** A UCUM code as people write it: `umol/L` → `µmol/L`, `10*9/L` → `10⁹/L`. */
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
