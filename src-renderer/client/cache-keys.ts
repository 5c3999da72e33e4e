/** Keys of the query cache. Live messages invalidate by prefix, so queries of the same data share their first key. */
export const cacheKeys = {
  me: ['me'] as const,
  setup: ['setup'] as const,
  /** Whether the sample household is open. */
  sample: ['sample'] as const,
  settings: ['settings'] as const,
  /** OCR services, models and their credentials. */
  allProviders: ['providers'] as const,
  providers: (kind: 'llm' | 'ocr' | 'vision') => ['providers', kind] as const,
  credentials: ['providers', 'credentials'] as const,
  generalModel: ['providers', 'general'] as const,
  embeddingModel: ['providers', 'embedding'] as const,
  prompts: ['prompts'] as const,
  modelUse: ['providers', 'use'] as const,
  localModels: ['providers', 'local-models'] as const,
  backups: ['backups'] as const,
  /** Imports of archives. */
  imports: ['imports'] as const,
  /** The vaults of this computer. */
  vaults: ['vaults'] as const,
  vaultLock: ['vault-lock'] as const,
  /** Whether the vault is encrypted. */
  encryption: ['encryption'] as const,
  /** Folders and files of the vault. */
  vaultTree: ['vault', 'tree'] as const,
  vaultCheck: ['vault', 'check'] as const,
  /** Accounts and their access to patients. */
  people: ['people'] as const,
  sessions: ['sessions'] as const,
  /** Tokens of imaging viewers. */
  desktop: ['desktop'],
  viewerAccess: ['viewer-access'] as const,
  /** Devices on the network. */
  tickers: ['tickers'] as const,
  /** The firmware that comes with Hearth. */
  tickerFirmware: ['ticker-firmware'] as const,
  /** The prices that tickers may fetch from Hearth. */
  tickerSource: ['ticker-source'] as const,
  /** Whose records assistants may read. */
  assistants: ['assistants'] as const,
  auditLog: ['audit-log'] as const,
  logs: ['logs'] as const,
  /** Whether a sign-in service is configured. */
  oidc: ['oidc'] as const,
  /** Passkeys of the signed-in user. */
  passkeys: ['passkeys'] as const,
  /** Whether somebody has a passkey for this address. */
  passkeyAvailable: ['passkey-available'] as const,
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
  /** Imaging studies, which change with their documents. */
  imaging: ['documents', 'imaging'] as const,
  documentFacets: ['documents', 'facets'] as const,
  /** Everything about shares, and the service for their recipients. */
  shares: ['shares'] as const,
  suggestions: ['suggest'] as const,
  /** Everything about events: lists, single ones, pickers. */
  events: ['events'] as const,
  event: (id: number) => ['events', 'one', id] as const,
  timeline: ['timeline'] as const,
  /** Questions of the user and what they were answered. */
  chat: ['chat'] as const,
  /** Everything about canonical names: lists, entries, proposals. */
  names: ['names'] as const,
  /** Everything about one document; `part` is e.g. `stages`, `pages`. */
  document: (id: number, part?: string) =>
    part === undefined ? (['documents', 'one', id] as const) : (['documents', 'one', id, part] as const),
};
