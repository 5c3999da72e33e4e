import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag } from './columns.ts';

/** Canonical entries of the six normalized kinds; `canonical_code` is unique within its kind. */
const entry = {
  id: integer('id').primaryKey({ autoIncrement: true }),
  canonical_code: text('canonical_code').notNull(),
  canonical_display: text('canonical_display').notNull(),
  /** False once a person changed the row, so that the knowledge base leaves it alone. */
  created_at: text('created_at').notNull(),
};

export const norm_lab_tests = sqliteTable('norm_lab_tests', { ...entry, loinc_code: text('loinc_code'), category: text('category'), unit_preferred: text('unit_preferred'), seeded: flag('seeded').notNull().default(false) }, (t) => [uniqueIndex('norm_lab_tests_code').on(t.canonical_code)]);
export const norm_specialties = sqliteTable('norm_specialties', { ...entry, seeded: flag('seeded').notNull().default(false) }, (t) => [uniqueIndex('norm_specialties_code').on(t.canonical_code), index('norm_specialties_display').on(t.canonical_display)]);
export const norm_diagnoses = sqliteTable('norm_diagnoses', { ...entry, icd10_code: text('icd10_code'), seeded: flag('seeded').notNull().default(false) }, (t) => [uniqueIndex('norm_diagnoses_code').on(t.canonical_code)]);
export const norm_medications = sqliteTable('norm_medications', { ...entry, atc_code: text('atc_code'), seeded: flag('seeded').notNull().default(false) }, (t) => [uniqueIndex('norm_medications_code').on(t.canonical_code)]);

export const doctors = sqliteTable('doctors', {
  ...entry, name: text('name').notNull(), title: text('title'), specialty_original: text('specialty_original'), phone: text('phone'), email: text('email'),
}, (t) => [uniqueIndex('doctors_code').on(t.canonical_code), index('doctors_name').on(t.name)]);

export const facilities = sqliteTable('facilities', {
  ...entry, name: text('name').notNull(), type: text('type'), address: text('address'), city: text('city'), country: text('country'), phone: text('phone'),
}, (t) => [uniqueIndex('facilities_code').on(t.canonical_code), index('facilities_name').on(t.name)]);

export const NAME_KINDS = ['lab_tests', 'specialties', 'diagnoses', 'medications', 'doctors', 'facilities'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** Other spellings of an entry; `alias_key` is the folded form that look-ups use. */
export const name_aliases = sqliteTable('name_aliases', {
  alias_id: integer('alias_id').primaryKey({ autoIncrement: true }),
  kind: text('kind', { enum: NAME_KINDS }).notNull(),
  entry_id: integer('entry_id').notNull(),
  alias: text('alias').notNull(),
  alias_key: text('alias_key').notNull(),
  language: text('language'),
  auto_mapped: flag('auto_mapped').notNull().default(false),
  created_at: text('created_at').notNull(),
}, (t) => [uniqueIndex('name_aliases_key').on(t.kind, t.alias_key), index('name_aliases_entry').on(t.kind, t.entry_id)]);
