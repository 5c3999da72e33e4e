import {
  KNOWLEDGE_KINDS,
  type EntryOf,
  type Knowledge,
  type KnowledgeEntry,
  type KnowledgeLanguage,
} from '../../reading/knowledge/service.ts';
import { aliasKey } from './name-key.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { CODE_COLUMN, isSeededKind } from './references.ts';
import type { NameReindex } from './reindex.ts';
import type { EntryRow, NameRepository } from './repository.ts';

/** Kinds whose entries can come from the knowledge base. */
export type SeededKind = keyof EntryOf;

export interface SeedDeps {
  repository: NameRepository;
  knowledge: Knowledge;
  /** Language code in which entries of the knowledge base are shown. */
  language: () => string;
  now: () => string;
}

/** The sample in words, for the key of a test's own name. */
export const specimenOf = (entry: KnowledgeEntry): string | null =>
  entry.kind === 'lab_tests' && entry.specimen !== 'blood' ? entry.specimen : null;

const displayOf = ({ names }: KnowledgeEntry, language: string): string =>
  names[language as KnowledgeLanguage] ?? names.en;

/** Columns of a row that are updated from the knowledge base. */
function columnsOf(kind: SeededKind, entry: KnowledgeEntry, language: string): Record<string, unknown> {
  const column = CODE_COLUMN[kind];
  return {
    canonical_display: displayOf(entry, language),
    ...(column && { [column]: entry.code }),
    ...(entry.kind === 'lab_tests' && { category: entry.category, unit_preferred: entry.unit }),
  };
}

/** The entry of the knowledge base that a row follows: one that was seeded from it and that nobody has changed. */
export const fromKnowledge = (
  { knowledge }: Pick<SeedDeps, 'knowledge'>,
  kind: NameKind,
  row: EntryRow,
): KnowledgeEntry | null =>
  isSeededKind(kind) && row.seeded === 1 ? knowledge.byCanonicalCode(kind, row.canonical_code) : null;

/** Whether a row is as the knowledge base has it, as after the undo of a change; it then follows it again. */
export function isAsInKnowledge(
  { knowledge, language }: Pick<SeedDeps, 'knowledge' | 'language'>,
  kind: SeededKind,
  row: EntryRow,
): boolean {
  const entry = knowledge.byCanonicalCode(kind, row.canonical_code);
  return (
    entry !== null &&
    Object.entries(columnsOf(kind, entry, language())).every(([column, value]) => row[column] === value)
  );
}

/**
 * Finds the row of an entry of the knowledge base: by its code or, if a user merged the entry into another one, by its
 * spellings.
 */
export const findSeeded = (
  { repository, knowledge }: Pick<SeedDeps, 'repository' | 'knowledge'>,
  kind: SeededKind,
  entry: KnowledgeEntry,
): number | undefined =>
  repository.byCanonicalCode(kind, entry.canonicalCode)?.id ??
  (knowledge.isShared(kind, entry.code) ? null : repository.byPublicCode(kind, entry.code)) ??
  Object.values(entry.names)
    .map((name) => repository.byKey(kind, aliasKey(kind, name, specimenOf(entry)))?.entry_id)
    .find((id) => id !== undefined);

/** Finds or adds the row of an entry of the knowledge base. Part of the caller's transaction. */
export function seedEntry(deps: SeedDeps, kind: SeededKind, entry: KnowledgeEntry): number {
  const { repository, language, now } = deps;
  const existing = findSeeded(deps, kind, entry);
  if (existing !== undefined) return existing;
  const id = repository.insert(kind, {
    canonical_code: entry.canonicalCode,
    created_at: now(),
    seeded: 1,
    ...columnsOf(kind, entry, language()),
  });
  const display = displayOf(entry, language());
  repository.addAlias(kind, {
    entryId: id,
    alias: display,
    key: aliasKey(kind, display, specimenOf(entry)),
    language: language(),
    auto: false,
    now: now(),
  });
  return id;
}

/**
 * Updates seeded entries that no user changed to the current knowledge base and language. Does not add entries; they
 * are seeded when a document first needs them. Part of the caller's transaction.
 */
export function reseedFromKnowledgeBase({
  repository,
  knowledge,
  reindex,
  language,
  now,
}: SeedDeps & { reindex: NameReindex }): void {
  for (const kind of KNOWLEDGE_KINDS) {
    const edition = `${knowledge.edition(kind)} ${language()}`;
    if (repository.edition(kind) === edition) continue;
    for (const row of repository.entries(kind).filter(({ seeded }) => seeded === 1)) {
      const entry = knowledge.byCanonicalCode(kind, row.canonical_code);
      if (!entry) continue;
      const values = columnsOf(kind, entry, language());
      if (Object.entries(values).every(([name, value]) => row[name] === value)) continue;
      repository.reseed(kind, row.id, values);
      if (values['canonical_display'] !== row.canonical_display) reindex.reindexEntry(kind, row.id);
    }
    repository.setEdition(kind, edition, now());
  }
}
