import type { DataSet, Tag } from './data-set.ts';

/** The dose of an examination, as its dose report adds it up; null for what the report does not say. */
export interface Dose {
  /** The highest mean CTDIvol of a scan, in mGy. */
  ctdiVol: number | null;
  /** Dose length product, in mGy·cm. */
  dlp: number | null;
  /** Dose area product, in Gy·cm². */
  dap: number | null;
  /** In seconds. */
  fluoroscopySeconds: number | null;
  /** Average glandular dose of both sides, in mGy. */
  glandular: number | null;
  /** Administered activity, in MBq. */
  activity: number | null;
}

const MAX_ITEMS = 50_000;
const MAX_LEVEL = 24;
/** In any unit; more is a mistake of the device. */
const MAX_VALUE = 1e12;

/** Codes of DCM (PS3.16, annex D) for what the templates TID 10001, 10011 and 10021 measure. */
const CODES = {
  ctdiVol: '113830',
  dlpTotal: '113813',
  dlp: '113838',
  dapTotal: '113722',
  fluoroscopyDap: '113726',
  acquisitionDap: '113727',
  dap: '122130',
  fluoroscopy: '113730',
  glandularTotal: '111637',
  glandular: '111631',
  activity: '113507',
} as const;

/** Factors to the units of `Dose`, by UCUM code in lower case without separators. */
const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  mGy: { mgy: 1, gy: 1_000, ugy: 0.001, cgy: 10, dgy: 100 },
  'mGy.cm': { mgycm: 1, gycm: 1_000, mgym: 100, ugycm: 0.001 },
  'Gy.cm2': { gycm2: 1, gym2: 10_000, mgycm2: 0.001, dgycm2: 0.1, cgycm2: 0.01, ugym2: 0.01, mgym2: 10, ugycm2: 1e-6 },
  s: { s: 1, sec: 1, min: 60, ms: 0.001, h: 3_600 },
  MBq: { mbq: 1, kbq: 0.001, bq: 1e-6, gbq: 1_000, mci: 37, uci: 0.037 },
};

/** Reads a radiation dose report; null where it measures nothing of this. */
export function readDose(data: DataSet): Dose | null {
  const found: Measured[] = [];
  collect(data, 0, found);
  const values = (code: string, unit: string): number[] =>
    found.flatMap((one) => (one.code === code ? inUnit(one, unit) : []));
  const scans = values(CODES.ctdiVol, 'mGy');
  const dose: Dose = {
    ctdiVol: scans.length === 0 ? null : scans.reduce((a, b) => Math.max(a, b)),
    dlp: sumOfFirst(values(CODES.dlpTotal, 'mGy.cm'), values(CODES.dlp, 'mGy.cm')),
    dap: sumOfFirst(
      values(CODES.dapTotal, 'Gy.cm2'),
      [...values(CODES.fluoroscopyDap, 'Gy.cm2'), ...values(CODES.acquisitionDap, 'Gy.cm2')],
      values(CODES.dap, 'Gy.cm2'),
    ),
    fluoroscopySeconds: sumOfFirst(values(CODES.fluoroscopy, 's')),
    glandular: sumOfFirst(values(CODES.glandularTotal, 'mGy'), values(CODES.glandular, 'mGy')),
    activity: sumOfFirst(values(CODES.activity, 'MBq')),
  };
  return Object.values(dose).some((value) => value !== null) ? dose : null;
}

/** The sum of the first list that has values: totals come before what they add up. */
function sumOfFirst(...lists: readonly number[][]): number | null {
  const list = lists.find(({ length }) => length > 0);
  return list ? list.reduce((a, b) => a + b, 0) : null;
}

interface Measured {
  code: string;
  value: number;
  unit: string;
}

function collect(parent: DataSet, level: number, found: Measured[]): void {
  for (const item of parent.items('x0040a730')) {
    if (found.length >= MAX_ITEMS) return;
    const measured = item.text('x0040a040') === 'NUM' ? item.item('x0040a300') : null;
    const value = measured?.number('x0040a30a', 'DS') ?? null;
    if (measured && value !== null && value >= 0 && value <= MAX_VALUE)
      found.push({ code: codeOf(item, 'x0040a043'), value, unit: codeOf(measured, 'x004008ea') });
    if (level < MAX_LEVEL) collect(item, level + 1, found);
  }
}

const codeOf = (item: DataSet, tag: Tag): string => item.item(tag)?.text('x00080100') ?? '';

/** `µGy·m²` and `uGy.m2` are one. */
const plainUnit = (unit: string): string =>
  unit
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('μ', 'u')
    .replace(/[.·⋅*^ ]/g, '');

/** Nothing for a unit that measures something else. */
function inUnit({ value, unit }: Measured, target: string): number[] {
  const factor = UNITS[target]?.[plainUnit(unit)];
  return factor === undefined ? [] : [value * factor];
}
