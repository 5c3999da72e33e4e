import type { Knowledge } from '../../reading/knowledge/service.ts';
import { KNOWLEDGE_KINDS } from '../../reading/knowledge/service.ts';
import type { NameReindex } from './reindex.ts';
import { CODE_COLUMN } from './references.ts';
import type { NameRepository } from './repository.ts';
import type { EntryResolver } from './resolve-name.ts';

export interface ReseedDeps {
  repository: NameRepository;
  resolver: EntryResolver;
  knowledge: Knowledge;
  reindex: NameReindex;
  language: () => string;
  now: () => string;
}

/**
 * Brings entries that came from the knowledge base, and that nobody changed, up to the edition that this program
 * carries and the language that is set. Nothing else is touched, and nothing is made: entries are sown when a document
 * first needs them. Part of a transaction.
 */
export function reseedFromKnowledgeBase({ repository, resolver, knowledge, reindex, language, now }: ReseedDeps): void {
  for (const kind of KNOWLEDGE_KINDS) {
    const edition = `${knowledge.edition(kind)} ${language()}`;
    if (repository.edition(kind) === edition) continue;
    for (const row of repository.entries(kind).filter(({ seeded }) => seeded === 1)) {
      const entry = knowledge.byCanonicalCode(kind, row.canonical_code);
      if (!entry) continue;
      const column = CODE_COLUMN[kind];
      const values: Record<string, unknown> = {
        canonical_display: resolver.inLanguage(entry),
        ...(column && { [column]: entry.code }),
        ...(entry.kind === 'lab_tests' && { category: entry.category, unit_preferred: entry.unit }),
      };
      if (Object.entries(values).every(([name, value]) => row[name] === value)) continue;
      repository.reseed(kind, row.id, values);
      if (values['canonical_display'] !== row.canonical_display) reindex.entry(kind, row.id);
    }
    repository.setEdition(kind, edition, now());
  }
}
