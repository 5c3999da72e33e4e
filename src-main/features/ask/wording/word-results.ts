import type { ResultFact } from '../record/facts.ts';
import type { Finding, TestResults } from '../tools/findings.ts';
import type { Writer } from './writer.ts';

type Results = Extract<Finding, { kind: 'results' }>;

/** More results of a series are only counted. */
const MAX_SERIES = 24;

/** Words results of tests: one line for each, or one list for each test. */
export function wordResults(writer: Writer, finding: Results): string[] {
  if (finding.tests.length === 0) return [writer.phrases.nothingOutside()];
  const isAboutMany = finding.pick === 'outside' && finding.tests.every(({ total, facts }) => facts.length === total);
  if (isAboutMany && finding.tests.length > 1) return wordOutsideOfMany(writer, finding.tests);
  return finding.tests.flatMap((test) => wordTest(writer, finding, test));
}

const nameOf = (writer: Writer, { key, printedName }: TestResults): string => writer.test(key, printedName);

const wordOutsideOfMany = (writer: Writer, tests: readonly TestResults[]): string[] => [
  writer.phrases.outsideOfAll(),
  ...tests.flatMap((test) =>
    test.facts.map((fact) => `- ${nameOf(writer, test)}, ${writer.date(fact.date)}: ${valueWithRange(writer, fact)}`),
  ),
];

function valueWithRange({ value, range, phrases, cite }: Writer, fact: ResultFact): string {
  const normal = range(fact);
  return `${value(fact)}${normal === null ? '' : `, ${phrases.range(normal)}`}${cite(fact.place)}`;
}

const listed = (writer: Writer, facts: readonly ResultFact[]): string[] =>
  facts.map((fact) => `- ${writer.date(fact.date)}: ${valueWithRange(writer, fact)}`);

function wordTest(writer: Writer, { pick, period, asksRange }: Results, test: TestResults): string[] {
  const { phrases, value, date, cite } = writer;
  const name = nameOf(writer, test);
  if (test.total === 0) return [phrases.noResult(name, period ? ` ${writer.period(period)}` : '')];
  const [fact] = test.facts;
  const uncertain =
    test.doubtful.length === 0
      ? []
      : [phrases.uncertainResults(test.doubtful.length), ...listed(writer, test.doubtful)];
  switch (pick) {
    case 'last':
      return fact ? [lastLine(writer, name, fact, asksRange)] : [];
    case 'first':
      return fact ? [`${phrases.firstResult(name, value(fact), date(fact.date))}${cite(fact.place)}`] : [];
    case 'highest':
    case 'lowest':
      return [
        ...test.facts.map(
          (one) => `${phrases.extreme(pick, name, value(one), date(one.date), test.total)}${cite(one.place)}`,
        ),
        ...uncertain,
      ];
    case 'outside':
      return [
        ...(fact
          ? [phrases.outside(name, test.facts.length, test.total), ...listed(writer, test.facts)]
          : [phrases.allInside(name, test.total - test.doubtful.length)]),
        // Whether it is so now is what people want to know.
        ...(test.lastInside ? [lastLine(writer, name, test.lastInside)] : []),
        ...uncertain,
      ];
    case 'count':
      return [phrases.countResults(name, test.total), ...wordSeries(writer, test.facts)];
    default:
      return [phrases.series(name, test.total), ...wordSeries(writer, test.facts)];
  }
}

function lastLine(writer: Writer, name: string, fact: ResultFact, asksRange = false): string {
  const { phrases, value, date, cite, range } = writer;
  const normal = asksRange ? range(fact) : null;
  const isInside = fact.outside === null && !fact.isDoubtful && fact.value !== null;
  const words = normal === null ? '' : `, ${isInside ? phrases.inRange(normal) : phrases.range(normal)}`;
  return `${phrases.lastResult(name, value(fact), date(fact.date))}${words}${cite(fact.place)}`;
}

/** The newest results, in the order of time. */
function wordSeries(writer: Writer, facts: readonly ResultFact[]): string[] {
  const shown = facts.slice(-MAX_SERIES);
  const left = facts.length - shown.length;
  return [...listed(writer, shown), ...(left > 0 ? [writer.phrases.earlier(left)] : [])];
}
