import type { labs as contract, LabSummaryItem, LabTest } from '../../../src-shared/contract/labs.ts';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import { createQueryCache } from '../../platform/database/query-cache.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { keepJson } from '../../platform/kernel/kept-json.ts';
import type { Knowledge } from '../../reading/knowledge/service.ts';
import type { LabFilter, LabListRepository } from './list-repository.ts';
import type { LabRepository } from './repository.ts';
import { byDate, comparatorOf, flagOf, type ResultRow } from './result-row.ts';
import { seriesOf } from './series.ts';
import { hasName, namesContaining, testsOf, wireTest, type PatientTest } from './tests-of-patient.ts';
import { trendOf } from './trend.ts';
import type { ConvertUnits, Substance } from './unit-conversion.ts';

type Query<K extends keyof typeof contract> = Input<(typeof contract)[K]>['query'];
type Reply<K extends keyof typeof contract> = ReplyInput<(typeof contract)[K]>;

const MAX_SPARKLINE_POINTS = 10;
/** Reads more rows than points, because some are duplicates. */
const MAX_SPARKLINE_ROWS = 16;
/** Series that are cached; one of many years has hundreds of kilobytes. */
const MAX_CACHED_SERIES = 20;
/** Maximum number of events and medications beside a chart; more would clutter it. */
const MAX_CHART_EVENTS = 200;

export interface LabReadingDeps {
  access: AccessRules;
  repository: LabRepository;
  lists: LabListRepository;
  convert: ConvertUnits;
  knowledge: Pick<Knowledge, 'unitsOf' | 'match' | 'byCanonicalCode'>;
}

interface Deps extends LabReadingDeps {
  /** Caches the exact total of a list until the next write. */
  cachedTotal(filter: string, count: () => number): number;
  /** Caches the tests of a patient until the next write. */
  cachedTests(patientId: string, group: () => PatientTests): PatientTests;
  /** Caches the lines of a patient's summary until the next write. */
  cachedSummary(patientId: string, summarize: () => LabSummaryItem[]): LabSummaryItem[];
  /** Caches the series of a patient's test until the next write. */
  cachedSeries(query: string, read: () => Reply<'series'>): Reply<'series'>;
}

type PatientTests = ReadonlyMap<string, PatientTest>;

/** Read-only lab queries. The endpoint declares access to the patient. */
export function createLabReading(dependencies: LabReadingDeps) {
  const { repository } = dependencies;
  const deps: Deps = {
    ...dependencies,
    cachedTotal: createQueryCache(repository.version),
    cachedTests: createQueryCache(repository.version),
    cachedSummary: createQueryCache(repository.version),
    cachedSeries: createQueryCache(repository.version, MAX_CACHED_SERIES),
  };
  return {
    list: (query: Query<'list'>, user: UserCaller): Reply<'list'> => listResults(deps, query, user, false),
    orphans: (query: Query<'orphans'>, user: UserCaller): Reply<'orphans'> => listResults(deps, query, user, true),
    timeline: (query: Query<'timeline'>): Reply<'timeline'> => readTimeline(deps, query),
    summary: (query: Query<'summary'>): Reply<'summary'> => readSummary(deps, query),
    household: (user: UserCaller): Reply<'household'> => readHousehold(deps, user),
    series: (query: Query<'series'>): Reply<'series'> =>
      deps.cachedSeries(JSON.stringify(query), () => keepJson(readSeries(deps, query))),
  };
}

function listResults(
  deps: Deps,
  query: Query<'orphans'> & Partial<Query<'list'>>,
  user: UserCaller,
  orphans: boolean,
): Reply<'list'> {
  const filter = filterOf(deps, query, user, orphans);
  const total = deps.cachedTotal(JSON.stringify(filter), () => deps.lists.count(filter));
  return { items: deps.repository.wireMany(deps.lists.ids(filter, total, query)), total };
}

function filterOf(
  deps: Deps,
  { patient_id, test_name, date_from, date_to }: Query<'orphans'> & Partial<Query<'list'>>,
  user: UserCaller,
  orphans: boolean,
): LabFilter {
  const patientIds = patient_id === undefined ? deps.access.visiblePatients(user.userId) : [patient_id];
  const namesOf = (text: string): string[] =>
    patientIds.flatMap((id) => namesContaining(testsOfPatient(deps, id).values(), text));
  return {
    patientIds,
    names: test_name === undefined ? null : [...new Set(namesOf(test_name))],
    from: date_from,
    to: date_to,
    orphans,
  };
}

function readTimeline(deps: Deps, { patient_id, test_name }: Query<'timeline'>): Reply<'timeline'> {
  const rows = [...testsOfPatient(deps, patient_id).values()]
    .filter((test) => hasName(test, test_name))
    .flatMap((test) =>
      resultsOfTest(deps.repository, patient_id, test).map((row) => ({
        ...row,
        display: test.norm?.canonical_display,
      })),
    );
  return {
    data: rows
      .filter((row) => row.value !== null || row.value_text !== null)
      .sort(byDate)
      .map((row) => ({
        test_date: row.date,
        value: row.value,
        value_text: row.value_text,
        comparator: comparatorOf(row.value_text),
        unit: row.unit,
        reference_range_low: row.reference_range_low,
        reference_range_high: row.reference_range_high,
        reference_range_comparator: row.reference_range_comparator,
        doubt: row.doubt,
        is_abnormal: row.is_abnormal,
        canonical_display: row.display ?? null,
        document_id: row.document_id,
      })),
  };
}

function readSummary(deps: Deps, { patient_id }: Query<'summary'>): Reply<'summary'> {
  const { repository } = deps;
  const items = summaryOf(deps, patient_id);
  return {
    items,
    total: items.length,
    orphans: repository.orphanCount(patient_id),
    latest_document_id: repository.latestDocument(patient_id),
  };
}

/** The tests of each visible patient that need attention. */
const readHousehold = (deps: Deps, user: UserCaller): Reply<'household'> => ({
  patients: deps.access.visiblePatients(user.userId).map((patientId) => {
    const items = summaryOf(deps, patientId);
    const doubtful = items.filter(({ last }) => last.doubt.length > 0);
    const outside = items.filter(({ last }) => last.doubt.length === 0 && last.flag !== null);
    const dates = items.flatMap(({ last }) => last.date ?? []).sort();
    return {
      patient_id: patientId,
      total: items.length,
      out_of_range: outside.length,
      doubtful: doubtful.length,
      latest_date: dates.at(-1) ?? null,
      notable: [...doubtful.sort(newestFirst), ...outside.sort(newestFirst)],
    };
  }),
});

const newestFirst = (a: LabSummaryItem, b: LabSummaryItem): number =>
  (b.last.date ?? '').localeCompare(a.last.date ?? '') || a.name.localeCompare(b.name);

const summaryOf = (deps: Deps, patientId: number): LabSummaryItem[] =>
  deps.cachedSummary(String(patientId), () => summarizePatient(deps, patientId));

function summarizePatient(deps: Deps, patientId: number): LabSummaryItem[] {
  const { repository } = deps;
  const datedByDocument = repository.datedByDocument(patientId);
  const latest = [...testsOfPatient(deps, patientId).values()].map((test) => ({
    test,
    ids: repository.latestIds(patientId, test.spellings, datedByDocument, MAX_SPARKLINE_ROWS),
  }));
  const rows = repository.summaryRows(latest.flatMap(({ ids }) => ids));
  return latest.map(({ test, ids }) => summarizeTest(deps, test, ids.flatMap((id) => rows.get(id) ?? []).sort(byDate)));
}

/** The summary line of a test, from its latest results. */
function summarizeTest(deps: Deps, test: PatientTest, rows: readonly ResultRow[]): LabSummaryItem {
  const { points, apart } = seriesOf(rows, {
    unit: null,
    preferred: null,
    substance: unitsOf(deps, test).substance,
    convert: deps.convert,
  });
  // A copy of another result is not shown. Rows without a date are read only if no result has one.
  const shownIds = new Set([...points, ...apart].map(({ id }) => id));
  const last = rows.findLast((row) => shownIds.has(row.id)) as ResultRow;
  const series = points
    .filter(({ doubt }) => doubt.length === 0)
    .slice(-MAX_SPARKLINE_POINTS)
    .map(({ date, value, comparator }) => ({ date, value, comparator }));
  const judged = withKnownRange(last, rows);
  return {
    ...testOnWire(deps, test, last),
    series,
    trend: last.doubt.length > 0 ? null : trendOf(series.at(-2), series.at(-1)),
    last: {
      id: last.id,
      document_id: last.document_id,
      date: last.date,
      value: last.value,
      comparator: comparatorOf(last.value_text),
      value_text: last.value_text,
      unit: last.unit,
      reference_range_low: judged.reference_range_low,
      reference_range_high: judged.reference_range_high,
      reference_range_comparator: judged.reference_range_comparator,
      flag: flagOf(judged),
      doubt: last.doubt,
    },
  };
}

const hasRange = (row: ResultRow): boolean => row.reference_range_low !== null || row.reference_range_high !== null;

/**
 * A letter repeats a value without the range of the laboratory: it is judged by the last range in the same unit.
 * Nothing says that it is normal, unless a user does.
 */
function withKnownRange(last: ResultRow, rows: readonly ResultRow[]): ResultRow {
  if (last.value === null || last.is_abnormal || last.edited || hasRange(last)) return last;
  const known = rows.findLast((row) => row.unit === last.unit && row.doubt.length === 0 && hasRange(row));
  if (!known) return last;
  return {
    ...last,
    is_abnormal: null,
    reference_range_low: known.reference_range_low,
    reference_range_high: known.reference_range_high,
    reference_range_comparator: known.reference_range_comparator,
  };
}

/** Reads a test by its key or one of its names. @throws `lab_result.test_not_found` */
function readSeries(deps: Deps, { patient_id, test: key, unit }: Query<'series'>): Reply<'series'> {
  const { repository, convert } = deps;
  const tests = testsOfPatient(deps, patient_id);
  const test = tests.get(key) ?? [...tests.values()].find((one) => hasName(one, key));
  if (!test) throw fail('lab_result.test_not_found');
  const rows = resultsOfTest(repository, patient_id, test).sort(byDate);
  const series = seriesOf(rows, { unit: unit ?? null, ...unitsOf(deps, test), convert });
  const dates = series.points.map((point) => point.date);
  const [from, to] = [dates[0] ?? '9999-12-31', dates.at(-1) ?? '0000-01-01'];
  return {
    test: testOnWire(deps, test, rows.findLast((row) => row.date !== null) ?? (rows.at(-1) as ResultRow)),
    printed_names: [...new Set(test.spellings.map((spelling) => spelling.name))],
    ...series,
    events: repository.events(patient_id, from, to, MAX_CHART_EVENTS),
    medications: repository.medications(patient_id, from, to, MAX_CHART_EVENTS),
  };
}

/** The patient's tests by key. */
const testsOfPatient = ({ repository, cachedTests }: Deps, patientId: number): PatientTests =>
  cachedTests(String(patientId), () => testsOf(repository, repository.spellings(patientId)));

const resultsOfTest = (repository: LabRepository, patientId: number, { spellings }: PatientTest): ResultRow[] =>
  spellings.flatMap((spelling) => repository.results(patientId, spelling));

/** Finds how the test's units convert, and the preferred unit; null if neither entry nor knowledge base has them. */
function unitsOf(
  { knowledge }: Deps,
  { norm, spellings: [spelling] }: PatientTest,
): { substance: Substance | null; preferred: string | null } {
  const matchedCode =
    norm || !spelling ? null : knowledge.match('lab_tests', spelling.name, spelling.sample_type)?.entry.code;
  const code = norm?.loinc_code ?? matchedCode ?? null;
  const substance = code === null ? null : knowledge.unitsOf(code);
  return { substance, preferred: norm?.unit_preferred ?? substance?.preferredUnit ?? null };
}

function testOnWire({ knowledge }: Deps, test: PatientTest, latest: ResultRow): LabTest {
  const entry = test.norm && knowledge.byCanonicalCode('lab_tests', test.norm.canonical_code);
  return wireTest(test, latest, entry?.names ?? null);
}
