import { expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';

const read = (...lines: string[]) => readPrinted(lines);

it('names the doctor with the given name of the signature instead of an initial of the letterhead', () => {
  const { doctor_name: doctor } = read(
    'Imagerie médicale du Lac',
    'Drs É. Carrel, B. Nadaud · 74000 Annecy',
    'ÉCHOGRAPHIE CERVICALE',
    'Conclusion : examen normal.',
    'Dr Élise Carrel',
  );
  expect(doctor?.value).toBe('Dr Élise Carrel');
});

it('knows degrees and forms of address, and no house for a doctor', () => {
  expect(read('CLINIC NOTE', 'Some text about the visit.', 'Karen Boyle, DPM').doctor_name?.value).toBe(
    'Karen Boyle, DPM',
  );
  expect(read('Rapport', 'Texte de la lettre.', 'Dresse Odile Python').doctor_name?.value).toBe('Dresse Odile Python');
  const { doctor_name: doctor } = read(
    'Statement',
    'Issuer      Dr Alun Pryce',
    'Address     Wye Mill Surgery, NP25 3DG',
    'Date        28/11/2025',
  );
  expect(doctor?.value).toBe('Dr Alun Pryce');
});

it('reads a small letter behind the title of a doctor as the capital that begins the given name', () => {
  expect(read('Pathology report', 'Requester:  Dr lestyn Prydderch').doctor_name?.value).toBe('Dr Iestyn Prydderch');
  expect(read('Bericht', 'Text.', 'Dr. med. lsolde Brandt').doctor_name?.value).toBe('Dr. med. Isolde Brandt');
});

it.each([
  ['Chefarzt', 'Allgemeine Chirurgie'],
  ['Validiert durch:', 'Hämatologie Routine'],
  ['Visum:', 'Klinische Chemie'],
  ['Signed by: Authorised Signatory'],
  ['Signature:', 'Duty Pharmacist'],
  ['Consultant', 'Respiratory Medicine'],
  ['Authorised by', 'Blood Sciences'],
  ['Timbro e firma', 'Dirigente Medico'],
  ['Firmato da:', 'Sistema Informatico'],
  ['Le médecin:', 'Chef de clinique'],
])('names no doctor for the office or department at "%s"', (...signature: string[]) => {
  expect(read('Klinik Birkenhof', 'Bericht', 'Patient: Elena Keller', 'Text.', ...signature).doctor_name).toBeNull();
});

it('still names who signs without a title', () => {
  expect(read('Clinic letter', 'Text.', 'Signed by:', 'Morwenna Ward').doctor_name?.value).toBe('Morwenna Ward');
  expect(read('Bericht', 'Text.', 'Visum:', 'Konrad Innerhofer').doctor_name?.value).toBe('Konrad Innerhofer');
});

it('does not take a surgeon who is called Mr for the patient', () => {
  const found = read('OPERATION NOTE', 'Surgeon: Mr James Whitby FRCS', 'Assistant: Miss Laura Brown');
  expect(found.doctor_name?.value).toBe('Mr James Whitby FRCS');
  expect(found.patient.name).toBeNull();
});

it.each([
  [
    'Dr. Carolin Muster',
    ['Chefarzt: PD Dr. Jens Noack', 'Bericht', 'Mit freundlichen Grüßen', 'i. A. Dr. Carolin Muster'],
  ],
  [
    'Dr Catriona Lumsden',
    [
      'Consultants: Dr R. Entwistle',
      'I saw him.',
      'Yours sincerely',
      'Dr Catriona Lumsden',
      'Registrar to Dr R. Entwistle',
    ],
  ],
  ['Dr. Max Ager', ['Entlassungsbrief', 'Mit freundlichen Grüßen', 'Prim. Dr. Gottfried Lanz', 'Ass. Dr. Max Ager']],
  [
    'dott. Markus Ladurner',
    ['Laboratorio Passirio', 'Richiesto da: dott. Markus Ladurner', 'Glicemia  104  mg/dl  70-100'],
  ],
  ['Priya Muster, MD', ['After Visit Summary', 'Office visit: 6/11/2025 with Priya Muster, MD']],
  [undefined, ['Labor Muster', 'Einsender', 'Hausarztpraxis Reudnitz', 'CRP  4  mg/l  < 5']],
])('is %s who ordered, wrote or examined', (doctor, lines) => expect(read(...lines).doctor_name?.value).toBe(doctor));

it('takes a patient beside the label of the doctors of a house for no doctor', () => {
  const { patient } = read(
    'Imagerie du Vercors',
    'Radiologues :        Monsieur Thibault Escoffier',
    'Dr Hugo Rambaud      Né le 22/06/1999',
    'IRM DU GENOU',
  );
  expect(patient.name?.value).toBe('Thibault Escoffier');
});

const TABLE = [
  'Analyse          Ergebnis     Einheit     Referenz',
  'CRP              4            mg/l        < 5',
  'Natrium          140          mmol/l      136 - 145',
];
it.each([
  [
    'Dr. med. Annegret Sommer',
    ['MVZ Labor Oberhavel', 'Frau Dr. med.', 'Annegret Sommer', ...TABLE, 'Validiert durch: Dr. rer. nat. Ilka Brose'],
  ],
  [
    'Dott.ssa Luisa Trombin',
    [
      'Laboratorio Delta',
      'Medico curante: Dott.ssa Luisa Trombin',
      ...TABLE,
      'Referto firmato da Dott.ssa Katia Ferro',
    ],
  ],
  [
    'Dr.med. Hinrich Lorenz',
    [
      'Institut für Mikrobiologie Kiel',
      'Praxis Dr-med-Hinrich Lorenz, Eckernförde',
      ...TABLE,
      'gez. Dr. med. Tomke Jansen',
    ],
  ],
])('is %s who ordered a report of a laboratory', (doctor, lines) =>
  expect(read(...lines).doctor_name?.value).toBe(doctor),
);

it.each([
  [
    'Ciara Nolan',
    ['Physiotherapy report', 'Findings: normal.', 'Plan: loading.', 'Ciara Nolan MISCP, Chartered Physiotherapist'],
  ],
  ['Jonas Kern', ['Therapiebericht', 'Befund: unauffällig.', 'Jonas Kern, Physiotherapeut']],
  [
    'Yannick Perrot',
    ['Physiothérapie du Lac', 'Yannick Perrot, physiothérapeute HES', 'FACTURE', 'Prescripteur Dr Olivier Monnard'],
  ],
  ['Paola Gobbo', ['Relazione', 'Quadro stabile.', 'Paola Gobbo, fisioterapista']],
])('is %s, a therapist without the title of a doctor', (doctor, lines) =>
  expect(read(...lines).doctor_name?.value).toBe(doctor),
);

it('knows the title of a doctor in capitals, and the house of a form without colons', () => {
  const { doctor_name: doctor, facility_name: facility } = read(
    'RICETTA ELETTRONICA',
    'PRESCRIZIONE                                   QTA',
    'LASIX 25 MG 1 compressa al mattino             2',
    'MEDICO            DOTT.SSA GINEVRA PAOLIERI',
    'STRUTTURA         Medicina di Gruppo Val di Pesa',
    'DATA              21/01/2026',
  );
  expect([doctor?.value, facility?.value]).toEqual(['DOTT.SSA GINEVRA PAOLIERI', 'Medicina di Gruppo Val di Pesa']);
});

it('names the sonographer who signed a report', () => {
  expect(
    read(
      'Diagnostics',
      'Referrer    Dr Marcus Heald',
      'Ultrasound pelvis',
      'Impression',
      'Single fibroid.',
      'Leonora Babatunde, Sonographer',
    ).doctor_name?.value,
  ).toBe('Leonora Babatunde');
});

it.each(['PD Dr. mcd. Irmhild Sauter', 'PD Dr. rned. Irmhild Sauter', 'PD Dr. mecl. Irmhild Sauter'])(
  'reads "%s" as a doctor with a degree whose print is faint',
  (printed) => {
    expect(read('Bericht', 'Text.', printed).doctor_name?.value).toBe('PD Dr. med. Irmhild Sauter');
  },
);

it('names no doctor where only titles are left of one', () => {
  expect(read('Bericht', 'Text.', 'Mit freundlichen Grüßen', 'PD Dr. ... 4711').doctor_name).toBeNull();
});

it.each([
  [
    'Patient: Nele Marten (f), Geburtsdatum 02.05.1984. Zuweiser: PD Dr. med.',
    'Irmhild Sauter.',
    'PD Dr. med. Irmhild Sauter',
  ],
  [
    'Patiente: Lise Aubry, née le 2 mai 1984. Prélevé le 3 juin 2025. Médecin: Dr',
    'Oscar Brévent.',
    'Dr Oscar Brévent',
  ],
])('reads a doctor whose name begins the line below the title: %s', (line, below, name) => {
  expect(read('Laborbefund', line, below, 'Kalium      4,1   mmol/l   3,5 - 5,1').doctor_name?.value).toBe(name);
});
