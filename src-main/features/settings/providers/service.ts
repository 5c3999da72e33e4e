import type {
  CredentialInput,
  CredentialRow,
  GeneralInput,
  GeneralRow,
  LlmInput,
  LlmRow,
  OcrInput,
  OcrRow,
  VisionInput,
  VisionRow,
} from '../../../../src-shared/contract/providers.ts';
import type { EmbeddingInput, EmbeddingRow } from '../../../../src-shared/contract/meaning.ts';
import { CREDENTIAL_TYPES, type ProviderKind } from '../../../../src-shared/contract/provider-types.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import type { Log } from '../../../platform/kernel/log.ts';
import type { Secrets } from '../../../platform/secrets/service.ts';
import { reachOfEntry, type ProviderEntry, type ProviderLists } from '../../../reading/providers/entries.ts';
import { createProviderRepository, type StoredKind, type StoredProvider } from './repository.ts';

export type ModelInput = LlmInput | VisionInput;
export type AnyInput = ModelInput | OcrInput;

/** The lists of providers and the credentials that they share. */
export interface ProviderSettings extends ProviderLists {
  llm(): LlmRow[];
  ocr(): OcrRow[];
  vision(): VisionRow[];
  credentials(): CredentialRow[];
  /** The model for all that is not the reading of documents; `available` is what the caller knows. */
  generalRow(available: boolean): GeneralRow;
  /** @throws `provider.unknown_credential`, `provider.credential_mismatch`, `settings.key_unreadable` */
  saveGeneral(input: GeneralInput): void;
  /** The model for vectors; `available` is what the caller knows. */
  embeddingRow(available: boolean): Omit<EmbeddingRow, 'state' | 'failure'>;
  /** @throws as `saveGeneral` does */
  saveEmbedding(input: EmbeddingInput): void;
  /** @throws `provider.unknown_credential`, `provider.credential_mismatch`, `settings.key_unreadable` */
  save(kind: ProviderKind, entries: readonly AnyInput[]): number;
  /** @throws `provider.credential_in_use`, `provider.credential_mismatch`, `settings.key_unreadable` */
  saveCredentials(entries: readonly CredentialInput[]): number;
  /** A saved entry. @throws `provider.not_found` */
  find(kind: ProviderKind, id: string): ProviderEntry;
  /** An entry that need not be saved, with the saved secrets where it has none. */
  complete(kind: ProviderKind, entry: AnyInput): ProviderEntry;
}

export interface ProviderSettingsDeps {
  db: Database;
  log: Log;
  secrets: Secrets;
  ids: () => string;
  config: Config;
}

interface Deps extends ProviderSettingsDeps {
  repository: ReturnType<typeof createProviderRepository>;
}

/** Fields with secrets, in requests and rows. */
const SECRET_FIELDS = ['api_key', 'remote_api_key', 'google_vision_key'] as const;
type SecretField = (typeof SECRET_FIELDS)[number];
/** Fields of requests that only replies have. */
const SHOWN_FIELDS = new Set([
  'priority',
  'reach',
  'references',
  'configured',
  'available',
  'state',
  'failure',
  ...SECRET_FIELDS.map((field) => `has_${field}`),
]);

export function createProviderSettings(dependencies: ProviderSettingsDeps): ProviderSettings {
  const deps: Deps = { ...dependencies, repository: createProviderRepository(dependencies.db) };
  const rows = <Row>(kind: ProviderKind): Row[] =>
    listOf(deps, kind).map((row, index) => ({
      ...{ base_url: '', model: '', remote_url: '', credential_id: null, timeout: null },
      ...{ llm_provider: '', llm_model: '' },
      ...{ price_in: null, price_out: null, price_currency: '' },
      ...row.settings,
      ...{ id: row.id, type: row.type, priority: index + 1, api_key: '' },
      ...Object.fromEntries(SECRET_FIELDS.map((field) => [`has_${field}`, row.settings[field] !== undefined])),
      reach: reachOfEntry(toEntry(deps, row)),
    })) as Row[];
  return {
    llm: () => rows('llm'),
    ocr: () => rows('ocr'),
    vision: () => rows('vision'),
    credentials: () => credentialRows(deps),
    generalRow: (available) => singleRow(deps, 'general', available),
    embeddingRow: (available) =>
      singleRow(deps, 'embedding', available) as ReturnType<ProviderSettings['embeddingRow']>,
    saveGeneral: (input) => saveSingle(deps, 'general', input),
    saveEmbedding: (input) => saveSingle(deps, 'embedding', input),
    general: () => stored(deps, 'general').map((row) => toEntry(deps, row))[0] ?? null,
    embedding: () => stored(deps, 'embedding').map((row) => toEntry(deps, row))[0] ?? null,
    save: (kind, entries) => saveList(deps, kind, entries),
    saveCredentials: (entries) => saveCredentials(deps, entries),
    entries: (kind) => listOf(deps, kind).map((row) => toEntry(deps, row)),
    find(kind, id) {
      const row = savedEntry(deps, kind, id);
      if (!row) throw fail('provider.not_found');
      return toEntry(deps, row);
    },
    complete(kind, entry) {
      checkCredential(deps, entry);
      const saved = savedEntry(deps, kind, entry.id);
      return toEntry(deps, { ...toStored(deps, kind, entry, saved), kind, position: 0 });
    },
  };
}

const stored = ({ repository }: Deps, kind: StoredKind): StoredProvider[] =>
  repository.all().filter((row) => row.kind === kind);

/** A saved entry by its id; the general model is tested like a reader of texts. */
const savedEntry = (deps: Deps, kind: ProviderKind, id: string | undefined): StoredProvider | undefined =>
  [...listOf(deps, kind), ...(kind === 'llm' ? stored(deps, 'general') : [])].find((row) => row.id === id);

/** The saved list, or what is used without one: the built-in reader, and the engine of the settings. */
function listOf(deps: Deps, kind: ProviderKind): StoredProvider[] {
  const saved = stored(deps, kind);
  if (saved.length > 0 || kind === 'vision') return saved;
  const row = (type: string, settings: Record<string, unknown> = {}): StoredProvider => ({
    ...{ kind, type, id: type, position: 0 },
    settings: { name: USUAL_NAMES[type] ?? type, enabled: true, ...settings },
  });
  if (kind === 'llm') return [row('builtin')];
  const { config } = deps;
  const engine = config['ocr.engine'];
  const local = row(engine === 'builtin' || engine === 'tesseract_cli' ? engine : 'tesseract');
  if (engine === 'google_vision')
    return [row(engine, { google_vision_key: plain(config['ocr.google_vision_key']) }), local];
  if (engine === 'llm_vision') {
    const [llm_provider, llm_model] = [config['ocr.llm_vision_provider'], config['ocr.llm_vision_model']];
    return [row(engine, { llm_provider, llm_model, llm_base_url: config['ocr.llm_vision_ollama_url'] }), local];
  }
  if (engine !== 'tesseract_remote') return [local];
  const [remote_url, key] = [config['ocr.remote_url'], config['ocr.remote_api_key']];
  return [row(engine, { remote_url, remote_api_key: plain(key) }), local];
}

const USUAL_NAMES: Readonly<Record<string, string>> = {
  builtin: 'Hearth',
  tesseract: 'Tesseract',
  tesseract_cli: 'Tesseract',
  tesseract_remote: 'Tesseract',
  google_vision: 'Google Vision',
  llm_vision: 'Vision model',
};

/** A key from the settings, which is not sealed for this list. */
const plain = (key: string): { plain: string } | undefined => (key === '' ? undefined : { plain: key });

const SINGLE_IDS = { general: 'general-llm', embedding: 'embedding-model' } as const;
/** Seconds, as in the contract. */
const GENERAL_TIMEOUT = 120;

const sealName = (kind: StoredKind, id: string, field: SecretField): string => `provider ${kind} ${id} ${field}`;

function openKey(deps: Deps, { kind, id, settings }: StoredProvider, field: SecretField): string {
  const value = settings[field] as { plain: string } | string | undefined;
  if (value === undefined) return '';
  if (typeof value !== 'string') return value.plain;
  try {
    return deps.secrets.open(sealName(kind, id, field), value) ?? '';
  } catch (err) {
    deps.log.warn({ err }, 'the key of the secrets cannot be read');
    return '';
  }
}

/** The vision model that an entry of type `llm_vision` names, with the name and place of the entry. */
function visionEntry(deps: Deps, { id, settings }: StoredProvider): ProviderEntry {
  const named = String(settings['llm_provider'] ?? '');
  const models = stored(deps, 'vision').filter((row) => row.settings['enabled'] !== false);
  const chosen = models.find((row) => row.id === named) ?? models.find((row) => named === '' || row.type === named);
  const [address, model] = [String(settings['llm_base_url'] ?? ''), String(settings['llm_model'] ?? '')];
  const base = chosen
    ? toEntry(deps, chosen)
    : { type: 'ollama', baseUrl: '', apiKey: '', model: '', price: null, timeoutSeconds: null, credential: null };
  return {
    ...{ ...base, id, name: String(settings['name'] ?? 'llm_vision'), enabled: settings['enabled'] !== false },
    ...(address !== '' && { type: 'ollama', baseUrl: address, apiKey: '', credential: null }),
    ...(model !== '' && { model }),
    ...(typeof settings['timeout'] === 'number' && { timeoutSeconds: settings['timeout'] }),
  };
}

function toEntry(deps: Deps, row: StoredProvider): ProviderEntry {
  if (row.type === 'llm_vision') return visionEntry(deps, row);
  const { id, type, settings } = row;
  const credential = stored(deps, 'credential').find((candidate) => candidate.id === settings['credential_id']);
  const keys = SECRET_FIELDS.map((field) => openKey(deps, row, field));
  return {
    ...{ id, type, name: String(settings['name'] ?? type), enabled: settings['enabled'] !== false },
    baseUrl: String(settings['base_url'] ?? '') || String(settings['remote_url'] ?? ''),
    apiKey: keys.find((key) => key !== '') ?? '',
    model: String(settings['model'] ?? ''),
    price: priceOf(settings),
    timeoutSeconds: (settings['timeout'] as number | null | undefined) ?? null,
    credential: credential
      ? {
          id: credential.id,
          baseUrl: String(credential.settings['base_url'] ?? ''),
          apiKey: openKey(deps, credential, 'api_key'),
          maxConcurrent: Number(credential.settings['max_concurrent']),
          maxRetries: Number(credential.settings['max_retries']),
          backoffSeconds: credential.settings['retry_backoff_seconds'] as number[],
        }
      : null,
  };
}

/** A price that is only entered for one direction is 0 for the other one. */
function priceOf(settings: Record<string, unknown>): ProviderEntry['price'] {
  const [input, output] = [settings['price_in'], settings['price_out']];
  if (typeof input !== 'number' && typeof output !== 'number') return null;
  return { input: Number(input ?? 0), output: Number(output ?? 0), currency: String(settings['price_currency'] ?? '') };
}

/** Twelve hexadecimal digits. */
const newSuffix = ({ ids }: Deps): string => Buffer.from(ids(), 'base64url').toString('hex').slice(0, 12);

/** The row of a request: its secrets sealed, or those of the saved row where it has none. Null removes a secret. */
function toStored(
  deps: Deps,
  kind: StoredKind,
  input: AnyInput | CredentialInput | ((GeneralInput | EmbeddingInput) & { id: string; type: string }),
  saved: StoredProvider | undefined,
): Pick<StoredProvider, 'id' | 'type' | 'settings'> {
  const { id: given, type, ...fields } = input;
  const id = given ?? `${kind === 'credential' ? 'cred' : kind}-${newSuffix(deps)}`;
  const settings: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (SHOWN_FIELDS.has(field)) continue;
    if (!(SECRET_FIELDS as readonly string[]).includes(field)) settings[field] = value;
  }
  for (const field of SECRET_FIELDS) {
    const value = (fields as Partial<Record<SecretField, string | null>>)[field];
    const kept = saved ? openKey(deps, saved, field) : '';
    const key = value === null ? '' : value || kept;
    if (key !== '') settings[field] = seal(deps, sealName(kind, id, field), key);
  }
  return { id, type, settings };
}

function seal({ secrets, log }: Deps, name: string, text: string): string {
  try {
    return secrets.seal(name, text);
  } catch (err) {
    log.error({ err }, 'the key of the secrets cannot be read');
    throw fail('settings.key_unreadable', undefined, err);
  }
}

/** A credential exists and is for the same service. */
function checkCredential(deps: Deps, { credential_id: id, type }: Pick<AnyInput, 'credential_id' | 'type'>): void {
  if (id === null) return;
  const credential = stored(deps, 'credential').find((candidate) => candidate.id === id);
  if (!credential) throw fail('provider.unknown_credential', { credential: id });
  if (credential.type !== type)
    throw fail('provider.credential_mismatch', { credential: String(credential.settings['name']) });
}

function saveList(deps: Deps, kind: ProviderKind, entries: readonly AnyInput[]): number {
  const { db, repository } = deps;
  for (const entry of entries) checkCredential(deps, entry);
  const saved = new Map(listOf(deps, kind).map((row) => [row.id, row]));
  const rows = entries.map((entry) => toStored(deps, kind, entry, saved.get(entry.id ?? '')));
  db.transaction(() => repository.replace(kind, rows));
  return rows.length;
}

/** A kind with one model at most. */
type SingleKind = keyof typeof SINGLE_IDS;

function saveSingle(deps: Deps, kind: SingleKind, { type, ...input }: GeneralInput | EmbeddingInput): void {
  const { db, repository } = deps;
  if (type === null) return db.transaction(() => repository.replace(kind, []));
  const entry = { ...input, id: SINGLE_IDS[kind], type };
  checkCredential(deps, entry);
  // A key belongs to the service that it was entered for.
  const saved = stored(deps, kind).find((row) => row.type === type);
  const row = toStored(deps, kind, entry, saved);
  const settings = { name: input.model, ...row.settings };
  db.transaction(() => repository.replace(kind, [{ ...row, settings }]));
}

function singleRow(deps: Deps, kind: SingleKind, available: boolean): GeneralRow {
  const [row] = stored(deps, kind);
  const settings = row?.settings ?? {};
  return {
    type: (row?.type as GeneralRow['type'] | undefined) ?? null,
    credential_id: (settings['credential_id'] as string | null | undefined) ?? null,
    base_url: String(settings['base_url'] ?? ''),
    model: String(settings['model'] ?? ''),
    api_key: '',
    has_api_key: settings['api_key'] !== undefined,
    timeout: Number(settings['timeout'] ?? GENERAL_TIMEOUT),
    configured: row !== undefined,
    available,
    reach: row ? reachOfEntry(toEntry(deps, row)) : null,
  };
}

function saveCredentials(deps: Deps, entries: readonly CredentialInput[]): number {
  const { db, repository } = deps;
  const saved = new Map(stored(deps, 'credential').map((row) => [row.id, row]));
  const types = new Map(entries.map(({ id, type }) => [id, type]));
  for (const provider of repository.all()) {
    const used = saved.get(String(provider.settings['credential_id'] ?? ''));
    if (!used) continue;
    const credential = String(used.settings['name']);
    if (!types.has(used.id)) throw fail('provider.credential_in_use', { credential });
    if (types.get(used.id) !== used.type) throw fail('provider.credential_mismatch', { credential });
  }
  const rows = entries.map((entry) => toStored(deps, 'credential', entry, saved.get(entry.id ?? '')));
  db.transaction(() => repository.replace('credential', rows));
  return rows.length;
}

function credentialRows(deps: Deps): CredentialRow[] {
  const all = deps.repository.all();
  return stored(deps, 'credential').map(({ id, type, settings }) => {
    const uses = (kind: StoredKind): number =>
      all.filter((row) => row.kind === kind && row.settings['credential_id'] === id).length;
    const [llm, vision, ocr, general] = [uses('llm'), uses('vision'), uses('ocr'), uses('general') + uses('embedding')];
    return {
      id,
      type: CREDENTIAL_TYPES.find((known) => known === type) ?? 'openai',
      name: String(settings['name']),
      base_url: String(settings['base_url']),
      api_key: '',
      has_api_key: settings['api_key'] !== undefined,
      max_concurrent: Number(settings['max_concurrent']),
      max_retries: Number(settings['max_retries']),
      retry_backoff_seconds: settings['retry_backoff_seconds'] as number[],
      references: { llm, vision, ocr, general, total: llm + vision + ocr + general },
    };
  });
}
