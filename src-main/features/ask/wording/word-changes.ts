import { isEmpty, type Finding } from '../tools/findings.ts';
import type { Writer } from './writer.ts';

/** Words what is new since a day, in sections. */
export function wordChanges(writer: Writer, finding: Extract<Finding, { kind: 'changes' }>): string[] {
  const { phrases, date, cite, value, medicine, document, test } = writer;
  const since = writer.period({ from: finding.since, to: finding.until });
  if (isEmpty(finding)) return [phrases.nothingChanged(since)];
  const { documents, results, medicines, diagnoses, vaccinations } = finding.changes;
  const section = (name: keyof typeof phrases.sections, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`${phrases.sections[name]}:`, ...lines.map((line) => `- ${line}`)];
  return [
    phrases.changes(since),
    ...section(
      'diagnoses',
      diagnoses.map((fact) => `${fact.name}, ${date(fact.date)}${cite(fact.place)}`),
    ),
    ...section(
      'medicines',
      medicines.map(({ before, last }) => {
        const old = before === null ? phrases.isNew : phrases.before(before.dosage ?? medicine(before));
        return `${medicine(last)}, ${date(last.date)} (${old})${cite(last.place)}`;
      }),
    ),
    ...section(
      'results',
      results.map(({ before, last }) => {
        const old = before === null ? phrases.isNew : phrases.before(value(before));
        return `${test(last.testKey, last.printedName)}: ${value(last)}, ${date(last.date)} – ${old}${cite(last.place)}`;
      }),
    ),
    ...section(
      'vaccinations',
      vaccinations.map((fact) => `${fact.name}, ${date(fact.date)}${cite(fact.place)}`),
    ),
    ...section(
      'documents',
      documents.map((fact) => `${date(fact.date)}, ${document(fact)}${cite(fact.place)}`),
    ),
  ];
}
