import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { documentType } from './rows.ts';
import { civilDate, freeText, id, idText, nameText, timestamp, wholeText } from './wire.ts';

/** Kinds of names that are brought to one canonical entry each. */
export const NAME_TYPES = ['lab_tests', 'specialties', 'diagnoses', 'medications', 'doctors', 'facilities'] as const;
export type NameType = (typeof NAME_TYPES)[number];

const typeParams = z.object({ type: z.enum(NAME_TYPES) });
const entryParams = z.object({ type: z.enum(NAME_TYPES), id: idText });

/** A spelling of an entry; `auto_mapped`: a machine decided that it belongs there, and nobody has looked at it yet. */
export const nameAlias = z.object({
  alias_id: id,
  alias: z.string(),
  language: z.string().nullable(),
  auto_mapped: z.boolean(),
});
export type NameAlias = z.output<typeof nameAlias>;

const text = z.string().nullable().optional();
/** Fields beyond the common ones are there for their type only; `uses` counts the records of visible patients that refer to the entry. */
export const nameRow = z.object({
  id,
  canonical_code: z.string(),
  canonical_display: z.string(),
  alias_count: z.int(),
  unreviewed_count: z.int(),
  uses: z.int(),
  loinc_code: text,
  category: text,
  unit_preferred: text,
  icd10_code: text,
  atc_code: text,
  name: text,
  title: text,
  specialty_original: text,
  phone: text,
  email: text,
  type: text,
  address: text,
  city: text,
  country: text,
  /** In lists the first spellings, those to be reviewed in front; in a single entry all. */
  aliases: z.array(nameAlias),
});
export type NameRow = z.output<typeof nameRow>;

const optionalText = freeText(500)
  .transform((value) => value.trim() || null)
  .nullish();
const codeText = nameText.pipe(z.string().max(120));
const changes = z.strictObject({
  canonical_code: codeText.optional(),
  canonical_display: nameText.optional(),
  loinc_code: optionalText,
  category: optionalText,
  unit_preferred: optionalText,
  icd10_code: optionalText,
  atc_code: optionalText,
  name: nameText.optional(),
  title: optionalText,
  specialty_original: optionalText,
  phone: optionalText,
  email: optionalText,
  type: optionalText,
  address: optionalText,
  city: optionalText,
  country: optionalText,
});
export type NameChanges = z.output<typeof changes>;

export const PROPOSAL_REASONS = [
  'same_code',
  'same_in_knowledge',
  'same_spelling',
  'slip_of_letters',
  'initial',
  'part_of_name',
  'other_place',
] as const;
/** Entries that are probably one. `high` can be accepted unseen; `review` wants a look. */
export const nameProposal = z.object({
  target_id: id,
  source_ids: z.array(id).min(1),
  reason: z.string(),
  reason_code: z.enum(PROPOSAL_REASONS),
  /** The code that the entries share, where there is one. */
  code: z.string().nullable(),
  source: z.enum(['knowledge_base', 'similarity', 'llm']),
  confidence: z.enum(['high', 'review']),
});
export type NameProposal = z.output<typeof nameProposal>;

/** What a merge did; it can be undone until then. */
export const mergeResult = z.object({
  ok: z.literal(true),
  merge_id: id,
  target_id: id,
  moved_references: z.int(),
  moved_aliases: z.int(),
  undo_until: timestamp,
});
export type MergeResult = z.output<typeof mergeResult>;

const mergeErrors = ['name.not_found', 'name.merge_itself', 'name.code_taken'] as const;

export const names = {
  overview: endpoint({
    method: 'GET',
    path: '/api/normalization',
    access: 'session',
    reply: z.object({ types: z.array(z.object({ type: z.enum(NAME_TYPES), entries: z.int(), unreviewed: z.int() })) }),
    summary: 'How many entries each kind of names has, and how many of them wait for review.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/normalization/{type}',
    access: 'session',
    params: typeParams,
    query: z.object({
      filter: z.enum(['unreviewed', 'unused']).optional(),
      search: freeText(200).optional(),
      sort: z.enum(['name', 'uses']).default('name'),
      limit: wholeText(1, 2000).default(500),
      offset: wholeText(0, 1_000_000).default(0),
    }),
    reply: z.object({ items: z.array(nameRow), total: z.int() }),
    summary: 'Canonical entries of a kind, by name, with their first spellings.',
  }),
  // Before the entry, so that `merges` is not taken for an id.
  merges: endpoint({
    method: 'GET',
    path: '/api/normalization/{type}/merges',
    access: 'session',
    params: typeParams,
    reply: z.object({
      items: z.array(
        z.object({
          merge_id: id,
          target_id: id,
          target_display: z.string(),
          source_displays: z.array(z.string()),
          moved_references: z.int(),
          created_at: timestamp,
          undone_at: timestamp.nullable(),
          undo_until: timestamp,
          can_undo: z.boolean(),
        }),
      ),
    }),
    summary: 'The latest merges of a kind, newest first.',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/normalization/{type}/{id}',
    access: 'session',
    params: entryParams,
    reply: nameRow,
    errors: ['name.not_found'],
    summary: 'One entry with all its spellings.',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/normalization/{type}/{id}',
    access: 'editor',
    audit: 'name.update',
    params: entryParams,
    body: changes,
    reply: nameRow,
    errors: ['name.not_found', 'name.code_taken', 'name.wrong_field'],
    summary: 'Changes code, display or details of an entry; 409 when another entry has the code.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/normalization/{type}/{id}',
    access: 'editor',
    audit: 'name.delete',
    params: entryParams,
    reply: z.object({ ok: z.literal(true), trash_id: id, undo_until: timestamp }),
    errors: ['name.not_found'],
    summary: 'Moves an entry with its spellings to the trash; records that referred to it refer to none.',
  }),
  documents: endpoint({
    method: 'GET',
    path: '/api/normalization/{type}/{id}/documents',
    access: 'session',
    params: entryParams,
    query: z.object({ limit: wholeText(1, 500).default(50), offset: wholeText(0, 10_000_000).default(0) }),
    reply: z.object({
      items: z.array(
        z.object({
          id,
          original_filename: z.string(),
          doc_type: documentType.nullable(),
          event_date: civilDate.nullable(),
          patient_id: id.nullable(),
          patient_name: z.string().nullable(),
        }),
      ),
      total: z.int(),
    }),
    errors: ['name.not_found'],
    summary: 'Documents that refer to an entry, themselves or by one of their rows; newest first.',
  }),
  addAlias: endpoint({
    method: 'POST',
    path: '/api/normalization/{type}/{id}/aliases',
    access: 'editor',
    audit: 'name.update',
    params: entryParams,
    status: 201,
    body: z.strictObject({
      alias: nameText,
      language: freeText(12)
        .transform((value) => value.trim() || null)
        .nullish(),
      move: z.boolean().default(false),
    }),
    reply: nameAlias.extend({ moved_references: z.int() }),
    errors: ['name.not_found', 'name.alias_taken', 'name.alias_empty'],
    summary:
      'Adds a spelling. One that another entry has is refused, or with `move` taken from there, along with the records that were read by it.',
  }),
  removeAlias: endpoint({
    method: 'DELETE',
    path: '/api/normalization/{type}/aliases/{alias_id}',
    access: 'editor',
    audit: 'name.update',
    params: z.object({ type: z.enum(NAME_TYPES), alias_id: idText }),
    reply: z.object({ ok: z.literal(true), entry_id: id, alias: z.string(), language: z.string().nullable() }),
    errors: ['name.not_found', 'name.alias_not_found'],
    summary: 'Removes a spelling; records stay with their entry.',
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/normalization/{type}/{id}/confirm',
    access: 'editor',
    audit: 'name.update',
    params: entryParams,
    reply: z.object({ ok: z.literal(true), confirmed: z.int() }),
    errors: ['name.not_found'],
    summary: 'Marks every spelling that a machine mapped to the entry as reviewed.',
  }),
  merge: endpoint({
    method: 'POST',
    path: '/api/normalization/{type}/merge',
    access: 'editor',
    audit: 'name.merge',
    params: typeParams,
    body: z.strictObject({ source_id: id, target_id: id }),
    reply: mergeResult,
    errors: mergeErrors,
    summary: 'Merges one entry into another: references and spellings move, the source goes.',
  }),
  mergeBatch: endpoint({
    method: 'POST',
    path: '/api/normalization/{type}/merge-batch',
    access: 'editor',
    audit: 'name.merge',
    params: typeParams,
    body: z
      .strictObject({
        source_ids: z.array(id).min(1).max(200),
        target_id: id.optional(),
        new_target: z.strictObject({ canonical_code: codeText, canonical_display: nameText }).optional(),
      })
      .refine(
        ({ target_id, new_target }) => (target_id === undefined) !== (new_target === undefined),
        'needs either target_id or new_target',
      ),
    reply: mergeResult,
    errors: mergeErrors,
    summary: 'Merges several entries into one that exists, or into a new one.',
  }),
  autoMerge: endpoint({
    method: 'POST',
    path: '/api/normalization/{type}/auto-merge',
    access: 'editor',
    params: typeParams,
    reply: z.object({ proposals: z.array(nameProposal), entries: z.array(nameRow) }),
    summary: 'Proposes merges without doing them, with the entries they speak of.',
  }),
  keepApart: endpoint({
    method: 'POST',
    path: '/api/normalization/{type}/keep-apart',
    access: 'editor',
    audit: 'name.update',
    params: typeParams,
    body: z.strictObject({ entry_ids: z.array(id).min(2).max(200), apart: z.boolean().default(true) }),
    reply: z.object({ ok: z.literal(true) }),
    errors: ['name.not_found'],
    summary:
      'Remembers that entries are not the same, so that their merge is not proposed again; `apart: false` forgets it.',
  }),
  undoMerge: endpoint({
    method: 'POST',
    path: '/api/normalization/{type}/merges/{merge_id}/undo',
    access: 'editor',
    audit: 'name.unmerge',
    params: z.object({ type: z.enum(NAME_TYPES), merge_id: idText }),
    reply: z.object({ ok: z.literal(true), entry_ids: z.array(id), moved_references: z.int() }),
    errors: ['name.merge_not_found', 'name.merge_undone', 'name.merge_overtaken'],
    summary:
      'Undoes a merge: the entries come back with their spellings, and the references that still stand where it put them.',
  }),
} as const;
