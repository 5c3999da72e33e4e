/**
 * Units as laboratories print them (UCUM, SI and the customary ones of English, German, French and Italian reports).
 * A unit is terms joined by `/` or `·`: `mmol/L`, `mg/g Krea`, `10^9/L`, `ml/min/1.73m²`.
 */
const TERM = String.raw`(?:[munpfkµμdc]?(?:g|mol|l|L|I|U|IU|UI|IE|kat|[eE]q|val|[oO]sm|m|s|Pa|M|E|t|B)|[kmµμ]?IU|[kmµμ]?U|[GMT]|[GMT]pt|sec|sek|min|h|hr|d|24\s?h|day|die|mm|cm|mmHg|mm\s?Hg|cells?|cellules?|cellule|Zellen|copies|Kopien|copie|Ery|Leuk|HPF|hpf|Gesichtsfeld|GF|AU|BAU|U\.?I\.?|Index|ratio|pH|fl|fL|ft|pg|ng|µg|μg|ug|mg|mcg|mL|ml|dL|dl|d1|dI|µL|μL|µl|μl|ul|uL|nl|pl|mm[³3]|cmm|cm[³3]|m[²2]|1[.,]73\s?m[²2]?|(?:g|mmol|mg)\s?(?:Krea|Kreatinin|Crea|creat|creatinine|créat|créatinine|creatinina)|Krea(?:tinin)?|creat(?:inine)?|Hb|%|‰|1|\|)`;
const COUNT = String.raw`(?:[x×*]\s?)?10\s?(?:\^|\*|E|e|exp|”|"|\*\*)?\s?\(?[3-9³⁶⁹¹²6912]{1,2}\)?\s?/\s?[µμu]?[lLI1|]`;
const WORDED = String.raw`(?:Mio\.?|Tsd\.?|Mill\.?|mil\.?|thou|K|k)\s?/\s?(?:[µμu]?[lL]|mm[³3]|cmm)|/\s?(?:[µμun]?[lL]|nl|pl|mm[³3]|HPF|hpf|GF|Gesichtsfeld)|Vol\.?\s?%|%\s?\(?NGSP\)?|%\s?Hb|mmol/mol|mm/\s?1?\.?\s?h|mmHg|mm\s?Hg|INR|sec\.?|Sek\.?|s|%|‰|fl|fL|pg|U/gHb|mOsm/kg|titer|Titer|titre|Index|ratio|S/CO|COI|kU/[lL1I]`;
const WHOLE = new RegExp(String.raw`^(?:${COUNT}|${WORDED}|${TERM}(?:\s?[/·.]\s?${TERM}){1,3}|${TERM})(?=$)`, 'u');
/** Single terms that are words or numbers more often than units. */
const NEVER_ALONE = /^(?:I|1|\||M|E|B|m|s|d|h|l|L|t|g|G|T|U|Index|ratio|pH|day|die|min|sec|K|k)$/;

/** Whether a printed text is a unit; `alone` is true for texts that stand in a column of units, where single letters count too. */
export function isUnit(text: string, { inColumn = false }: { inColumn?: boolean } = {}): boolean {
  const plain = text.trim().replace(/^\[|\]$|^\(|\)$/g, '');
  if (plain === '' || plain.length > 24 || !WHOLE.test(plain)) return false;
  return inColumn ? !/^(?:1|\||I)$/.test(plain) : !NEVER_ALONE.test(plain);
}

/** The form in which two prints of one unit are equal: `µmol/l` and `umol/L`. */
export const unitKey = (unit: string): string => unit.toLowerCase().replace(/[µμ]/g, 'u').replace(/[^a-z0-9%]/g, '');

/** Units that most results have; a print that OCR damaged a little is put right by them. */
const COMMON = ['mmol/L', 'µmol/L', 'nmol/L', 'pmol/L', 'mol/L', 'mg/dL', 'g/dL', 'µg/dL', 'ng/dL', 'g/L', 'mg/L', 'µg/L', 'ng/L', 'pg/mL', 'ng/mL', 'µg/mL', 'mg/mL', 'U/L', 'IU/L', 'UI/L', 'kU/L', 'mU/L', 'mIU/L', 'mUI/L', 'µIU/mL', 'µU/mL', 'U/mL', 'IU/mL', 'UI/mL', 'mEq/L', 'mval/L', 'G/L', 'T/L', 'Gpt/L', 'Tpt/L', 'µkat/L', 'mm/h', 'ml/min', 'mL/min', 'mOsm/kg', 'mmol/mol', 'mg/g', 'mg/mmol', '%', 'fL', 'pg', '/µL', '/nL', '/pL'];
const BY_KEY = new Map(COMMON.map((unit) => [unitKey(unit), unit]));

/**
 * A unit as printed, with OCR slips put right: `mmol/I` → `mmol/l`, `mg/d1` → `mg/dl`, `UL` → `U/L`, `GI/L` → `G/L`, `10”9/L` → `10^9/L`,
 * Greek mu → micro sign.
 */
export function cleanUnit(text: string): string {
  const plain = text.trim().replace(/^[[(|]+|[\])|.,;]+$/g, '').replaceAll('μ', 'µ')
    .replace(/\/\s?([dmµun]?)[I1|]$/, '/$1l').replace(/\/\s+/g, '/').replace(/\s+\//g, '/')
    .replace(/^([x×*]?\s?10)\s?[”"]\s?(\d)/, '$1^$2');
  const key = unitKey(plain);
  const common = BY_KEY.get(key);
  if (common !== undefined) return plain.includes('/') === common.includes('/') ? plain : common;
  // One stray stroke beside the slash.
  const without = BY_KEY.get(unitKey(plain.replace(/[I1l|]\/|\/[I1|](?=[A-Za-zµ])/, '/')));
  return without ?? plain;
}
