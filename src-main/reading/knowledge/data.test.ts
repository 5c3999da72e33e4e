import ucum from '@lhncbc/ucum-lhc';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Specimen } from '../../../src-shared/medical/lab-name.ts';
import { foldedForms, removeSpaces } from '../../../src-shared/medical/name-fold.ts';
import { KNOWLEDGE_KINDS, LANGUAGES, type KnowledgeEntry, type KnowledgeKind } from './entry.ts';
import { fileOf, loadEditions, loadEntries, loadUnitRules, readResource } from './load.ts';
import { createKnowledge } from './service.ts';

const knowledge = createKnowledge();
const units = ucum.UcumLhcUtils.getInstance();

const CODES = {
  lab_tests: /^\d{1,5}-\d$/,
  diagnoses: /^[A-Z]\d\d(?:\.\d)?$/,
  medications: /^[A-DGHJL-NPR-V]\d\d[A-Z]{2}\d\d$/,
  specialties: /^[a-z]+(?:-[a-z]+)*$/,
} as const satisfies Record<KnowledgeKind, RegExp>;
const text = z
  .string()
  .regex(/^\S(?:.*\S)?$/)
  .regex(/^[^\t~]*$/);
const row = (kind: KnowledgeKind) =>
  z.object({
    code: z.string().regex(CODES[kind]),
    otherCodes: z.array(z.string().regex(CODES[kind])),
    sharesCode: z.boolean(),
    canonicalCode: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
    names: z.record(z.enum(LANGUAGES), text),
    aliases: z.array(z.object({ alias: text, language: z.enum(LANGUAGES).nullable(), ambiguous: z.boolean() })).min(1),
  });
const lab = z.object({
  short: text.nullable(),
  category: text,
  specimen: z.enum(['blood', 'urine', 'csf', 'stool', 'other']),
  unit: z.string().min(1).nullable(),
  molarMass: z.number().min(6).max(1_000_000).nullable(),
  charge: z.number().int().min(1).max(3).nullable(),
});

/** How laboratories print the sample; undefined for those with many spellings. */
const SAMPLES: Record<Specimen, string | undefined> = {
  blood: 'Serum',
  urine: 'Urin',
  csf: 'Liquor',
  stool: 'Stuhl',
  other: undefined,
};

/** The check digit of LOINC: Luhn's algorithm, with the last digit before it doubled. */
function checkDigit(number: string): number {
  const sum = [...number].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

describe.each(KNOWLEDGE_KINDS)('%s', (kind) => {
  const entries: readonly KnowledgeEntry[] = loadEntries(kind);
  const twice = (keys: readonly string[]): string[] => keys.filter((key, i) => keys.indexOf(key) !== i);

  it('have enough entries, all of the right form', () => {
    expect(entries.length).toBeGreaterThanOrEqual(
      { lab_tests: 450, diagnoses: 600, medications: 800, specialties: 60 }[kind],
    );
    const broken = entries.flatMap((entry) => {
      const parsed = row(kind)
        .and(entry.kind === 'lab_tests' ? lab : z.object({}))
        .safeParse(entry);
      return parsed.success ? [] : [`${entry.code} ${entry.names.en}: ${z.prettifyError(parsed.error)}`];
    });
    expect(broken).toEqual([]);
  });
  it('have one code and one canonical code each', () => {
    expect(
      twice(entries.flatMap(({ sharesCode, code, otherCodes }) => (sharesCode ? [] : [code, ...otherCodes]))),
    ).toEqual([]);
    expect(twice(entries.map(({ canonicalCode }) => canonicalCode))).toEqual([]);
  });
  it('share no spelling unless it is marked for all of them', () => {
    const claims = new Map<string, Map<string, boolean>>();
    for (const entry of entries)
      for (const { alias, ambiguous } of entry.aliases)
        for (const form of foldedForms(alias)) {
          const key = `${entry.kind === 'lab_tests' ? entry.specimen : ''}:${removeSpaces(form)}`;
          const known = claims.get(key) ?? new Map<string, boolean>();
          claims.set(key, known.set(entry.canonicalCode, (known.get(entry.canonicalCode) ?? false) || ambiguous));
        }
    expect(
      [...claims]
        .filter(([, who]) => who.size > 1 && ![...who.values()].every(Boolean))
        .map(([key, who]) => [key, ...who.keys()]),
    ).toEqual([]);
  });
  it('are found by every unambiguous spelling, and have an unambiguous name in every language', () => {
    const lost = entries
      .flatMap((entry) =>
        entry.aliases.filter(({ ambiguous }) => !ambiguous).map(({ alias }) => [entry, alias] as const),
      )
      .filter(([entry, alias]) => {
        const sample = entry.kind === 'lab_tests' ? SAMPLES[entry.specimen] : null;
        return (
          sample !== undefined && knowledge.match(kind, alias, sample)?.entry.canonicalCode !== entry.canonicalCode
        );
      });
    expect(lost.map(([entry, alias]) => [entry.code, alias])).toEqual([]);
    expect(
      entries
        .filter(({ names, aliases }) =>
          aliases.some(({ alias, ambiguous }) => ambiguous && Object.values(names).includes(alias)),
        )
        .map(({ code }) => code),
    ).toEqual([]);
  });
  it('is the edition whose checksum is recorded', () => {
    expect(
      createHash('sha256')
        .update(readResource(fileOf(kind)))
        .digest('hex'),
    ).toBe(loadEditions().parts[kind].sha256);
  });
});

it('has LOINC codes with the right check digit', () => {
  const wrong = knowledge
    .entries('lab_tests')
    .flatMap(({ code, otherCodes }) => [code, ...otherCodes])
    .filter((code) => checkDigit(code.split('-')[0] ?? '') !== Number(code.split('-')[1]));
  expect(wrong).toEqual([]);
});

it('has units that UCUM knows', () => {
  const used = new Set([
    ...knowledge.entries('lab_tests').flatMap(({ unit }) => unit ?? []),
    ...loadUnitRules().flatMap(({ from, to }) => [from, to]),
  ]);
  expect([...used].filter((unit) => units.validateUnitString(unit).status !== 'valid')).toEqual([]);
});

/** Pairs as reference laboratories print them: both values are the same result. */
it.each([
  ['2345-7', 'glucose', 100, 'mg/dL', 5.55, 'mmol/L'],
  ['2093-3', 'cholesterol', 200, 'mg/dL', 5.17, 'mmol/L'],
  ['2571-8', 'triglycerides', 150, 'mg/dL', 1.69, 'mmol/L'],
  ['2160-0', 'creatinine', 1, 'mg/dL', 88.4, 'umol/L'],
  ['22664-7', 'urea', 30, 'mg/dL', 4.995, 'mmol/L'],
  ['3094-0', 'urea nitrogen', 14, 'mg/dL', 4.998, 'mmol/L'],
  ['1975-2', 'bilirubin', 1, 'mg/dL', 17.1, 'umol/L'],
  ['3084-1', 'uric acid', 6, 'mg/dL', 356.9, 'umol/L'],
  ['17861-6', 'calcium', 10, 'mg/dL', 2.495, 'mmol/L'],
  ['17861-6', 'calcium', 5, 'meq/L', 2.5, 'mmol/L'],
  ['19123-9', 'magnesium', 2, 'mg/dL', 0.823, 'mmol/L'],
  ['2777-1', 'phosphate', 3.1, 'mg/dL', 1.0, 'mmol/L'],
  ['2498-4', 'iron', 100, 'ug/dL', 17.9, 'umol/L'],
  ['1989-3', 'vitamin D', 30, 'ng/mL', 74.9, 'nmol/L'],
  ['2132-9', 'vitamin B12', 500, 'pg/mL', 368.9, 'pmol/L'],
  ['2284-8', 'folate', 10, 'ng/mL', 22.65, 'nmol/L'],
  ['3024-7', 'free T4', 1, 'ng/dL', 12.87, 'pmol/L'],
  ['3051-0', 'free T3', 3, 'pg/mL', 4.61, 'pmol/L'],
  ['2143-6', 'cortisol', 10, 'ug/dL', 275.9, 'nmol/L'],
  ['2986-8', 'testosterone', 500, 'ng/dL', 17.34, 'nmol/L'],
  ['2243-4', 'estradiol', 100, 'pg/mL', 367.1, 'pmol/L'],
  ['2839-9', 'progesterone', 10, 'ng/mL', 31.8, 'nmol/L'],
] as const)('%s %s: %s %s are %s %s', (loinc, _name, value, from, expected, to) => {
  const facts = knowledge.unitsOf(loinc);
  const { toVal } = units.convertUnitTo(from, value, to, { molecularWeight: facts?.molarMass, charge: facts?.charge });
  expect(toVal).toBeGreaterThan(expected * 0.995);
  expect(toVal).toBeLessThan(expected * 1.005);
});

it.each([
  [42, 6.0],
  [48, 6.5],
  [53, 7.0],
  [64, 8.0],
  [86, 10.0],
])('HbA1c: %s mmol/mol are %s percent', (ifcc, ngsp) => {
  const [rule] = knowledge.unitsOf('4548-4')?.rules ?? [];
  expect(ifcc * (rule?.factor ?? 0) + (rule?.offset ?? 0)).toBeCloseTo(ngsp, 1);
});
