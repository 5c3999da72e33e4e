/** Keys of the query cache. Live messages invalidate by prefix, so queries of the same data share their first key. */
export const cacheKeys = {
  me: ['me'] as const,
  setup: ['setup'] as const,
  settings: ['settings'] as const,
  backups: ['backups'] as const,
  /** Folders and files of the vault. */
  vaultTree: ['vault', 'tree'] as const,
  vaultCheck: ['vault', 'check'] as const,
  /** Accounts and their access to patients. */
  people: ['people'] as const,
  sessions: ['sessions'] as const,
  auditLog: ['audit-log'] as const,
  logs: ['logs'] as const,
  /** Whether a sign-in service is configured. */
  oidc: ['oidc'] as const,
  patients: ['patients'] as const,
  today: ['today'] as const,
  /** What a user has to decide. */
  review: ['review'] as const,
  trash: ['trash'] as const,
  pipeline: ['pipeline'] as const,
  /** Everything about lab results: tests, series, orphans. */
  labs: ['labs'] as const,
  /** Everything about documents. */
  documents: ['documents'] as const,
  documentLists: ['documents', 'list'] as const,
  documentFacets: ['documents', 'facets'] as const,
  suggestions: ['suggest'] as const,
  /** Everything about events: lists, single ones, pickers. */
  events: ['events'] as const,
  event: (id: number) => ['events', 'one', id] as const,
  timeline: ['timeline'] as const,
  /** Everything about canonical names: lists, entries, proposals. */
  names: ['names'] as const,
  /** Everything about one document; `part` is e.g. `stages`, `pages`. */
  document: (id: number, part?: string) =>
    part === undefined ? (['documents', 'one', id] as const) : (['documents', 'one', id, part] as const),
};
