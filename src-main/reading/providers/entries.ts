import { DEFAULT_ADDRESSES, isServiceType, type ProviderKind } from '../../../src-shared/contract/provider-types.ts';
import { reachOf, type Reach } from '../../../src-shared/contract/service-address.ts';
import type { Config } from '../../platform/config/config.ts';
import type { GateRules } from './gate.ts';

/** A provider as administrators set it up, with opened secrets. */
export interface ProviderEntry {
  id: string;
  type: string;
  name: string;
  enabled: boolean;
  /** Empty for the usual address of the service. */
  baseUrl: string;
  apiKey: string;
  model: string;
  /** Null for the time that the settings give. */
  timeoutSeconds: number | null;
  credential: SharedCredential | null;
  /** For a million tokens, as its owner entered it. */
  price?: { input: number; output: number; currency: string } | null;
  /** Overrides the limit of the credential or the settings. */
  maxRetries?: number;
}

/** An address, key and limits that several providers share. */
export interface SharedCredential extends Omit<GateRules, 'timeoutSeconds'> {
  id: string;
  baseUrl: string;
  apiKey: string;
}

/** The lists in use; evaluated again for each job, so that changes apply at once. */
export interface ProviderLists {
  entries(kind: ProviderKind): readonly ProviderEntry[];
  /** The model for all that is not the reading of documents; null if none was chosen. */
  general(): ProviderEntry | null;
  /** The model that makes vectors of passages; null if none was chosen. */
  embedding(): ProviderEntry | null;
}

/** The address that is called; empty for engines of Hearth itself, and if none is known. */
export function addressOf({ type, baseUrl, credential }: ProviderEntry): string {
  if (!isServiceType(type)) return '';
  return [baseUrl, credential?.baseUrl ?? '', DEFAULT_ADDRESSES[type]].find((address) => address !== '') ?? '';
}

/** The API key of a provider: its own, else that of its credential; empty without any. */
export const keyOf = ({ apiKey, credential }: ProviderEntry): string =>
  apiKey === '' ? (credential?.apiKey ?? '') : apiKey;

/** Where the pages of a document go. */
export function reachOfEntry(entry: ProviderEntry): Exclude<Reach, 'forbidden'> {
  const address = addressOf(entry);
  const reach = address === '' ? 'this-computer' : reachOf(new URL(address));
  return reach === 'forbidden' ? 'internet' : reach;
}

/** Providers with the same key have the same gate; models of this computer share its memory. */
export function gateKeyOf(kind: ProviderKind, { id, type, credential }: ProviderEntry): string {
  if (type === 'local') return type;
  return credential ? credential.id : `${kind} ${id}`;
}

/** The limits of an entry: of its credential, or of the settings for its kind. */
export function rulesOf(
  config: Config,
  kind: ProviderKind,
  { type, credential, timeoutSeconds, maxRetries }: ProviderEntry,
): GateRules {
  const isVision = kind === 'vision';
  const usual = isVision
    ? {
        maxConcurrent: config['vision.max_concurrent_requests'],
        maxRetries: config['vision.max_retries'],
        backoffSeconds: config['vision.retry_backoff_seconds'],
      }
    : {
        maxConcurrent: config['llm.max_concurrent_requests'],
        maxRetries: config['llm.max_retries'],
        backoffSeconds: config['llm.retry_backoff_seconds'],
      };
  const timeout = isVision ? config['vision.extraction_timeout'] : config['llm.extraction_timeout'];
  const limits = { ...usual, ...credential, ...(maxRetries !== undefined && { maxRetries }) };
  // A second request would only wait, and its time pass.
  const own = type === 'local' ? { maxConcurrent: 1 } : {};
  return { ...limits, ...own, timeoutSeconds: timeoutSeconds ?? timeout };
}
