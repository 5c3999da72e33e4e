import { describe, expect, it } from 'vitest';
import { findFrequency } from './directions.ts';
import { findDuration, findQuantity, findScheme, findStrength } from './dose.ts';

describe('doses in four languages', () => {
  it.each([
    ['Concor 5 mg Tabletten', '5 mg'],
    ['valsartan/HCT 160/12.5 mg', '160/12.5 mg'],
    ['sirop 250 mg/5 ml', '250 mg/5 ml'],
    ['Vitamin D 10000 IE', '10000 IE'],
    ['Augmentin 875+125 mg', '875+125 mg'],
    ['Amoxicilline 80 mg/kg/j en 2 prises', '80 mg/kg/j'],
    ['Ventolin 100 jug, 1 aérosol', '100 jug'],
  ])('finds the strength in %s', (text, strength) => {
    expect(findStrength(text)?.[0]).toBe(strength);
  });

  it.each([
    ['1-0-1-0', '1-0-1-0'],
    ['1 - 0 - ½', '1-0-½'],
    ['S:0-0-1-0', '0-0-1-0'],
  ])('reads the scheme %s', (text, frequency) => {
    expect(findFrequency(text)?.text).toBe(frequency);
  });

  it.each([
    ['take twice daily', 'twice daily'],
    ['2x täglich', '2x täglich'],
    ['3 fois par jour', '3 fois par jour'],
    ['2 volte al giorno', '2 volte al giorno'],
  ])('reads the frequency in words from %s', (text, frequency) => {
    expect(findFrequency(text)?.text).toBe(frequency);
  });

  it.each([
    ['for 14 days', '14 days'],
    ['während 10 Tagen', '10 Tagen'],
    ['3 mois', '3 mois'],
    ['Dauertherapie', 'Dauertherapie'],
  ])('reads the duration %s', (text, duration) => {
    expect(findDuration(text)?.text).toBe(duration);
  });

  it('reads a quantity and does not take a date for a scheme', () => {
    expect(findQuantity('comprimés N° 2')?.[0]).toBe('N° 2');
    expect(findScheme('2024-03-05')).toBeNull();
    expect(findStrength('Zimmer 12')).toBeNull();
    expect(findStrength('LDL-Ziel unter 55 mg/dl')).toBeNull();
  });
});
