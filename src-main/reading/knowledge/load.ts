import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { foldName } from '../../../src-shared/medical/name-fold.ts';
import type { Specimen } from '../../../src-shared/medical/lab-name.ts';
import { LANGUAGES, type EntryOf, type KnowledgeAlias, type KnowledgeKind, type KnowledgeLanguage } from './entry.ts';
import { listed, readTable } from './table.ts';

const FOLDER = new URL('../../../resources/knowledge/', import.meta.url);
const FILES = {
  lab_tests: 'lab-tests.tsv',
  diagnoses: 'diagnoses.tsv',
  medications: 'substances.tsv',
  specialties: 'specialties.tsv',
} as const satisfies Record<KnowledgeKind, string>;

export interface Editions {
  parts: Record<KnowledgeKind, { edition: string; sha256: string }>;
}
/** One unit as a multiple of another with an offset, for one test: `to = factor × from + offset`. */
export interface UnitRule {
  code: string;
  from: string;
  to: string;
  factor: number;
  offset: number;
}

/** Text of a knowledge-base file with normalized line endings. */
export const readResource = (name: string): string =>
  readFileSync(fileURLToPath(new URL(name, FOLDER)), 'utf8').replaceAll('\r\n', '\n');
/** The name of the resource that holds a part of the knowledge base. */
export const fileOf = (kind: KnowledgeKind): string => FILES[kind];

/** The edition of each part that is included in this program. */
export const loadEditions = (): Editions => JSON.parse(readResource('editions.json')) as Editions;

/** Entries of one part, in file order. Throws if the file is damaged or missing. */
export function loadEntries<Kind extends KnowledgeKind>(kind: Kind): EntryOf[Kind][] {
  return LOADERS[kind](readResource(FILES[kind])) as EntryOf[Kind][];
}

/** Conversions that don't follow from a molar mass: HbA1c, insulin and other units of activity. */
export const loadUnitRules = (): UnitRule[] =>
  readTable(readResource('unit-rules.tsv'), ['code', 'from', 'to', 'factor', 'offset']).map((row) => ({
    code: row.code,
    from: row.from,
    to: row.to,
    factor: Number(row.factor),
    offset: Number(row.offset),
  }));

const LOADERS: { [Kind in KnowledgeKind]: (text: string) => EntryOf[Kind][] } = {
  lab_tests: (text) =>
    readTable(text, [
      'loinc',
      'other_loinc',
      'category',
      'specimen',
      'unit',
      'molar_mass',
      'charge',
      'short',
      'en',
      'de',
      'fr',
      'it',
      'other',
    ]).map((row) => ({
      ...common(row.loinc, row.other_loinc, row, [...listed(row.short), ...listed(row.other)]),
      kind: 'lab_tests',
      short: listed(row.short)[0]?.replace(/^~/, '') ?? null,
      category: row.category,
      specimen: row.specimen as Specimen,
      unit: row.unit || null,
      molarMass: row.molar_mass === '' ? null : Number(row.molar_mass),
      charge: row.charge === '' ? null : Number(row.charge),
    })),
  diagnoses: (text) =>
    readTable(text, ['icd10', 'other_icd10', 'en', 'de', 'fr', 'it', 'other']).map((row) => ({
      ...common(row.icd10, row.other_icd10, row, listed(row.other)),
      kind: 'diagnoses',
    })),
  medications: (text) =>
    readTable(text, ['atc', 'other_atc', 'en', 'de', 'fr', 'it', 'other', 'brands']).map((row) => ({
      ...common(row.atc, row.other_atc, row, [...listed(row.other), ...listed(row.brands)]),
      kind: 'medications',
    })),
  specialties: (text) =>
    readTable(text, ['code', 'en', 'de', 'fr', 'it', 'other']).map((row) => ({
      ...common(row.code, '', row, listed(row.other)),
      kind: 'specialties',
    })),
};

type Named = Record<KnowledgeLanguage, string>;

/** The name is the first item of each language's list; a language without a list uses the English name. */
function common(code: string, others: string, row: Named, other: string[]) {
  const aliases: KnowledgeAlias[] = [];
  const seen = new Set<string>();
  const add = (text: string, language: KnowledgeLanguage | null): void => {
    const ambiguous = text.startsWith('~'),
      alias = ambiguous ? text.slice(1) : text;
    if (seen.has(alias)) return;
    seen.add(alias);
    aliases.push({ alias, language, ambiguous });
  };
  const names = {} as Record<KnowledgeLanguage, string>;
  for (const language of LANGUAGES) {
    const list = listed(row[language]);
    names[language] = (list[0] ?? names.en).replace(/^~/, '');
    for (const alias of list) add(alias, language);
  }
  for (const alias of other) add(alias, null);
  const sharesCode = code.startsWith('~');
  return {
    code: sharesCode ? code.slice(1) : code,
    sharesCode,
    otherCodes: listed(others),
    canonicalCode: foldName(names.en).replaceAll(' ', '-'),
    names,
    aliases,
  };
}
