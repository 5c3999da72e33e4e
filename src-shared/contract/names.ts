import { z } from 'zod';
import { patternText, refusal } from './field-errors.ts';
import { endpoint } from './endpoint.ts';
import { documentIdentity } from './document-naming.ts';
import { MODEL_ERRORS } from './error-codes-of-providers.ts';
import { stageUsage } from './rows.ts';
import { freeText, id, idText, nameText, timestamp, wholeText } from './wire.ts';
import { NAME_TYPES } from './name-types.ts';

export { NAME_TYPES, type NameType } from './name-types.ts';

const typeParams = z.object({ type: z.enum(NAME_TYPES) });
const entryParams = z.object({ type: z.enum(NAME_TYPES), id: idText });

/**
 * A spelling of an entry; `auto_mapped` if it was mapped automatically and is to be reviewed. That of a doctor or
 * facility who is called so needs no review.
 */
export const nameAlias = z.object({
  alias_id: id,
  alias: z.string(),
  language: z.string().nullable(),
  auto_mapped: z.boolean(),
});
export type NameAlias = z.output<typeof nameAlias>;

const text = z.string().nullable().optional();

/** Names by language for an entry of the knowledge base that nobody has renamed; null for others. */
const knownNames = z.record(z.string(), z.string()).nullable();
/** Some fields exist only for certain types; `uses` counts the records of visible patients that refer to the entry. */
export const nameRow = z.object({
  id,
  canonical_code: z.string(),
  canonical_display: z.string(),
  names: knownNames,
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
  /** In lists, the first spellings with unreviewed ones first; in a single entry, all spellings. */
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
  'by_model',
] as const;
/** Entries that are probably the same. `high` can be accepted without a check; `review` needs one. */
export const nameProposal = z.object({
  target_id: id,
  source_ids: z.array(id).min(1),
  reason: z.string(),
  reason_code: z.enum(PROPOSAL_REASONS),
  /** The code that the entries share, if any. */
  code: z.string().nullable(),
  source: z.enum(['knowledge_base', 'similarity', 'llm']),
  confidence: z.enum(['high', 'review']),
});
export type NameProposal = z.output<typeof nameProposal>;

/** The outcome of a merge, which can be undone until `undo_until`. */
export const mergeResult = z.object({
  ok: z.literal(true),
  merge_id: id,
  target_id: id,
  moved_references: z.int(),
  moved_aliases: z.int(),
  undo_until: timestamp,
});
export type MergeResult = z.output<typeof mergeResult>;

const mergeErrors = ['name.not_found', 'name.self_merge', 'name.code_taken'] as const;

export const names = {
  overview: endpoint({
    method: 'GET',
    path: '/api/normalization',
    access: 'session',
    reply: z.object({ types: z.array(z.object({ type: z.enum(NAME_TYPES), entries: z.int(), unreviewed: z.int() })) }),
    summary: 'Counts the entries of each kind of names, and those to review.',
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
      /** The language of the reader, in whose order names are sorted; otherwise that of the stored names. */
      language: patternText(/^[a-z]{2,3}$/, 'field.invalid').optional(),
      limit: wholeText(1, 2000).default(500),
      offset: wholeText(0, 1_000_000).default(0),
    }),
    reply: z.object({ items: z.array(nameRow), total: z.int() }),
    summary: 'Lists canonical entries of a kind, by name, with their first spellings.',
  }),
  // Before the single entry, so that `merges` is not matched as an id.
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
          target_names: knownNames,
          source_displays: z.array(z.string()),
          /** In the order of `source_displays`. */
          source_names: z.array(knownNames),
          moved_references: z.int(),
          created_at: timestamp,
          undone_at: timestamp.nullable(),
          undo_until: timestamp,
          can_undo: z.boolean(),
        }),
      ),
    }),
    summary: 'Lists the latest merges of a kind, newest first.',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/normalization/{type}/{id}',
    access: 'session',
    params: entryParams,
    reply: nameRow,
    errors: ['name.not_found'],
    summary: 'Returns an entry with all its spellings.',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/normalization/{type}/{id}',
    access: 'editor',
    audit: 'name.update',
    params: entryParams,
    body: changes,
    reply: nameRow,
    errors: ['name.not_found', 'name.code_taken', 'name.unknown_field'],
    summary: 'Changes code, display name or details of an entry; 409 if another entry has the code.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/normalization/{type}/{id}',
    access: 'editor',
    audit: 'name.delete',
    params: entryParams,
    reply: z.object({ ok: z.literal(true), trash_id: id, undo_until: timestamp }),
    errors: ['name.not_found'],
    summary:
      'Moves an entry with its spellings to the trash. Records that referred to it keep their printed name only.',
  }),
  documents: endpoint({
    method: 'GET',
    path: '/api/normalization/{type}/{id}/documents',
    access: 'session',
    params: entryParams,
    query: z.object({ limit: wholeText(1, 500).default(50), offset: wholeText(0, 10_000_000).default(0) }),
    reply: z.object({
      items: z.array(documentIdentity.extend({ id, patient_id: id.nullable(), patient_name: z.string().nullable() })),
      total: z.int(),
    }),
    errors: ['name.not_found'],
    summary: 'Lists documents that refer to an entry, directly or through one of their rows, newest first.',
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
      'Adds a spelling. A spelling of another entry is rejected, or with `move` moved from there together with the ' +
      'records that have it.',
  }),
  removeAlias: endpoint({
    method: 'DELETE',
    path: '/api/normalization/{type}/aliases/{alias_id}',
    access: 'editor',
    audit: 'name.update',
    params: z.object({ type: z.enum(NAME_TYPES), alias_id: idText }),
    reply: z.object({ ok: z.literal(true), entry_id: id, alias: z.string(), language: z.string().nullable() }),
    errors: ['name.not_found', 'name.alias_not_found'],
    summary: 'Removes a spelling. Records keep their entry.',
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/normalization/{type}/{id}/confirm',
    access: 'editor',
    audit: 'name.update',
    params: entryParams,
    reply: z.object({ ok: z.literal(true), confirmed: z.int() }),
    errors: ['name.not_found'],
    summary: 'Marks all automatically mapped spellings of the entry as reviewed.',
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
    summary: 'Merges an entry into another: references and spellings move, and the source is removed.',
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
        refusal('field.one_target'),
      ),
    reply: mergeResult,
    errors: mergeErrors,
    summary: 'Merges several entries into an existing or a new one.',
  }),
  autoMerge: endpoint({
    method: 'POST',
    path: '/api/normalization/{type}/auto-merge',
    access: 'editor',
    params: typeParams,
    query: z.object({ patient_id: idText.optional() }),
    reply: z.object({
      proposals: z.array(nameProposal),
      entries: z.array(nameRow),
      /** What a model used. */
      usage: stageUsage.nullable().optional(),
    }),
    errors: ['patient.not_found', 'auth.forbidden', 'auth.read_only', ...MODEL_ERRORS],
    summary:
      'Proposes merges, with the entries concerned, without performing them. With a patient, those that the language ' +
      'model finds among the names of that record, besides the others.',
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
      'Records that entries are not the same, so that their merge is not proposed again; `apart: false` removes ' +
      'that record.',
  }),
  undoMerge: endpoint({
    method: 'POST',
    path: '/api/normalization/{type}/merges/{merge_id}/undo',
    access: 'editor',
    audit: 'name.unmerge',
    params: z.object({ type: z.enum(NAME_TYPES), merge_id: idText }),
    reply: z.object({ ok: z.literal(true), entry_ids: z.array(id), moved_references: z.int() }),
    errors: ['name.merge_not_found', 'name.merge_already_undone', 'name.merge_superseded'],
    summary:
      'Undoes a merge: restores the entries with their spellings, and the references that were not changed since.',
  }),
} as const;
