/**
 * Units as laboratories print them (UCUM, SI and the customary ones of English, German, French and Italian reports).
 * A unit is terms joined by `/` or `·`: `mmol/L`, `mg/g Krea`, `10^9/L`, `ml/min/1.73m²`.
 */
const TERM = String.raw`(?:[munpfkµμdc]?(?:g|mol|l|L|I|U|IU|UI|IE|kat|[eE]q|val|[oO]sm|m|s|Pa|M|E|t|B)|[kmµμ]?IU|[kmµμ]?U|[GMT]|[GMT]pt|sec|sek|min|h|hr|d|24\s?h|day|die|mm|cm|mmHg|mm\s?Hg|cells?|cellules?|cellule|Zellen|copies|Kopien|copie|Ery|Leuk|HPF|hpf|Gesichtsfeld|GF|AU|BAU|U\.?I\.?|Index|ratio|pH|fl|fL|ft|pg|ng|µg|μg|ug|mg|mcg|mL|ml|dL|dl|d1|dI|µL|μL|µl|μl|ul|uL|nl|pl|mm[³3]|cmm|cm[³3]|m[²2]|1[.,]73\s?m[²2]?|(?:g|mmol|mg)\s?(?:Krea|Kreatinin|Crea|creat|creatinine|créat|créatinine|creatinina)|Krea(?:tinin)?|creat(?:inine)?|Hb|%|‰|1|\|)`;
const COUNT = String.raw`(?:[x×*]\s?)?10\s?(?:\^|\*|E|e|exp|”|"|\*\*)?\s?\(?[3-9³⁶⁹¹²6912]{1,2}\)?\s?/\s?[µμu]?[lLI1|]`;
const WORDED = String.raw`(?:Mio\.?|Tsd\.?|Mill(?:ions?)?\.?|mil\.?|Thous(?:ands?)?|thous?(?:ands?)?|K|k)\s?/\s?(?:[µμu]?[lL]|mm[³3]|cmm)|/\s?(?:[µμun]?[lL]|nl|pl|mm[³3]|HPF|hpf|GF|Gesichtsfeld)|Vol\.?\s?%|%\s?\(?NGSP\)?|%\s?Hb|mmol/mol|mm/\s?1?\.?\s?h|mmHg|mm\s?Hg|INR|sec\.?|Sek\.?|s|%|‰|fl|fL|pg|U/gHb|mOsm/kg|titer|Titer|titre|Index|ratio|S/CO|COI|kU/[lL1I]`;
const WHOLE = new RegExp(String.raw`^(?:${COUNT}|${WORDED}|${TERM}(?:\s?[/·.]\s?${TERM}){1,3}|${TERM})(?=$)`, 'u');
/** Single terms that are words or numbers more often than units. */
const NEVER_ALONE = /^(?:I|1|\||M|E|B|m|s|d|h|l|L|t|g|G|T|U|Index|ratio|pH|day|die|min|sec|K|k)$/;
/** What stands in units only behind a slash. */
const NEVER_FIRST =
  /^(?:1|\||I|Hb|Ery|Leuk|Krea|Kreatinin|[Cc]reat|[Cc]rea|creatinine|creatinina|cells?|Zellen|copies|Kopien)$/;
const COUNT_OF_LITRE =
  /^[x×*]?\s?1[O0]\s?(?:\^|\*{1,2}|E|exp|["”“'’°]|4)?\s?\(?([3-9³⁶⁹]|12|¹²)\)?\s?[/|]?\s?([µμu]?[lLI1|])$/u;

/** The sign of micro read as a letter that no unit begins with. */
const MISREAD_MICRO = /^(?:[HyjLi]|[HjyL][uU])(?:g|mol|l?U)\/[dm]?1?[lLI1]$/;

/** Units that most results have; a print that OCR damaged is put right by them. */
const COMMON = [
  'mmol/L',
  'µmol/L',
  'nmol/L',
  'pmol/L',
  'mol/L',
  'mg/dL',
  'g/dL',
  'µg/dL',
  'ng/dL',
  'g/L',
  'mg/L',
  'µg/L',
  'ng/L',
  'pg/mL',
  'ng/mL',
  'µg/mL',
  'mg/mL',
  'U/L',
  'IU/L',
  'UI/L',
  'kU/L',
  'kIU/L',
  'kUI/L',
  'mU/L',
  'mIU/L',
  'mUI/L',
  'µIU/mL',
  'µUI/mL',
  'µU/mL',
  'mU/mL',
  'mIU/mL',
  'mUI/mL',
  'U/mL',
  'IU/mL',
  'UI/mL',
  'kU/mL',
  'mEq/L',
  'mval/L',
  'G/L',
  'T/L',
  'L/L',
  'Gpt/L',
  'Tpt/L',
  'µkat/L',
  'nkat/L',
  'mm/h',
  'ml/min',
  'mL/min',
  'mL/min/1.73m2',
  'mOsm/kg',
  'mosmol/kg',
  'mmol/mol',
  'mg/g',
  'mg/mmol',
  'g/mol',
  'µg/g',
  'mg/24h',
  'g/24h',
  'mmol/24h',
  '10^9/L',
  '10^12/L',
  '10^3/µL',
  '10^6/µL',
  '10^6/L',
  'Mio/µL',
  'Tsd/µL',
  'K/µL',
  'M/µL',
  'mmHg',
  'kPa',
  '%',
  '‰',
  'fL',
  'pg',
  '/µL',
  '/nL',
  '/pL',
  '/mm3',
  'AU/mL',
  'BAU/mL',
  'S/CO',
];

/** The form in which two prints of one unit are equal: `µmol/l` and `umol/L`. */
export const unitKey = (unit: string): string =>
  unit
    .toLowerCase()
    .replace(/[µμ]/g, 'u')
    .replace(/[^a-z0-9%‰]/g, '');

/** What is left of a unit when letters that OCR confuses are one, and slashes are lost. */
export const unitSkeleton = (unit: string): string =>
  unitKey(unit)
    .replace(/[i1|!]/g, 'l')
    .replace(/0/g, 'o');

// `M/µL` has the key of `mU/L`, which is commoner.
const BY_KEY = new Map([...COMMON].reverse().map((unit) => [unitKey(unit), unit]));
const BY_SKELETON = new Map<string, string[]>();
for (const unit of COMMON) {
  if (unit.startsWith('/') || unitKey(unit).length < 2) continue;
  // OCR loses the slash or takes it for a stroke.
  for (const form of [unit, unit.replace('/', 'l')])
    BY_SKELETON.set(unitSkeleton(form), [...(BY_SKELETON.get(unitSkeleton(form)) ?? []), unit]);
}

/** Whether a printed text is a unit; `inColumn` is true for texts that stand in a column of units, where single letters count too. */
export function isUnit(text: string, { inColumn = false }: { inColumn?: boolean } = {}): boolean {
  const plain = text
    .trim()
    .replace(/[,;]$/, '')
    .replace(/^[[(]|[\])]$/g, '');
  if (plain.length > 24 || !/[\p{L}%‰]/u.test(plain)) return false;
  if (COUNT_OF_LITRE.test(plain)) return true;
  if (WHOLE.test(plain)) return !NEVER_FIRST.test(plain) && (inColumn || !NEVER_ALONE.test(plain));
  if (
    MISREAD_MICRO.test(plain) ||
    (inColumn && /^(?:U[LlI1]|[I1l|][np]l|[GT]\/|(?:mmol|µmol|mg|ng|k?U)\/)$/.test(plain)) ||
    (inColumn && /^9\/[dm]?[lL]$/.test(plain))
  )
    return true;
  return !/\s/.test(plain) && unitSkeleton(plain).length >= (inColumn ? 3 : 4) && BY_SKELETON.has(unitSkeleton(plain));
}

/**
 * A unit as printed, with OCR slips put right: `mmol/I` → `mmol/l`, `mg/d1` → `mg/dl`, `UL` → `U/L`, `GI/L` → `G/L`, `10”9/L` → `10^9/L`,
 * `pmoll` → `pmol/L`, Greek mu → micro sign. Brackets around it are dropped.
 */
export function cleanUnit(text: string): string {
  const plain = text
    .trim()
    .replace(/^[[({|'’‘"“”,;:]+|[\])}|.,;]+$/g, '')
    .replaceAll('μ', 'µ')
    .replace(/\/\s?([dmµun]?)[I1|]l?$/, '/$1l')
    .replace(/^[HyjL][uU](?=(?:g|mol)\/)/, 'µ')
    .replace(/^[I1l|]([np])[lI1|]$/, '/$1l')
    .replace(/^([GT]|[mµnp]?(?:mol|g|k?U|IU|UI|Eq))\/$/, '$1/l')
    .replace(/\/\s+/g, '/')
    .replace(/\s+\//g, '/')
    .replace(/^(?:%o|%0|°\/oo|%。|0\/00|o\/oo)$/i, '‰')
    .replace(/^Ss$/, 's')
    .replace(/^9\/(?=[dmLl])/, 'g/');
  const count = COUNT_OF_LITRE.exec(plain);
  if (count && !/\^/.test(plain))
    return `10^${(count[1] ?? '').replace('³', '3').replace('⁶', '6').replace('⁹', '9').replace('¹²', '12')}/${(count[2] ?? '').replace(/[I1|]/, 'L').replace(/^u/, 'µ')}`;
  const common = BY_KEY.get(unitKey(plain));
  if (common !== undefined)
    return plain.includes('/') === common.includes('/') && !/^UL$/.test(plain)
      ? plain
      : /^UL$/.test(plain)
        ? 'U/L'
        : common;
  const alike = BY_SKELETON.get(unitSkeleton(plain));
  if (alike && !/\d[.,]?\d/.test(plain)) return alike.find((unit) => unit[0] === plain[0]) ?? alike[0] ?? plain;
  // The sign of micro read as p: there is no pg/dL.
  if (/^p(?:g\/d[lL]|IU\/m[lL]|U\/m[lL])$/.test(plain)) return `µ${plain.slice(1)}`;
  // One stray stroke beside the slash.
  const without = BY_KEY.get(unitKey(plain.replace(/[I1l|]\/|\/[I1|](?=[A-Za-zµ])/, '/')));
  if (without !== undefined) return without;
  // The sign of micro read as another letter.
  return MISREAD_MICRO.test(plain) ? `µ${plain.slice(1)}` : plain;
}

/** Of the units that a result usually has (of all common ones where nobody knows) the one that a damaged print most likely is; null when none is near. `distance` counts edits between texts. */
export function nearestUnit(
  text: string,
  usual: readonly string[],
  distance: (a: string, b: string) => number,
): string | null {
  const skeleton = unitSkeleton(text);
  const candidates = usual.length > 0 ? usual : skeleton.length > 4 ? COMMON : [];
  // A whole unit stays as it is, but OCR reads the sign of micro as p, or not at all.
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
    const apart = distance(skeleton, own);
    if (apart <= limit && apart < bestDistance && skeleton.length > 1 && own.length > 1) {
      best = unit;
      bestDistance = apart;
    }
  }
  return best;
}
