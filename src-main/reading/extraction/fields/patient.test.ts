import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { readPrinted } from '../../../../test/support/printed-document.ts';
import type { KnownPatient } from '../extraction.ts';
import { readDocument } from '../read-document.ts';

const read = (lines: readonly string[], household: KnownPatient[] = []) => readPrinted(lines, household).patient;
const nameOf = (lines: readonly string[], household: KnownPatient[] = []): string | null =>
  read(lines, household).name?.value ?? null;

describe('the patient', () => {
  it('is the child, not the parent, guardian or next of kin', () => {
    const papers: [string, string[]][] = [
      [
        'Mila Brandt',
        ['Impfausweis', 'Name: Mila Brandt    geb. 11.06.2017    Sorgeberechtigte: Karin Brandt, geb. 23.09.1978'],
      ],
      [
        'Tommaso Riva',
        ['Certificato vaccinale', 'Cognome e nome: Riva Tommaso', 'Madre: Elisa Conti, nata il 03/07/1991'],
      ],
      [
        'Ruby Field',
        ['Repeat prescription', 'Ruby Field, born 27/08/2019', 'Parent or carer: Tom Field (b. 11/04/1987)'],
      ],
      ['Lena Vogt', ['Entlassungsbrief', 'Kind: Lena Vogt, geb. 02.03.2024', 'Mutter: Sabine Vogt, geb. 10.10.1992']],
      ['Léo Faure', ['Ordonnance', 'Enfant : Léo Faure, né le 02/03/2019', 'Représentant légal : Anne Faure']],
    ];
    for (const [name, lines] of papers) expect(nameOf(lines)).toBe(name);
  });

  it('is not a parent of the household either', () => {
    const parent = { id: 1, display_name: 'Karin Brandt', date_of_birth: '1978-09-23', sex: null };
    expect(nameOf(['Impfausweis', 'Name: Mila Brandt   geb. 11.06.2017', 'Mutter: Karin Brandt'], [parent])).toBe(
      'Mila Brandt',
    );
  });

  it('is the child about whom the paper writes to a parent', () => {
    const paper = (about: string) => ['Praxis Dr. Meier', 'Frau', 'Elena Keller', 'Seestrasse 1', '8000 Zürich', about];
    const elena = { id: 1, display_name: 'Elena Keller', date_of_birth: '1961-03-12', sex: null };
    const marco = { id: 2, display_name: 'Marco Rossi', date_of_birth: null, sex: null };
    expect(nameOf(paper('Laborbefund Ihres Sohnes Marco'), [elena, marco])).toBe('Marco Rossi');
    expect(nameOf(paper('Results of your son Marco'), [elena])).toBe('Marco Keller');
    expect(nameOf(paper('Résultats de votre fille Anna Rossi'), [elena])).toBe('Anna Rossi');
    expect(nameOf(paper('Referto di Suo figlio Marco'), [elena, marco])).toBe('Marco Rossi');
  });

  it('keeps the name of somebody unknown who is called almost like a household member', () => {
    const simon = { id: 1, display_name: 'Simon Keller', date_of_birth: null, sex: null };
    expect(read(['Laborbefund', 'Patient: Simone Keller'], [simon])).toMatchObject({
      name: { value: 'Simone Keller' },
      is_exact: true,
      match: null,
    });
  });

  it('is known in part where a field shows no whole name', () => {
    expect(read(['Laborbefund', 'Patient: Osei', 'Ferritin   23   µg/L'])).toMatchObject({
      name: null,
      name_part: 'Osei',
    });
  });

  it('is the person who was treated, not the insured or the one who pays', () => {
    expect(
      nameOf(['Note d’honoraires', 'Pour les soins donnés à Mme Jeanne Morel (09/04/1966)', 'Assuré  M. Paul Morel']),
    ).toBe('Jeanne Morel');
    expect(
      nameOf(['Rechnung', 'Herrn', 'Peter Lang', 'Musterweg 3', 'Für die Behandlung von Tim Lang, geb. 04.05.2015:']),
    ).toBe('Tim Lang');
    expect(nameOf(['Versicherter: Paul Moser', 'Arbeitsunfähigkeitsbescheinigung'])).toBe('Paul Moser');
  });

  it('is named in a sentence with an age, or after "Ihren Patienten Herrn"', () => {
    expect(nameOf(['Dear Dr Patel', 'I reviewed Michael Osei today, a 47-year-old man with gout.'])).toBe(
      'Michael Osei',
    );
    expect(nameOf(['wir berichten über Ihren Patienten Herrn Josef Huber, geb. 12.03.1950, aus Graz'])).toBe(
      'Josef Huber',
    );
    expect(nameOf(['Concerne : Madame Isabelle DUPONT, née MARTIN le 03.04.1955'])).toBe('Isabelle Dupont');
  });

  it('follows the forms of address of a form', () => {
    expect(nameOf(['Statement of fitness for work', 'Patient’s name: Mr, Mrs, Miss, Ms Joan Carter'])).toBe(
      'Joan Carter',
    );
  });

  it('begins with the capital that a scan shows as a small letter', () => {
    expect(nameOf(['Paziente: Rossi lvano, nato 12.09.1974'])).toBe('Rossi Ivano');
  });

  it('is not the label of another field', () => {
    expect(nameOf(['Genomics report', 'Patient: Ext Ref', 'Ward: North'])).toBeNull();
    expect(
      nameOf([
        'Genomics report',
        'Name            Ext. Ref.       Date of birth',
        'Ivy Marlow      G-2024-1        04/05/1980',
      ]),
    ).toBe('Ivy Marlow');
  });

  it('was born on the date behind a star', () => {
    expect(read(['Befundbericht', 'Weber, Anna  *04.02.1977']).date_of_birth?.value).toBe('1977-02-04');
  });
});

it('knows a member of the household whose given name is printed above the family name', () => {
  const found = readDocument(
    [printedPage(['Age 33y 3mths     Sunita', 'D.o.B             Venkataraman', '21/10/1992        12 Mill Lane'])],
    {
      patient: null,
      household: [{ id: 4, display_name: 'Sunita Venkataraman', date_of_birth: '1992-10-21', sex: null }],
      isOnlyPatient: false,
      today: '2026-01-01',
      original_filename: 'x.pdf',
    },
  );
  expect(found.patient.name?.value).toBe('Sunita Venkataraman');
});

it('is named without a form of address that is printed without a blank', () => {
  expect(nameOf(['Screening report', 'Prepared for: MrJulian Ashdown    Date of birth: 11 June 1965'])).toBe(
    'Julian Ashdown',
  );
  expect(nameOf(['Arztbrief', 'Patientin: FrauElke Sommer, geb. 03.04.1950'])).toBe('Elke Sommer');
});

it('is named without the words "your patient"', () => {
  expect(nameOf(['Praxis am Markt', 'Wismar, 2.2.2026   Ihr Patient Klaus-Dieter Boldt, geb. 16.11.1955'])).toBe(
    'Klaus-Dieter Boldt',
  );
  expect(nameOf(['Cabinet des Halles', 'Votre patiente Solange Darricau, née le 03.04.1952'])).toBe('Solange Darricau');
});

it('is who was treated, not who pays or whose parent the letter is for', () => {
  expect(
    nameOf([
      'Invoice 2025-0388',
      'Bill to             Mr Declan Tierney, 14 Weir Cottages',
      'Patient             Maeve Tierney (born 03.11.2014)',
    ]),
  ).toBe('Maeve Tierney');
  expect(nameOf(['Invoice 2025-0388', 'Bill to: Mr Declan Tierney, born 22.05.1976', 'Patient: Maeve Tierney'])).toBe(
    'Maeve Tierney',
  );
  expect(
    nameOf([
      'Herrn',
      'Declan Tierney',
      '26999 Sielhafen',
      'Rechnung',
      'Behandelte Person: Jonas Tierney, geb. 19.02.2018, männlich',
      'Betrag für Herrn Declan Tierney',
    ]),
  ).toBe('Jonas Tierney');
});

it.each([
  ['Rechnungsempfänger', 'Patient'],
  ['Debitor', 'Behandelte Person'],
  ['Facturé à', 'Patient'],
  ['Bill to', 'Patient name'],
])('is not who pays, nor born when they were: "%s" over "%s" in two columns without colons', (payer, patient) => {
  const bill = (...rows: string[][]): [string | undefined, string | undefined] => {
    const fields = rows.map(([label = '', text = '']) => label.padEnd(30) + text);
    const found = readPrinted(['Kinderpraxis Gerbergasse', 'Rechnung', ...fields, 'Konsultation      48.50']).patient;
    return [found.name?.value, found.date_of_birth?.value];
  };
  const payerBorn = [
    [payer, 'Kilian Vonlanthen'],
    ['Geburtsdatum', '06.07.1988'],
  ];
  const treated = [patient, 'Linus Vonlanthen'];
  expect(bill(...payerBorn, treated)).toEqual(['Linus Vonlanthen', undefined]);
  expect(bill(...payerBorn, treated, ['Geburtsdatum', '03.02.2021'])).toEqual(['Linus Vonlanthen', '2021-02-03']);
  expect(bill(treated, ['Geburtsdatum', '03.02.2021'], ...payerBorn)).toEqual(['Linus Vonlanthen', '2021-02-03']);
  expect(bill([payer, 'Linus Vonlanthen'], treated, ['Geburtsdatum', '03.02.2021'])[1]).toBe('2021-02-03');
});

it.each(['Payer', 'Pagante', 'Zahlungspflichtig', 'Garantiert durch'])(
  'is not born when who is named beside them was: "%s" over a name and birth date in a column of its own',
  (payer) => {
    const columns = (...rows: [string, string][]) =>
      readPrinted(['Kinderpraxis Gerbergasse', 'Rechnung', ...rows.map(([one, other]) => one.padEnd(40) + other)])
        .patient;
    const label: [string, string] = [payer, 'Patient'],
      name: [string, string] = ['Kilian Vonlanthen', 'Linus Tschanz'],
      born: [string, string] = ['Geburtsdatum: 06.07.1988', 'Geburtsdatum: 03.02.2021'];
    expect(columns(label, name, born).date_of_birth?.value).toBe('2021-02-03');
    const swapped = [label, name, born].map(([one, other]): [string, string] => [other, one]);
    expect(columns(...swapped).date_of_birth?.value).toBe('2021-02-03');
  },
);

it('is not the child that another letter is about', () => {
  expect(
    nameOf([
      'Assurée : Giulia Brambati, née le 11.03.1981 – Numéro d’assurée : 756.4411.2097.38',
      'La demande concernant votre fils Elia fera l’objet d’un courrier séparé.',
    ]),
  ).toBe('Giulia Brambati');
});

it('has the sex of the word for being born, unless a form prints both or a parent is named', () => {
  const sexOf = (...lines: string[]) => read(['Referto', ...lines]).sex?.value ?? null;
  expect(sexOf('Paziente: Giulia Ferri, nata il 09/08/1982')).toBe('F');
  expect(sexOf('Patient : Perrot Luc, né le 03/02/1974')).toBe('M');
  expect(sexOf('Patientin: Ida Muster, 03.02.1974')).toBe('F');
  expect(sexOf('Paziente: Ferri Andrea', 'Nato/a il 09/08/1982')).toBeNull();
  expect(sexOf('Paziente: Andrea Ferri, nato il 09/08/2012', 'Madre: Giulia Neri, nata il 01/02/1980')).toBeNull();
});

it('has the sex of the form of address before the name of the patient, wherever it is printed', () => {
  const sexOf = (...lines: string[]) => read(['Laborbefund', ...lines]).sex?.value ?? null;
  expect([
    sexOf('Herr Valentin Muster     Abnahmedatum 25.06.2025', '', 'geboren am 17.08.1966'),
    sexOf('Frau Valentina Muster    Abnahmedatum 25.06.2025', '', 'geboren am 17.08.1966'),
    sexOf('Valentin Muster          Abnahmedatum 25.06.2025', '', 'geboren am 17.08.1966'),
  ]).toEqual(['M', 'F', null]);
});
