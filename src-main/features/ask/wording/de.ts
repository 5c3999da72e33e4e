import { DOCUMENT_TYPE_NAMES } from '../../../../src-shared/contract/document-type-names.ts';
import type { Phrases } from './phrases.ts';

const some = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const de: Phrases = {
  locale: 'de',
  decimal: ',',
  types: {
    ...DOCUMENT_TYPE_NAMES.de,
    specialist_report: 'Bericht',
    medical_certificate: 'Arztzeugnis',
    unknown: 'Dokument',
  },
  flags: { high: 'erhöht', low: 'erniedrigt', abnormal: 'auffällig' },
  uncertain: 'unsicher gelesen, bitte mit der Seite vergleichen',
  undated: 'ohne Datum',
  range: (text) => `Bereich ${text}`,
  inRange: (text) => `im Bereich ${text}`,
  nothingYet: () =>
    'Von dieser Person gibt es noch keine Unterlagen. Fügen Sie Dokumente hinzu, oder legen Sie sie in den ' +
    'Eingangsordner, und fragen Sie wieder, wenn sie gelesen sind.',
  notInRecord: (searched, documents) =>
    `Das steht nicht in den Unterlagen. Durchsucht: ${some(documents, 'Dokument', 'Dokumente')}` +
    `${searched.length > 0 ? ` nach ${searched.join(', ')}` : ''}. Es kann trotzdem so gewesen sein.`,
  otherPerson: (name) =>
    `In der Frage kommt ${name} vor. Antworten kommen nur aus den Unterlagen einer Person; wählen Sie ${name}, um dort zu fragen.`,
  noResult: (test, period) => `Das steht nicht in den Unterlagen: kein Wert von ${test}${period}.`,
  lastResult: (test, value, date) => `${test}: ${value} am ${date}`,
  firstResult: (test, value, date) => `Erster Wert von ${test}: ${value} am ${date}`,
  extreme: (pick, test, value, date, total) =>
    `${pick === 'highest' ? 'Höchster' : 'Tiefster'} Wert von ${test} (${some(total, 'Messung', 'Messungen')}): ` +
    `${value} am ${date}`,
  series: (test, total) => `${test}, ${some(total, 'Wert', 'Werte')}:`,
  countResults: (test, total) => `${test} wurde ${total === 1 ? 'einmal' : `${total}-mal`} gemessen:`,
  outside: (test, count, total) => `${test} war bei ${count} von ${some(total, 'Messung', 'Messungen')} auffällig:`,
  allInside: (test, total) => `${test} war bei ${some(total, 'Messung', 'Messungen')} nie auffällig.`,
  outsideOfAll: () => 'Auffällig:',
  nothingOutside: () => 'Kein Wert ist auffällig.',
  uncertainResults: (count) =>
    count === 1 ? 'Ein unsicher gelesener Wert zählt nicht mit:' : `${count} unsicher gelesene Werte zählen nicht mit:`,
  earlier: (count) => `und ${some(count, 'früherer Wert', 'frühere Werte')}`,
  medicinesAt: (period) => `Medikamente ${period === null ? 'jetzt' : period}, wie die Dokumente sie nennen:`,
  noMedicineAt: (period) => `Kein Dokument nennt ein Medikament ${period === null ? 'für heute' : period}.`,
  olderMedicines: () => 'Vor langer Zeit genannt, ohne Ende:',
  medicines: (count) => `${some(count, 'Eintrag', 'Einträge')}:`,
  until: (date) => `bis ${date}`,
  diagnoses: (count) => (count === 1 ? 'In den Unterlagen:' : `${count} Diagnosen in den Unterlagen:`),
  diagnosesBeside: (medicine, isTreated) =>
    `In den Dokumenten mit ${medicine} stehen ` +
    (isTreated ? 'als möglicher Grund:' : 'diese Diagnosen; welche davon der Grund ist, weiss Hearth nicht:'),
  diagnosis: (name, first, last) => `${name}: zuerst am ${first} genannt${last === null ? '' : `, zuletzt am ${last}`}`,
  vaccinations: (count) => `${some(count, 'Impfung', 'Impfungen')}:`,
  stays: (count) => `${some(count, 'Aufenthalt', 'Aufenthalte')} im Spital:`,
  stay: (from, to) => (to === null ? `ab ${from}` : `vom ${from} bis ${to}`),
  appointments: () => 'Nächste Termine:',
  overdue: () => 'Überfällig, nicht als erledigt markiert:',
  costs: () => 'Aus den Rechnungen:',
  total: (amount) => `Zusammen ${amount}`,
  documents: (count) => `${some(count, 'Dokument', 'Dokumente')}:`,
  moreDocuments: (count) => `und ${count} weitere`,
  doctors: () => 'In den Dokumenten genannt:',
  changes: (since) => `Neu ${since}:`,
  nothingChanged: (since) => `In den Unterlagen ist nichts Neues ${since}.`,
  sections: {
    documents: 'Dokumente',
    results: 'Werte',
    medicines: 'Medikamente',
    diagnoses: 'Diagnosen',
    vaccinations: 'Impfungen',
  },
  leftOut: (count) =>
    count === 1
      ? 'Ein Satz des Modells fehlt, weil die Unterlagen ihn nicht stützen.'
      : `${count} Sätze des Modells fehlen, weil die Unterlagen sie nicht stützen.`,
  before: (value) => `vorher ${value}`,
  isNew: 'neu',
  passages: (count) => (count === 1 ? 'Eine Stelle passt:' : `${count} Stellen passen, die beste zuerst:`),
  near: () => 'Diese Stellen enthalten nur einen Teil der Frage:',
  alike: () => 'Diese Stellen handeln vielleicht mit anderen Worten davon:',
  period: (from, to) => {
    if (from !== null && from === to) return `am ${from}`;
    if (from === null) return `bis ${to}`;
    return to === null ? `seit ${from}` : `vom ${from} bis ${to}`;
  },
};
