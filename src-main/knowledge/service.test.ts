import { describe, expect, it } from 'vitest';
import { createKnowledge } from './service.ts';

const knowledge = createKnowledge();
const testCode = (printed: string, sample?: string): string | undefined => knowledge.match('lab_tests', printed, sample)?.entry.code;
const medicineCode = (printed: string): string | undefined => knowledge.match('medications', printed)?.entry.code;

describe('a printed test', () => {
  it.each(['Glucose', 'S-Glucose', 'P-Glukose', 'Glukose im Serum', 'GLUCOSE (enzymatisch)', 'glycémie', 'Glycemie', 'Glucosio nel siero', 'Glucose sérique', 'Glukose i.S.'])('%s is glucose', (printed) => {
    expect(testCode(printed)).toBe('14749-6');
  });
  it('in urine is another test', () => {
    expect(testCode('U-Glucose')).not.toBe('14749-6');
    expect(testCode('Glukose', 'Spontanurin')).not.toBe('14749-6');
  });
});

describe('a printed medicine', () => {
  it.each(['Dafalgan 1 g Filmtabl.', 'Paracetamol-Mepha 500', 'paracetamolum', 'PARACETAMOL SANDOZ 500MG', 'Paracétamol 1g cpr'])('%s is paracetamol', (printed) => {
    expect(medicineCode(printed)).toBe('N02BE01');
  });
});

it('knows national extensions of ICD-10, and diagnoses with the code and side in the name', () => {
  expect(knowledge.byCode('diagnoses', 'I10.90')?.code).toBe('I10');
  expect(knowledge.match('diagnoses', 'Arterielle Hypertonie (I10.90)')?.entry.code).toBe('I10');
});
