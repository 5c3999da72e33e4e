import { describe, expect, it } from 'vitest';
import { titleOf } from './title.ts';

const title = (summary: string | null): string => titleOf({ summary_en: summary, original_filename: 'scan.pdf' });

describe('title in the list', () => {
  it('is what the summary names', () => {
    expect(title('Laboratory report of 2025-11-12. 4 results, outside their range: Ferritin 24 µg/L.')).toBe('Ferritin 24 µg/L');
    expect(title('Prescription. Medicines: Metformin 0.5 g 1-0-1-0, Apixaban 5 mg. Signed.')).toBe('Metformin 0.5 g 1-0-1-0, Apixaban 5 mg');
  });
  it('is the file name while nothing is known', () => {
    expect(title(null)).toBe('scan.pdf');
    expect(title('Invoice of 2024-01-02.')).toBe('scan.pdf');
  });
});
