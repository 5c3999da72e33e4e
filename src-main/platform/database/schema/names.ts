import { NAME_TYPES, type NameType } from '../../../../src-shared/contract/name-types.ts';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, json } from './columns.ts';

/**
 * Canonical entries of the six kinds of names. `canonical_code` is unique among the entries of one circle of patients
 * (ADR 0059). The home is the patient for whose record the entry was added, or the uploader (0 if there is none) of a
 * document without a patient. It has no foreign key, because deleting the patient must not make the entry somebody
 * else's.
 */
const entry = {
  id: integer('id').primaryKey({ autoIncrement: true }),
  canonical_code: text('canonical_code').notNull(),
  canonical_display: text('canonical_display').notNull(),
  created_at: text('created_at').notNull(),
  home_patient_id: integer('home_patient_id'),
  home_user_id: integer('home_user_id'),
};

/** `seeded`: comes from the knowledge base and was never edited, so a newer knowledge base may update it. */
export const norm_lab_tests = sqliteTable(
  'norm_lab_tests',
  {
    ...entry,
    loinc_code: text('loinc_code'),
    category: text('category'),
    unit_preferred: text('unit_preferred'),
    seeded: flag('seeded').notNull().default(false),
  },
  (t) => [index('norm_lab_tests_code').on(t.canonical_code)],
);
export const norm_specialties = sqliteTable(
  'norm_specialties',
  { ...entry, seeded: flag('seeded').notNull().default(false) },
  (t) => [
    index('norm_specialties_code').on(t.canonical_code),
    index('norm_specialties_display').on(t.canonical_display),
  ],
);
export const norm_diagnoses = sqliteTable(
  'norm_diagnoses',
  { ...entry, icd10_code: text('icd10_code'), seeded: flag('seeded').notNull().default(false) },
  (t) => [index('norm_diagnoses_code').on(t.canonical_code)],
);
export const norm_medications = sqliteTable(
  'norm_medications',
  { ...entry, atc_code: text('atc_code'), seeded: flag('seeded').notNull().default(false) },
  (t) => [index('norm_medications_code').on(t.canonical_code)],
);

export const doctors = sqliteTable(
  'doctors',
  {
    ...entry,
    name: text('name').notNull(),
    title: text('title'),
    specialty_original: text('specialty_original'),
    phone: text('phone'),
    email: text('email'),
  },
  (t) => [index('doctors_code').on(t.canonical_code), index('doctors_name').on(t.name)],
);

export const facilities = sqliteTable(
  'facilities',
  {
    ...entry,
    name: text('name').notNull(),
    type: text('type'),
    address: text('address'),
    city: text('city'),
    country: text('country'),
    phone: text('phone'),
  },
  (t) => [index('facilities_code').on(t.canonical_code), index('facilities_name').on(t.name)],
);

export const NAME_KINDS = NAME_TYPES;
export type NameKind = NameType;

/**
 * Other spellings of an entry; lookups use the folded form, `alias_key`. A `printed` one comes from records and is
 * shown only to users who may see one of its sources; the others come from users or the knowledge base.
 */
export const name_aliases = sqliteTable(
  'name_aliases',
  {
    alias_id: integer('alias_id').primaryKey({ autoIncrement: true }),
    kind: text('kind', { enum: NAME_KINDS }).notNull(),
    entry_id: integer('entry_id').notNull(),
    alias: text('alias').notNull(),
    alias_key: text('alias_key').notNull(),
    language: text('language'),
    auto_mapped: flag('auto_mapped').notNull().default(false),
    printed: flag('printed').notNull().default(false),
    created_at: text('created_at').notNull(),
  },
  (t) => [index('name_aliases_key').on(t.kind, t.alias_key), index('name_aliases_entry').on(t.kind, t.entry_id)],
);

/** The patients in whose records a spelling appears; `patient_id` 0: in documents of `user_id` without a patient. */
export const name_alias_sources = sqliteTable(
  'name_alias_sources',
  {
    alias_id: integer('alias_id').notNull(),
    patient_id: integer('patient_id').notNull().default(0),
    user_id: integer('user_id').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.alias_id, t.patient_id, t.user_id] })],
);

/** Merges, with what is needed to undo them: the removed entries and aliases, and the moved references. */
export const name_merges = sqliteTable(
  'name_merges',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind', { enum: NAME_KINDS }).notNull(),
    target_id: integer('target_id').notNull(),
    /** Whether the target was created by this merge. */
    target_created: flag('target_created').notNull().default(false),
    /** The removed rows, and empty fields of the target that were filled from them. */
    sources: json<{
      entries: Record<string, unknown>[];
      filled: Record<string, unknown>;
      dropped?: Record<string, unknown>[];
    }>('sources').notNull(),
    /** Spellings that moved from `entry_id`, or that the merge added (null). */
    aliases: json<{ alias_id: number; entry_id: number | null }[]>('aliases').notNull(),
    moved: json<{ table: string; column: string; source_id: number; ids: number[] }[]>('moved').notNull(),
    user_id: integer('user_id'),
    created_at: text('created_at').notNull(),
    undone_at: text('undone_at'),
  },
  (t) => [index('name_merges_kind').on(t.kind, t.id)],
);

/** The edition of each part of the knowledge base whose entries were seeded. */
export const knowledge_editions = sqliteTable('knowledge_editions', {
  part: text('part').primaryKey(),
  edition: text('edition').notNull(),
  seeded_at: text('seeded_at').notNull(),
});

/** Entries that a user marked as different, the smaller id first; their merge is not proposed again. */
export const name_distinctions = sqliteTable(
  'name_distinctions',
  {
    kind: text('kind', { enum: NAME_KINDS }).notNull(),
    low_id: integer('low_id').notNull(),
    high_id: integer('high_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.low_id, t.high_id] })],
);

/** Records whose change affects documents: a name in their search text, the event that determines their folder. */
const CATCH_UP_KINDS = [...NAME_KINDS, 'events', 'patients'] as const;
export type CatchUpKind = (typeof CATCH_UP_KINDS)[number];

/** Records whose documents still have to be updated, because there are too many for one transaction. */
export const name_reindexes = sqliteTable(
  'name_reindexes',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind', { enum: CATCH_UP_KINDS }).notNull(),
    entry_id: integer('entry_id').notNull(),
    /** The documents in ascending order, if the record was deleted and no longer refers to them. */
    document_ids: json<number[]>('document_ids'),
    /** Documents up to this id have been updated. */
    position: integer('position').notNull().default(0),
  },
  (t) => [uniqueIndex('name_reindexes_entry').on(t.kind, t.entry_id)],
);
