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
