import { expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';

const VALUES = [
  'Leopold Wanninger         09.08.1944              Masculin',
  '24 juin 2024              26 juin 2024            Dr Aurélien Montfaucon',
];
const LABELS = [
  'Concerne                  Date de naissance       Sexe',
  'Date de prélèvement       Validé le               Demandeur',
];
const rows = (first: readonly string[], second: readonly string[]): string[] =>
  first.flatMap((line, i) => [line, second[i] ?? '']);
const datesOf = (fields: readonly string[]) => {
  const found = readPrinted([
    'Laboratoire Montfaucon-Delage',
    ...fields,
    'Compte rendu de laboratoire',
    'Potassium       4,5 mmol/L      3,5 - 5,1',
    'Sodium          140 mmol/L      135 - 145',
  ]);
  return [found.patient.date_of_birth?.value, found.event_date?.value, found.issued_date?.value];
};

it.each([
  ['under', rows(VALUES, LABELS)],
  ['over', rows(LABELS, VALUES)],
])('gives the dates of a form of several rows their labels, which are %s them', (_where, fields) => {
  expect(datesOf(fields)).toEqual(['1944-08-09', '2024-06-24', '2024-06-26']);
});
