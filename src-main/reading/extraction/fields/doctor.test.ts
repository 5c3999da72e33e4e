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
