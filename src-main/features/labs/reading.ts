import type { labs as contract, LabSummaryItem } from '../../../src-shared/contract/labs.ts';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Knowledge } from '../../reading/knowledge/service.ts';
import { createQueryCache } from '../../platform/database/query-cache.ts';
import { createLabTestCache } from './lab-test-cache.ts';
import type { createLabListRepository, LabFilter } from './list-repository.ts';
import type { LabRepository } from './repository.ts';
import { byDate, comparatorOf, flagOf, type ResultRow } from './result-row.ts';
import { seriesOf } from './series.ts';
import { goesBy, namesWith, wireTest, type PatientTest } from './tests-of-patient.ts';
import { trendOf } from './trend.ts';
import type { ConvertUnits, Substance } from './unit-conversion.ts';

type Query<K extends keyof typeof contract> = Input<(typeof contract)[K]>['query'];
type Answer<K extends keyof typeof contract> = ReplyInput<(typeof contract)[K]>;

/** Results in a sparkline, and how many rows are read to find them among duplicates. */
const SHOWN = 10;
const LOOKED_AT = 16;
/** Events and medications next to a chart; more would clutter it. */
const NOTED = 200;

export interface LabReadingDeps {
  access: AccessRules;
  repository: LabRepository;
  lists: ReturnType<typeof createLabListRepository>;
  convert: ConvertUnits;
  knowledge: Pick<Knowledge, 'unitsOf' | 'match' | 'byCanonicalCode'>;
}

/** Read-only lab queries. The endpoint declares access to the patient. */
export function createLabReading({ access, repository, lists, convert, knowledge }: LabReadingDeps) {
  const testCache = createLabTestCache<LabSummaryItem>(repository);
  const keptCounts = createQueryCache<number>(repository.stamp);
  const whose = (patientId: number | undefined, user: UserCaller) =>
    patientId === undefined
      ? {
          patientIds: access.visiblePatients(user.userId),
          unsortedOf: user.role === 'admin' ? ('everybody' as const) : user.userId,
        }
      : { patientIds: [patientId], unsortedOf: null };

  function substanceOf({ norm, spellings: [spelling] }: PatientTest): {
    substance: Substance | null;
    preferred: string | null;
  } {
    const code =
      norm?.loinc_code ??
      (norm || !spelling ? null : knowledge.match('lab_tests', spelling.name, spelling.sample_type)?.entry.code) ??
      null;
    const substance = code === null ? null : knowledge.unitsOf(code);
    return { substance, preferred: norm?.unit_preferred ?? substance?.preferredUnit ?? null };
  }
  const wire = (test: PatientTest, latest: ResultRow) =>
    wireTest(
      test,
      latest,
      (test.norm && knowledge.byCanonicalCode('lab_tests', test.norm.canonical_code)?.names) ?? null,
    );

  function summaryOf(test: PatientTest, rows: readonly ResultRow[]): LabSummaryItem {
    const { points, apart } = seriesOf(rows, {
      unit: null,
      preferred: null,
      substance: substanceOf(test).substance,
      convert,
    });
    // Rows without a date sort last, but the latest result is a dated one where there is any.
    const counted = new Set([...points, ...apart].map(({ id }) => id));
    const last =
      rows.findLast((row) => counted.has(row.id) && row.date !== null) ??
      (rows.findLast((row) => counted.has(row.id)) as ResultRow);
    const series = points.slice(-SHOWN).map(({ date, value, comparator }) => ({ date, value, comparator }));
    return {
      ...wire(test, last),
      series,
      trend: trendOf(series.at(-2), series.at(-1)),
      last: {
        id: last.id,
        document_id: last.document_id,
        date: last.date,
        value: last.value,
        comparator: comparatorOf(last.value_text),
        value_text: last.value_text,
        unit: last.unit,
        reference_range_low: last.reference_range_low,
        reference_range_high: last.reference_range_high,
        flag: flagOf(last),
      },
    };
  }

  function totalOf(filter: LabFilter): number {
    const { patientIds, names, from, to, orphans } = filter;
    if (orphans || from !== undefined || to !== undefined)
      return keptCounts(JSON.stringify(filter), () => lists.count(filter));
    const wanted = names && new Set(names);
    return patientIds.reduce(
      (total, id) => total + testCache.count(id, wanted),
      lists.count({ ...filter, patientIds: [] }),
    );
  }

  function list(query: Query<'orphans'> & Partial<Query<'list'>>, user: UserCaller, orphans: boolean): Answer<'list'> {
    const { patientIds, unsortedOf } = whose(query.patient_id, user);
    const names =
      query.test_name === undefined
        ? null
        : [
            ...new Set(
              [...patientIds, ...(unsortedOf === null ? [] : [null])].flatMap((id) =>
                namesWith(testCache.tests(id).values(), query.test_name ?? ''),
              ),
            ),
          ];
    const filter: LabFilter = {
      patientIds,
      unsortedOf: orphans ? null : unsortedOf,
      names,
      from: query.date_from,
      to: query.date_to,
      orphans,
    };
    const total = totalOf(filter);
    return { items: repository.wireMany(lists.ids(filter, total, query)), total };
  }

  return {
    list: (query: Query<'list'>, user: UserCaller): Answer<'list'> => list(query, user, false),
    orphans: (query: Query<'orphans'>, user: UserCaller): Answer<'orphans'> => list(query, user, true),

    timeline({ patient_id, test_name }: Query<'timeline'>): Answer<'timeline'> {
      const tests = [...testCache.tests(patient_id).values()].filter((test) => goesBy(test, test_name));
      const rows = tests.flatMap((test) =>
        test.spellings.flatMap((spelling) => repository.results(patient_id, spelling)),
      );
      return {
        data: rows
          .filter((row) => row.value !== null)
          .sort(byDate)
          .map((row) => ({
            test_date: row.date,
            value: row.value,
            unit: row.unit,
            reference_range_low: row.reference_range_low,
            reference_range_high: row.reference_range_high,
            document_id: row.document_id,
          })),
      };
    },

    summary({ patient_id }: Query<'summary'>): Answer<'summary'> {
      const items = testCache.each(patient_id, (tests) => {
        const latest = tests.map((test) => ({
          test,
          ids: repository.latestIds(patient_id, test.spellings, LOOKED_AT),
        }));
        const rows = repository.summaryRows(latest.flatMap(({ ids }) => ids));
        return latest.map(({ test, ids }) => summaryOf(test, ids.flatMap((id) => rows.get(id) ?? []).sort(byDate)));
      });
      return {
        items,
        total: items.length,
        orphans: repository.orphanCount([patient_id]),
        latest_document_id: repository.latestDocument(patient_id),
      };
    },

    /** A test by its key, else by a name. @throws `lab_result.test_not_found` */
    series({ patient_id, test: key, unit }: Query<'series'>): Answer<'series'> {
      const tests = testCache.tests(patient_id);
      const test = tests.get(key) ?? [...tests.values()].find((one) => goesBy(one, key));
      if (!test) throw fail('lab_result.test_not_found');
      const rows = test.spellings.flatMap((spelling) => repository.results(patient_id, spelling)).sort(byDate);
      const made = seriesOf(rows, { unit: unit ?? null, ...substanceOf(test), convert });
      const dates = made.points.map((point) => point.date);
      const [from, to] = [dates[0] ?? '9999-12-31', dates.at(-1) ?? '0000-01-01'];
      return {
        test: wire(test, rows.findLast((row) => row.date !== null) ?? (rows.at(-1) as ResultRow)),
        printed_names: [...new Set(test.spellings.map((spelling) => spelling.name))],
        ...made,
        events: repository.events(patient_id, from, to, NOTED),
        medications: repository.medications(patient_id, from, to, NOTED),
      };
    },
  };
}
