import type { DataSet, Tag } from './data-set.ts';
import { personName } from './person-name.ts';

/** A structured report as people read it. */
export interface ReportContent {
  title: string;
  /** What the header says: label and value. */
  facts: [label: string, value: string][];
  lines: ReportLine[];
}

/** A line of a report: a section, or a statement with what it is about. */
export interface ReportLine {
  kind: 'section' | 'statement';
  /** 0 for the top. */
  level: number;
  label: string;
  /** Empty for sections. */
  text: string;
}

const MAX_LINES = 5_000;
const MAX_DEPTH = 24;
const MAX_TEXT = 20_000;
const CONTENT: Tag = 'x0040a730';
/** Units that people don't write: counts, ratios and text. */
const WITHOUT_UNIT = /^(1|\{.*\})$/;

/** Reads the content tree of a structured report (PS3.3, C.17.3); null where it says nothing. */
export function readReport(data: DataSet): ReportContent | null {
  const lines: ReportLine[] = [];
  addContent(data, { depth: 0, level: 0 }, lines);
  if (lines.length === 0) return null;
  return { title: conceptOf(data) ?? data.text('x0008103e') ?? 'Structured report', facts: factsOf(data), lines };
}

/** `level` counts the parents that are shown. */
function addContent(parent: DataSet, { depth, level }: { depth: number; level: number }, lines: ReportLine[]): void {
  for (const item of parent.items(CONTENT)) {
    if (lines.length >= MAX_LINES) return;
    const label = conceptOf(item) ?? '';
    const kind = item.text('x0040a040');
    const text = kind === 'CONTAINER' ? '' : valueOf(item, kind).slice(0, MAX_TEXT);
    if (kind === 'CONTAINER' && label !== '') lines.push({ kind: 'section', level, label, text });
    if (text !== '') lines.push({ kind: 'statement', level, label, text });
    const isShown = text !== '' || label !== '';
    if (depth < MAX_DEPTH) addContent(item, { depth: depth + 1, level: isShown ? level + 1 : level }, lines);
  }
}

/** What an item is about, in words: its concept name. */
const conceptOf = (item: DataSet): string | null => meaningOf(item.item('x0040a043'));

/** The meaning of a coded term, else its code. @see PS3.3, section 8 */
function meaningOf(code: DataSet | null): string | null {
  const tags: Tag[] = ['x00080104', 'x00080100', 'x00080119', 'x00080120'];
  return code && (tags.map((tag) => code.text(tag)).find((text) => text !== null) ?? null);
}

/** The value of a content item in words; empty for what only software reads. */
function valueOf(item: DataSet, kind: string | null): string {
  switch (kind) {
    case 'TEXT':
      return item.paragraph('x0040a160').trim();
    case 'CODE':
      return meaningOf(item.item('x0040a168')) ?? '';
    case 'NUM':
      return measuredIn(item);
    case 'PNAME':
      return personName(item.text('x0040a123'), { withTitles: true }) ?? '';
    case 'DATE':
      return shownDate(item.text('x0040a121'));
    case 'TIME':
      return shownTime(item.text('x0040a122') ?? '');
    case 'DATETIME':
      return shownDateTime(item.text('x0040a120'));
    default:
      return '';
  }
}

/** `12.5 mm`; why there is no number, where there is none. */
function measuredIn(item: DataSet): string {
  const measured = item.item('x0040a300');
  const value = measured?.texts('x0040a30a').join(', ') ?? '';
  if (!measured || value === '') return meaningOf(item.item('x0040a301')) ?? '';
  const unit = measured.item('x004008ea');
  const code = unit?.text('x00080100') ?? '';
  if (WITHOUT_UNIT.test(code)) return value;
  return [value, code || meaningOf(unit)].filter(Boolean).join(' ');
}

const shownDate = (value: string | null): string => (value ?? '').replace(/^(\d{4})\.?(\d{2})\.?(\d{2})$/, '$1-$2-$3');
const shownTime = (value: string): string => value.replace(/^(\d{2}):?(\d{2})(?::?(\d{2}))?.*$/, '$1:$2');
const shownDateTime = (value: string | null): string => {
  const [, date = '', time = ''] = /^(\d{8})(\d{0,6})/.exec(value ?? '') ?? [];
  return date === '' ? (value ?? '') : [shownDate(date), shownTime(time)].filter(Boolean).join(' ');
};

const STATES: Readonly<Record<string, string>> = {
  COMPLETE: 'Complete',
  PARTIAL: 'Partial',
  VERIFIED: 'Verified',
  UNVERIFIED: 'Not verified',
};

function factsOf(data: DataSet): [string, string][] {
  const name = (tag: Tag): string => personName(data.text(tag), { withTitles: true }) ?? '';
  const state = (tag: Tag): string => STATES[data.text(tag) ?? ''] ?? '';
  const verified = data
    .items('x0040a073')
    .map((by) => [personName(by.text('x0040a075'), { withTitles: true }), shownDateTime(by.text('x0040a030'))])
    .map((parts) => parts.filter(Boolean).join(', '));
  const facts: [string, string][] = [
    ['Patient', personName(data.text('x00100010'), { withTitles: false }) ?? ''],
    ['Date of birth', shownDate(data.text('x00100030'))],
    ['Sex', data.text('x00100040') ?? ''],
    ['Institution', data.text('x00080080') ?? ''],
    ['Examination', data.text('x00081030') ?? ''],
    ['Date of examination', shownDate(data.text('x00080020'))],
    ['Date of report', shownDate(data.text('x00080023'))],
    ['Accession number', data.text('x00080050') ?? ''],
    ['Referring physician', name('x00080090')],
    ['State', [state('x0040a491'), state('x0040a493')].filter(Boolean).join(', ')],
    ['Verified by', verified.join('; ')],
  ];
  return facts.filter(([, value]) => value !== '');
}
