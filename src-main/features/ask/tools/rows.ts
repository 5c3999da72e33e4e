import type { Place } from '../record/facts.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import type { Finding } from './findings.ts';

type Cell = string | number | boolean | null | object;
/** A fact of a record with where it was read. */
export type Row = Record<string, Cell> & { source: Source | null };

export interface Source {
  document_id: number;
  /** Its title, or the name of its file. */
  document: string;
  document_date: string | null;
  page: number | null;
  /** The words of the page. */
  quote: string | null;
}

export interface Rows {
  rows: Row[];
  /** How many there are, also those that are left out. */
  total: number;
  /** For costs: the sums of all rows. */
  totals?: { currency: string; amount: number }[];
  /** For passages: the words that were searched. */
  searched?: string[];
}

type Make = () => Row;

/** What a function found, as rows of plain values for programs; at most `limit` of them, the newest of a series. */
export function rowsOf(record: PatientRecord, finding: Finding, limit: number): Rows {
  const { makes, ...rest } = listRows(record, finding);
  // Only the rows that are returned are quoted: a quote opens its page.
  const shown = isOldestFirst(finding) ? makes.slice(-limit) : makes.slice(0, limit);
  return { rows: shown.map((make) => make()), total: makes.length, ...rest };
}

const isOldestFirst = ({ kind }: Finding): boolean =>
  ['results', 'medicines', 'vaccinations', 'stays', 'episodes', 'costs'].includes(kind);

interface Listed extends Pick<Rows, 'totals' | 'searched'> {
  makes: Make[];
}

function listRows(record: PatientRecord, finding: Finding): Listed {
  const list = <Fact extends { place: Place | null }>(
    facts: readonly Fact[],
    rowOf: (fact: Fact) => Record<string, Cell>,
  ): Make[] => facts.map((fact) => () => ({ ...rowOf(fact), source: sourceOf(record, fact.place) }));
  switch (finding.kind) {
    case 'results':
      return {
        makes: finding.tests.flatMap(({ facts, doubtful }) => list([...facts, ...doubtful], resultRow(record))),
      };
    case 'medicines_now':
      return {
        makes: [
          ...list(finding.current, (fact) => ({ ...medicineRow(fact), was_named_lately: true })),
          ...list(finding.older, (fact) => ({ ...medicineRow(fact), was_named_lately: false })),
        ],
      };
    case 'medicines':
      return { makes: list(finding.facts, medicineRow) };
    case 'diagnoses':
      return {
        makes: finding.groups.flatMap(({ first, last }) =>
          list([last], (fact) => ({ ...diagnosisRow(fact), first_named: first.date })),
        ),
      };
    case 'vaccinations':
      return { makes: list(finding.facts, vaccinationRow) };
    case 'stays':
      return {
        makes: list(finding.facts, ({ date, to, facility, diagnosis }) => ({ from: date, to, facility, diagnosis })),
      };
    case 'episodes':
      return {
        makes: list(finding.facts, ({ title, type, date, end, isOngoing, diagnosis, documentIds }) => ({
          ...{ event: title, type, from: date, to: end, is_ongoing: isOngoing, diagnosis, document_ids: documentIds },
        })),
      };
    case 'appointments':
      return {
        makes: [
          ...list(finding.ahead, (fact) => ({ ...appointmentRow(fact), is_overdue: false })),
          ...list(finding.overdue, (fact) => ({ ...appointmentRow(fact), is_overdue: true })),
        ],
      };
    case 'costs':
      return {
        makes: list(finding.facts, ({ description, amount, currency, date, facility }) => ({
          ...{ description, amount, currency, date, facility },
        })),
        totals: finding.totals,
      };
    case 'documents':
      return { makes: list(finding.facts, documentRow) };
    case 'changes':
      return { makes: changesOf(record, finding, list) };
    case 'passages':
      return {
        makes: finding.passages.map(({ document, place, quote }) => () => ({
          ...documentRow(document),
          source: { ...sourceOf(record, place)!, quote },
        })),
        searched: finding.searched,
      };
    // Programs name the person whose record they ask for.
    case 'other_person':
      return { makes: [] };
  }
}

type Of<K extends Finding['kind']> = Extract<Finding, { kind: K }>;
type Fact<K extends Finding['kind']> = Of<K> extends { facts: (infer F)[] } ? F : never;

const resultRow =
  (record: PatientRecord) =>
  (fact: Of<'results'>['tests'][number]['facts'][number]): Record<string, Cell> => ({
    test: record.nameIn('lab_tests', fact.testKey, 'en') ?? fact.printedName,
    printed_name: fact.printedName,
    date: fact.date,
    value: fact.text,
    unit: fact.unit,
    normal_from: fact.low,
    normal_to: fact.high,
    out_of_range: fact.outside,
    may_be_misread: fact.isDoubtful,
  });
const medicineRow = (fact: Fact<'medicines'>): Record<string, Cell> => ({
  ...{ medicine: fact.name, substance: fact.substance, atc: fact.atc, dosage: fact.dosage, form: fact.form },
  ...{ frequency: fact.frequency, duration: fact.duration, date: fact.date },
});
const diagnosisRow = (fact: Of<'diagnoses'>['groups'][number]['last']): Record<string, Cell> => ({
  ...{ diagnosis: fact.name, also_called: fact.canonical, icd: fact.code, doctor: fact.doctor, date: fact.date },
});
const vaccinationRow = ({ name, lot, date, line }: Fact<'vaccinations'>): Record<string, Cell> => ({
  ...{ vaccine: name, lot, date, line },
});
const appointmentRow = (fact: Of<'appointments'>['ahead'][number]): Record<string, Cell> => ({
  ...{ date: fact.date, doctor: fact.doctor, facility: fact.facility, specialty: fact.specialty },
  instructions: fact.instructions,
});
const documentRow = (fact: Fact<'documents'>): Record<string, Cell> => ({
  ...{ document_id: fact.id, title: fact.title ?? fact.filename, type: fact.type, date: fact.date },
  ...{ doctor: fact.doctor, facility: fact.facility, specialty: fact.specialty, pages: fact.pages },
});

type List = <F extends { place: Place | null }>(
  facts: readonly F[],
  rowOf: (fact: F) => Record<string, Cell>,
) => Make[];

function changesOf(record: PatientRecord, { changes }: Of<'changes'>, list: List): Make[] {
  const { documents, results, medicines, diagnoses, vaccinations } = changes;
  const row = resultRow(record);
  return [
    ...results.flatMap(({ before, last }) =>
      list([last], (fact) => ({ changed: 'result', ...row(fact), before: before && row(before) })),
    ),
    ...medicines.flatMap(({ before, last }) =>
      list([last], (fact) => ({ changed: 'medicine', ...medicineRow(fact), before: before && medicineRow(before) })),
    ),
    ...list(diagnoses, (fact) => ({ changed: 'diagnosis', ...diagnosisRow(fact) })),
    ...list(vaccinations, (fact) => ({ changed: 'vaccination', ...vaccinationRow(fact) })),
    ...list(documents, (fact) => ({ changed: 'document', ...documentRow(fact) })),
  ];
}

function sourceOf(record: PatientRecord, place: Place | null): Source | null {
  if (place === null) return null;
  const document = record.documents().find(({ id }) => id === place.documentId);
  if (!document) return null;
  return {
    document_id: document.id,
    document: document.title ?? document.filename,
    document_date: document.date,
    page: place.page,
    quote: record.quote(place),
  };
}
