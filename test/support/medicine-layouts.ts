import { readFileSync } from 'node:fs';

export interface MedicineLayout {
  title: string;
  lines: string[];
  /** Brand/substance, dosage and frequency of the medicines that are taken. */
  rows: string[];
}

const FILE = new URL('../fixtures/medicine-layouts.txt', import.meta.url);

/** Lists of medicines as they are printed in many places, with their rows. */
export const MEDICINE_LAYOUTS: MedicineLayout[] = readFileSync(FILE, 'utf8')
  .split(/^# /m)
  .slice(1)
  .map((layout) => {
    const [title = '', ...lines] = layout.trimEnd().split('\n');
    const rows = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
    return { title, lines: lines.filter((line) => !line.startsWith('> ')), rows };
  });
