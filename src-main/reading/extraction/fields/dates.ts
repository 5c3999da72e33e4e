import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import type { Language } from '../../../../src-shared/medical/page.ts';
import type { Found, Place, ReaderContext, ReviewReason } from '../extraction.ts';
import { foldWords } from '../fold.ts';
import type { DateRole } from '../languages/date-labels.ts';
import type { Layout } from '../layout/layout.ts';
import { TYPE_RULES } from '../types/type-rules.ts';
import type { DateMention } from './date-mention.ts';
import { findDateMentions } from './date-mentions.ts';
import { resolveDateOrder, type DayMonthOrder } from './date-order.ts';
import { withBirthDates, withoutOldDates } from './unlabelled-dates.ts';

/** A date whose order of day and month is resolved. */
export interface ReadDate extends Omit<DateMention, 'dmy' | 'mdy'> {
  date: string;
  end: string | null;
}

export interface Dates {
  all: ReadDate[];
  order: DayMonthOrder;
  ambiguous: boolean;
  /** Whether a letter says that the patient was seen on its own day. */
  wasSeenToday: boolean;
  birth: Found<string> | null;
}

/** Roles of dates that are never the event or the issue date. */
const OTHER_ROLES = new Set<DateRole>(['birth', 'due', 'validity', 'follow_up', 'accident', 'referral', 'until']);

/** Returns all dates of a document with role and order; `text` is the whole printed text. */
export function readDates(layout: Layout, language: Language, text: string, context: ReaderContext): Dates {
  const mentions = findDateMentions(layout, context.today);
  const people = context.patient ? [context.patient, ...context.household] : context.household;
  const { order, ambiguous } = resolveDateOrder(mentions, language, text, people, context.today);
  const read = mentions.flatMap((mention): ReadDate[] => {
    const { dmy, mdy, ...rest } = mention;
    const date = mention.open && order === 'mdy' ? (mdy ?? dmy) : (dmy ?? mdy);
    const end =
      mention.open && order === 'mdy'
        ? (mention.endMdy ?? mention.endDmy ?? null)
        : (mention.endDmy ?? mention.endMdy ?? null);
    return date ? [{ ...rest, date, end }] : [];
  });
  const all = withBirthDates(read, { layout, people });
  return {
    all: withPastChecks(all),
    order,
    ambiguous,
    wasSeenToday: SEEN_TODAY.test(text),
    birth: birthAmong(all),
  };
}

/** The birth date with the best label; null if none of the dates is one. */
export function birthAmong(dates: readonly ReadDate[]): Found<string> | null {
  const [birth] = dates.filter((date) => date.role === 'birth').sort((a, b) => b.strength - a.strength);
  return birth ? toField(birth) : null;
}

/** "J’ai vu ce jour en consultation", "stellte sich heute vor". */
const SEEN_TODAY = new RegExp(
  [
    String.raw`(?:j['’]ai|nous avons) (?:re)?(?:vu|reçu|examiné)e? (?:ce jour|aujourd['’]hui)|`,
    String.raw`(?:stellte|stellt) sich (?:\p{L}+ ){0,2}heute|heute (?:\p{L}+ ){0,4}(?:gesehen|untersucht|vorgestellt)|`,
    String.raw`(?:saw|seen|reviewed|reviewing|met) (?:[\p{L}.]+ ){0,5}(?:in (?:the |my )?clinic )?today|`,
    String.raw`ho (?:ri)?(?:visitato|visto|valutato) (?:\p{L}+ ){0,3}(?:oggi|in data odierna)`,
  ].join(''),
  'iu',
);

/** A line above this fraction of the page is of its head. */
const HEAD = 0.25;
/** Dates at most this far apart, as a fraction of the page height, are in one line. */
const SAME_LINE = 0.004;
const WRITTEN_ROLES = new Set<DateRole | null>(['letter', 'reported', 'printed', null]);
/** "Nachsorge am 27.3." in a letter of 31.3. was a visit, and "Clinic on 5.4." is planned. */
function withPastChecks(all: readonly ReadDate[]): ReadDate[] {
  const isStartOfPeriod = (date: ReadDate): boolean =>
    all.some((end) => end.role === 'until' && end.page === date.page && Math.abs(end.y - date.y) < SAME_LINE);
  const written = all.filter(
    (date) => WRITTEN_ROLES.has(date.role) && !date.inProse && !date.inColumn && !isStartOfPeriod(date),
  );
  const last = written
    .map(({ date }) => date)
    .sort()
    .at(-1);
  const isOnly = last === undefined && all.every(({ role }) => role === 'birth' || role === 'follow_up');
  return all.map((date) => {
    const isHead = date.page === 1 && date.y < HEAD && !date.inColumn;
    // "Visita di controllo — 15/10/2024", the only date of a paper, was a visit.
    if (isOnly && date.role === 'follow_up' && isHead) return { ...date, role: 'visit' };
    if (last === undefined || date.inColumn) return date;
    if (date.role === 'follow_up' && date.date <= last) return { ...date, role: 'visit' };
    return date.role === 'visit' && date.date > last ? { ...date, role: 'follow_up' } : date;
  });
}

const toField = (mention: ReadDate): Found<string> => ({
  value: mention.date,
  confidence: Math.min(0.99, mention.confidence * (0.7 + 0.3 * mention.strength)),
  place: mention.place,
  ...(mention.label && { label: mention.label }),
});

/**
 * Returns the best date of a list of roles. Within a role, labeled fields precede sentences, and earlier pages later
 * ones.
 */
function byRoles(all: readonly ReadDate[], roles: readonly DateRole[]): ReadDate | undefined {
  for (const role of roles) {
    const candidates = all.filter((date) => date.role === role && (!date.inColumn || role === 'vaccination'));
    const best = candidates.sort((a, b) => weight(b) - weight(a) || a.page - b.page || a.y - b.y)[0];
    if (best && (weight(best) > 0.4 || candidates.length === 1)) return best;
  }
  return undefined;
}
const weight = (date: ReadDate): number =>
  date.strength - (date.inProse ? 0.35 : 0) - (isBare(date) ? BARE : 0) - 0.03 * (date.page - 1);
/** A preposition alone, as in "Campo visivo in data 20/07/2026", hardly says that it is the day of the paper. */
const isBare = ({ role, label }: ReadDate): boolean => role === 'letter' && PREPOSITION.test(label ?? '');
const PREPOSITION = /^(?:on|am|den|le|du|il|del|in data|vom)$/iu;
const BARE = 0.58;

/** Returns a date without a label: preferably one in the upper part of the first page. */
function unlabelled(all: readonly ReadDate[], birth: string | null): ReadDate | undefined {
  const free = withoutOldDates(
    all.filter((date) => (date.role === null || date.role === 'letter') && date.date !== birth && !date.inColumn),
  );
  return (
    free.find((date) => date.page === 1 && !date.inProse && date.y < 0.4) ??
    free.find((date) => !date.inProse) ??
    free[0]
  );
}

export interface ChosenDates {
  event: Found<string> | null;
  issued: Found<string> | null;
  admission: Found<string> | null;
  discharge: Found<string> | null;
  reasons: ReviewReason[];
}

/** The first roles of an event say when a service took place, the others when the document was written. */
const SERVICE_ROLES = 5;

/** Positions of the title and of the invoice items. */
export interface Surroundings {
  title: Place | null;
  items: readonly Place[];
  /** Days of laboratory results in columns or headings. */
  results: readonly string[];
}

const isTitled = (date: ReadDate, title: Place | null): boolean =>
  title !== null &&
  (date.role === null || date.role === 'letter') &&
  date.page === title.page &&
  date.place.bbox[1] < title.bbox[1] + title.bbox[3] &&
  date.place.bbox[1] + date.place.bbox[3] > title.bbox[1] &&
  date.place.bbox[0] >= title.bbox[0] - 0.02;

/** Selects the dates of a document of this type. */
export function chooseDates(
  { all, ambiguous, wasSeenToday, birth }: Dates,
  type: DocumentType,
  context: ReaderContext,
  { title, items, results }: Surroundings,
): ChosenDates {
  const usable = usableDates(all, type, title);
  const loose = unlabelled(usable, birth?.value ?? null);
  const event = eventDate(usable, type, loose, { items, results, wasSeenToday });
  const issued = issueDate(usable, type, loose, event);
  return {
    event: event ? toField(event) : null,
    issued: issued ? toField(issued) : null,
    ...stayDates(usable, type),
    reasons: event
      ? reviewReasons(event, usable, type, { ambiguous, today: context.today })
      : [{ code: 'no_event_date', field: 'event_date' }],
  };
}

/**
 * All dates that may be the event or the issue date. A date beside the title has the role that the document type
 * assigns to it.
 */
function usableDates(all: readonly ReadDate[], type: DocumentType, title: Place | null): ReadDate[] {
  const { titleDate, eventDates } = TYPE_RULES[type];
  const isOfReferral = ({ role, label }: ReadDate): boolean =>
    role === 'referral' && eventDates.includes('referral') && OF_REFERRAL.test(foldWords(label ?? '').join(' '));
  return all
    .map((date) =>
      type === 'vaccination' && isBare(date) && !date.inProse ? { ...date, role: 'vaccination' as const } : date,
    )
    .map((date) =>
      titleDate && isTitled(date, title) ? { ...date, role: titleDate, strength: 0.9, inProse: false } : date,
    )
    .filter((date) => date.role === null || !OTHER_ROLES.has(date.role) || isOfReferral(date));
}
/** "Zuweisung vom", "Date of referral": the day of a referral itself, not of an earlier paper that it names. */
const OF_REFERRAL = new RegExp(
  [
    '^(?:zuweis|uberweis|einweis|anforder|date of re|re(?:ferral|ferred|quest)|date de (?:la )?demande|',
    'data (?:della )?richiesta)',
  ].join(''),
);

/** Selects the event date: services and invoice items take precedence over dates of the letter. */
function eventDate(
  usable: readonly ReadDate[],
  type: DocumentType,
  loose: ReadDate | undefined,
  { items, results, wasSeenToday }: Pick<Surroundings, 'items' | 'results'> & Pick<Dates, 'wasSeenToday'>,
): ReadDate | undefined {
  const { eventDates } = TYPE_RULES[type];
  return (
    (type === 'vaccination' ? latestVaccination(usable) : undefined) ??
    (type === 'specialist_report' && wasSeenToday
      ? (byRoles(usable, ['visit']) ?? byRoles(usable, ['letter']))
      : undefined) ??
    (type === 'lab_test' ? (byRoles(usable, SAMPLE_ROLES) ?? newestOf(usable, results)) : undefined) ??
    byRoles(usable, eventDates.slice(0, SERVICE_ROLES)) ??
    dateOnItem(usable, items) ??
    byRoles(
      usable,
      eventDates.filter((role) => role !== 'printed'),
    ) ??
    loose ??
    byRoles(usable, ['printed']) ??
    usable.find(({ inColumn, inProse }) => !inColumn && !inProse) ??
    newestRow(usable)
  );
}

/**
 * The newest row of a paper that has no other dates than those of its rows: a booklet of controls, a diary. Where some
 * are labeled as days of samples, below each other in a margin, it is the newest of these.
 */
function newestRow(usable: readonly ReadDate[]): ReadDate | undefined {
  const rows = usable.filter(({ inColumn }) => inColumn).sort((a, b) => b.date.localeCompare(a.date));
  return rows.find(({ role }) => role === 'collected') ?? rows[0];
}

const SAMPLE_ROLES = ['collected', 'received', 'examination', 'visit'] as const;
/** The newest day of the results of a cumulative report, which prints no other day of a sample. */
function newestOf(usable: readonly ReadDate[], results: readonly string[]): ReadDate | undefined {
  const [newest] = results.toSorted().reverse();
  return usable.find(({ date }) => date === newest);
}

const latestVaccination = (usable: readonly ReadDate[]): ReadDate | undefined =>
  usable.filter((date) => date.inColumn || date.role === 'vaccination').sort((a, b) => b.date.localeCompare(a.date))[0];

const dateOnItem = (usable: readonly ReadDate[], items: readonly Place[]): ReadDate | undefined =>
  items.flatMap((place) =>
    usable.filter(
      (date) =>
        date.page === place.page &&
        date.place.bbox[1] < place.bbox[1] + place.bbox[3] &&
        date.place.bbox[1] + date.place.bbox[3] > place.bbox[1],
    ),
  )[0];

/** Selects the date on which the document was written. */
function issueDate(
  usable: readonly ReadDate[],
  type: DocumentType,
  loose: ReadDate | undefined,
  event: ReadDate | undefined,
): ReadDate | undefined {
  const labelled = byRoles(usable, TYPE_RULES[type].issueDates);
  // A separate date at the head of a letter takes precedence over one in a sentence.
  const discharge = type === 'discharge' ? endOfStay(usable) : undefined;
  // A letter about a stay or a visit is not written before it ended.
  const isBefore =
    loose &&
    ((discharge && loose.date < discharge.value) ||
      (event && (event.role !== null || type === 'lab_test') && loose.date < event.date));
  const written = isBefore ? undefined : loose;
  const isHeadDate =
    labelled?.inProse === true && written !== undefined && !written.inProse && written.date !== event?.date;
  return (
    (isHeadDate ? written : labelled) ??
    // A card is not issued before the last vaccination that it records.
    (type === 'vaccination' && written && event && written.date < event.date ? event : undefined) ??
    (written?.inProse ? discharge?.from : undefined) ??
    (written && written !== event ? written : undefined) ??
    discharge?.from ??
    event
  );
}

/** The last day of the stay and where it is printed. */
function endOfStay(usable: readonly ReadDate[]): { value: string; from: ReadDate } | undefined {
  const discharge = byRoles(usable, ['discharge']);
  const stay = usable.find(({ role, end }) => (role === 'stay' || role === 'admission') && end !== null);
  if (discharge) return { value: discharge.date, from: discharge };
  return stay?.end ? { value: stay.end, from: { ...stay, date: stay.end, end: null } } : undefined;
}

/** Admission and discharge; both null for documents without a stay. */
function stayDates(usable: readonly ReadDate[], type: DocumentType): Pick<ChosenDates, 'admission' | 'discharge'> {
  const stay = usable.find((date) => date.role === 'stay' || (date.role === 'admission' && date.end !== null));
  const admission = byRoles(usable, ['admission', 'stay']);
  const discharge = byRoles(usable, ['discharge']);
  if (type !== 'discharge' && (admission === undefined || discharge === undefined))
    return { admission: null, discharge: null };
  const endOfStay = stay?.end ? { ...toField(stay), value: stay.end } : null;
  return { admission: admission ? toField(admission) : null, discharge: discharge ? toField(discharge) : endOfStay };
}

/** What a user should check about the date of the event. */
function reviewReasons(
  event: ReadDate,
  usable: readonly ReadDate[],
  type: DocumentType,
  { ambiguous, today }: { ambiguous: boolean; today: string },
): ReviewReason[] {
  const reasons: ReviewReason[] = [];
  const params = { date: event.date };
  if (event.date > today) reasons.push({ code: 'date_in_future', field: 'event_date', params });
  if (ambiguous && event.open) reasons.push({ code: 'ambiguous_date_order', field: 'event_date', params });
  const rival = rivalOf(event, usable, type);
  const dates = rival && [event.date, rival.date].sort().join(', ');
  if (dates) reasons.push({ code: 'conflicting_dates', field: 'event_date', params: { dates } });
  return reasons;
}

/** Another date with the same role in a labeled field of the same page that contradicts this one. */
function rivalOf(event: ReadDate, all: readonly ReadDate[], type: DocumentType): ReadDate | undefined {
  if (type === 'vaccination' || event.role === null || event.inColumn) return undefined;
  return all.find(
    (date) =>
      date !== event &&
      date.role === event.role &&
      date.date !== event.date &&
      date.page === event.page &&
      date.strength >= 0.9 &&
      !date.inColumn &&
      !date.inProse &&
      event.strength >= 0.9,
  );
}

/** The day on which the samples of a page were taken, if the page states it. */
export function collectedOn(dates: Dates, page: number): string | null {
  const onPage = dates.all
    .filter((date) => date.page === page && date.role === 'collected' && !date.inColumn)
    .sort((a, b) => b.strength - a.strength);
  return onPage[0]?.date ?? null;
}
