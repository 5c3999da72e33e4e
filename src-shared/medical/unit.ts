import { UNIT_TABLE } from './generated/unit-table.ts';
import type { UnitRow } from './unit-row.ts';

/**
 * Units as laboratories print them (UCUM, SI and the customary ones of English, German, French and Italian reports),
 * from `resources/knowledge/units.tsv`. A unit consists of terms joined by `/` or `·`: `mmol/L`, `mg/g Krea`, `10^9/L`,
 * `ml/min/1.73m²`.
 */
const rowsOf = (kind: UnitRow['kind']): UnitRow[] => UNIT_TABLE.filter((row) => row.kind === kind);
const printedOf = (rows: readonly UnitRow[]): string[] => rows.flatMap((row) => row.printed);
const isUsedAs =
  (use: UnitRow['use'][number]) =>
  (row: UnitRow): boolean =>
    row.use.includes(use);

/** Converts a spelling to a pattern: `1.73 m²` also matches `1,73m2`. */
const patternOf = (spelling: string): string =>
  spelling
    .replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
    .replace(/(?<=\d)\\\.(?=\d)/g, '[.,]')
    .replaceAll(' ', String.raw`\s?`)
    // OCR reads a small raised digit as a question mark or a quote.
    .replaceAll('²', '[²2?”"]')
    .replaceAll('³', '[³3]')
    .replaceAll('µ', '[µμu]');
const anyOf = (spellings: readonly string[]): string => spellings.map(patternOf).join('|');

/** Creatinine as laboratories print it in `mg/g Krea`. */
const CREATININE = [
  // Short and long, in four languages
  'Krea',
  'Kreatinin',
  'Crea',
  'crea',
  'Creat',
  'creat',
  'creatinine',
  'créat',
  'créatinine',
  'creatinina',
  'Cr',
];
/** Letters that OCR reads instead of terms, and parts that have a meaning only with another unit. */
const READ_AS_TERM = String.raw`[munpfkµμdc]?[IMtB]|d1|dI|ft|Hb|1|\|`;
const TERM_COUNTS = rowsOf('count').filter((row) => !isUsedAs('part')(row));
const TERM = [
  String.raw`(?:[munpfkµμdc]?(?:${anyOf(printedOf(rowsOf('base')))})|`,
  String.raw`${anyOf(printedOf([...rowsOf('term'), ...TERM_COUNTS]))}|(?:g|m?mol|mg)\s?(?:${anyOf(CREATININE)})|`,
  String.raw`${anyOf(CREATININE)}|${READ_AS_TERM})`,
].join('');
/** `x10^9/L` and OCR's readings of it. */
const POWER_OF_TEN = [
  String.raw`(?:[xX×*]\s?)?10\s?(?:\^|\*|E|e|exp|”|"|\*\*)?\s?\(?(?:[3-9³⁶⁹¹²6912]{1,2}|[%°?])\)?`,
  String.raw`\s?/\s?(?:[µμuU]?[lLI1|]|mc[lL]|mm[³3]|mmc)`,
].join('');
/** `Tsd./µl`, `Mio/mm³`. */
const COUNT_WORDS = anyOf(printedOf(rowsOf('count').filter(isUsedAs('part'))));
const WORDED_COUNT = String.raw`(?:${COUNT_WORDS})\s?/\s?(?:[µμu]?[lL]|mc[lL]|mm[³3]|cmm|mmc)`;
const WHOLE = new RegExp(
  [
    `^(?:${POWER_OF_TEN}|${WORDED_COUNT}|${anyOf(printedOf([...rowsOf('unit'), ...rowsOf('scale')]))}|`,
    `${TERM}(?:${String.raw`\s?[/·.]\s?`}${TERM}){1,3}|${TERM})$`,
  ].join(''),
  'u',
);
/** Single terms that are more often words or numbers than units. */
const NEVER_ALONE = new Set(printedOf(UNIT_TABLE.filter(isUsedAs('column'))));
/** Terms that occur only with another one. */
const NEVER_WHOLE = new Set([
  ...printedOf(rowsOf('term').filter(isUsedAs('part'))),
  ...['1', '|', 'I', 'B', 't', 'Hb'],
  ...CREATININE,
]);
const COUNT_OF_LITRE =
  /^[x×*]?\s?1[O0]\s?(?:\^|\*{1,2}|E|exp|["”“'’°%?~]|\/[%°?](?=9)|[47MNA](?=9)|\/(?=\d{1,2}\/))?\s?\(?([3-9³⁶⁹]|12|¹²)\)?\s?[/|]?\s?([µμup]?[lLI1|])$/u;

/** "10⁹/L", whose raised digit was read as a sign. */
const RAISED_NINE = /^([x×*]?\s?10)[%°?](?=\s?\/\s?[lLI1|]$)/u;

/** "109 L" is a low result; a unit has no blank before its liter. */
const NUMBER_AND_FLAG = /^1\d{2} L$/;

/** µ read as a letter with which no unit begins, "µg" as "Ho", and "mL/min" without its slash. */
const MISREAD_MICRO = /^(?:[HyjLi]|[HjyL][uU])(?:g|mol|l?U|UI)\/(?:[dm]?1?[lLI1]|g)$|^H[o0]\/(?:[dm]?[lLI1]|g)$/;
/** "U" read as "u" in small print: "38 u/1" of a fax. */
const SMALL_UNIT = /^u(?=\/[lLI1|]$)/;
const MISREAD_ML_MIN = /^m[UI1l|]{1,2}\s?(?=min(?:\/|$))/;

/** What a result of D-dimer is compared with: "mg/l FEU", "µg FEU/mL", "ng/mL (DDU)". */
const EQUIVALENTS = /(?<=\p{L})\s?\(?(?:FEU|D-?DU)\b\)?/u;

/** The units of most results; an illegible unit is repaired to one of them. */
const COMMON = rowsOf('unit')
  .filter(isUsedAs('repair'))
  .map((row) => row.printed[0] ?? '');

/** Returns the units in which each group of tests is reported, the usual one first. */
export function usualUnitsByGroup(): Map<string, string[]> {
  const groups = new Map<string, UnitRow[]>();
  for (const row of UNIT_TABLE)
    for (const group of Object.keys(row.usual)) groups.set(group, [...(groups.get(group) ?? []), row]);
  return new Map(
    [...groups].map(([group, rows]) => [
      group,
      rows.toSorted((a, b) => (a.usual[group] ?? 0) - (b.usual[group] ?? 0)).map((row) => row.printed[0] ?? ''),
    ]),
  );
}

/** Returns a form in which two spellings of a unit are equal: `µmol/l` and `umol/L`. */
export const unitKey = (unit: string): string =>
  unit
    .toLowerCase()
    .replace(/[µμ]/g, 'u')
    .replace(/[^a-z0-9%‰]/g, '');

/** Returns a form without slashes, in which letters that OCR confuses are equal. */
export const unitSkeleton = (unit: string): string =>
  unitKey(unit)
    .replace(/[i1|!]/g, 'l')
    .replace(/0/g, 'o');

// Reversed, because `M/µL` has the key of the more common `mU/L`.
const BY_KEY = new Map([...COMMON].reverse().map((unit) => [unitKey(unit), unit]));
const BY_SKELETON = new Map<string, string[]>();
for (const unit of COMMON) {
  if (unit.startsWith('/') || unitKey(unit).length < 2) continue;
  // OCR misses the slash or reads it as `l`.
  for (const form of [unit, unit.replace('/', 'l')])
    BY_SKELETON.set(unitSkeleton(form), [...(BY_SKELETON.get(unitSkeleton(form)) ?? []), unit]);
}

/**
 * Whether a printed text is a unit. `inColumn` is true for texts in a column of units, where single letters count as
 * well.
 */
export function isUnit(text: string, { inColumn = false }: { inColumn?: boolean } = {}): boolean {
  const plain = text
    .trim()
    .replace(/[,;]$/, '')
    .replace(/^[[(]|[\])]$/g, '')
    .replace(/(?<=\p{L})\s+\//u, '/')
    .replace(EQUIVALENTS, '');
  if (plain.length > 24 || !/[\p{L}%‰]/u.test(plain)) return false;
  if (COUNT_OF_LITRE.test(plain)) return !NUMBER_AND_FLAG.test(plain);
  if (WHOLE.test(plain) || WHOLE.test(text.trim()))
    return !NEVER_WHOLE.has(plain) && (inColumn || !NEVER_ALONE.has(plain));
  if (
    MISREAD_MICRO.test(plain) ||
    MISREAD_ML_MIN.test(plain) ||
    SMALL_UNIT.test(plain) ||
    (inColumn && /^(?:U[LlI1]|[I1l|][np]l|[GT]\/|(?:mmol|µmol|[mµn]?g|[mkµ]?(?:IU|UI|U))\/)$/.test(plain)) ||
    (inColumn && /^9\/[dm]?[lL]$/.test(plain))
  )
    return true;
  return !/\s/.test(plain) && unitSkeleton(plain).length >= (inColumn ? 3 : 4) && BY_SKELETON.has(unitSkeleton(plain));
}

/**
 * Repairs OCR errors in a printed unit: `mmol/I` → `mmol/l`, `mg/d1` → `mg/dl`, `UL` → `U/L`, `GI/L` → `G/L`, `10”9/L`
 * and `10%/L` → `10^9/L`, `pmoll` → `pmol/L`, Greek mu → micro sign. Removes brackets around it.
 */
export function cleanUnit(text: string): string {
  const plain = text
    .trim()
    .replace(/^[[({|'’‘"“”,;:]+|[\])}|.,;]+$/g, '')
    .replaceAll('μ', 'µ')
    .replace(MISREAD_ML_MIN, 'mL/')
    .replace(SMALL_UNIT, 'U')
    .replace(/^H[o0](?=\/)/, 'µg')
    .replace(/\/\s?([dmµun]?)[I1|]l?$/, '/$1l')
    .replace(/^[HyjL][uU](?=(?:g|mol)\/)/, 'µ')
    .replace(/^([mµ])[il1|][uU](?=\/)/, '$1IU')
    .replace(/^[I1l|]([np])[lI1|]$/, '/$1l')
    .replace(/^([GT]|[mµnp]?(?:mol|g|k?U|IU|UI|Eq))\/$/, '$1/l')
    .replace(/\/\s+/g, '/')
    .replace(/\s+\//g, '/')
    .replace(/^(?:%o|%0|°\/oo|%。|0\/00|o\/oo)$/i, '‰')
    .replace(/^kK(?=[UI])/, 'k')
    .replace(/^Ss$/, 's')
    .replace(/^9\/(?=[dmLl])/, 'g/')
    .replace(/(?<=1[.,]73\s?m)[?”"]2?$/, '²')
    .replace(RAISED_NINE, '$19')
    .replace(/\([^()]*$/, '$&)');
  const count = COUNT_OF_LITRE.exec(plain);
  // Laboratories print `x10E3/uL` and `10³/µL` as well.
  if (count && !/\^|10E\d|[³⁶⁹]|¹²/.test(plain)) {
    const times = /^[x×]/.exec(plain)?.[0] ?? '';
    const volume = (count[2] ?? '').replace(/[I1|]/, 'L').replace(/^[up]/, 'µ');
    return `${times}10^${count[1] ?? ''}/${volume}`;
  }
  const common = BY_KEY.get(unitKey(plain));
  if (common !== undefined && plain === 'UL') return 'U/L';
  if (common !== undefined) return plain.includes('/') === common.includes('/') ? plain : common;
  const similar = BY_SKELETON.get(unitSkeleton(plain));
  if (similar && !/\d[.,]?\d/.test(plain)) return similar.find((unit) => unit[0] === plain[0]) ?? similar[0] ?? plain;
  // OCR read µ as p: laboratories do not use pg/dL.
  if (/^p(?:g\/d[lL]|IU\/m[lL]|U\/m[lL])$/.test(plain)) return `µ${plain.slice(1)}`;
  // OCR read an extra stroke next to the slash.
  const repaired = BY_KEY.get(unitKey(plain.replace(/[I1l|]\/|\/[I1|](?=[A-Za-zµ])/, '/')));
  if (repaired !== undefined) return repaired;
  return MISREAD_MICRO.test(plain) ? `µ${plain.slice(1)}` : plain;
}

/**
 * Returns the unit that an illegible one most likely is, among the usual units of the result (all common ones if the
 * result is unknown); null if none is close. `distance` counts the edits between two texts.
 */
export function nearestUnit(
  text: string,
  usual: readonly string[],
  distance: (a: string, b: string) => number,
): string | null {
  const skeleton = unitSkeleton(text);
  const common = skeleton.length > 4 ? COMMON : [];
  const candidates = usual.length > 0 ? usual : common;
  // A known unit is not changed, except that OCR reads µ as p, or misses it.
  if (BY_KEY.has(unitKey(text))) {
    const micro = `u${unitKey(text).replace(/^p/, '')}`;
    return candidates.some((unit) => unitKey(unit) === unitKey(text))
      ? null
      : (candidates.find((unit) => unitKey(unit) === micro) ?? null);
  }
  let best: string | null = null,
    bestDistance = Infinity;
  for (const unit of candidates) {
    const own = unitSkeleton(unit);
    if (own === skeleton) return null;
    const limit = own.length <= 4 ? 1 : 2;
    const edits = distance(skeleton, own);
    if (edits <= limit && edits < bestDistance && skeleton.length > 1 && own.length > 1) {
      best = unit;
      bestDistance = edits;
    }
  }
  return best;
}
