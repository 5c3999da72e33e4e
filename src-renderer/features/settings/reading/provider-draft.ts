import { DEFAULT_ADDRESSES, isServiceType, type ProviderKind } from '../../../../src-shared/contract/provider-types.ts';
import type { ProviderEntry, ProviderRow } from './provider-queries.ts';

/** The form of a provider. */
export interface ProviderDraft {
  id: string | undefined;
  type: string;
  name: string;
  enabled: boolean;
  credentialId: string;
  address: string;
  /** Empty keeps the saved one. */
  key: string;
  hasKey: boolean;
  model: string;
  /** Of an engine `llm_vision`: the vision model that reads; empty for the first one. */
  eyes: string;
  timeout: string;
  priceIn: string;
  priceOut: string;
  priceCurrency: string;
}

export const newDraft = (type: string, name: string): ProviderDraft => ({
  ...{ id: undefined, type, name, enabled: true, credentialId: '', address: '', key: '', hasKey: false },
  ...{ model: '', eyes: '', timeout: '', priceIn: '', priceOut: '', priceCurrency: '' },
});

export function draftOf(row: ProviderRow): ProviderDraft {
  const isModel = 'model' in row;
  return {
    ...{ id: row.id, type: row.type, name: row.name, enabled: row.enabled },
    credentialId: row.credential_id ?? '',
    address: isModel ? row.base_url : row.remote_url,
    key: '',
    hasKey: isModel ? row.has_api_key : row.has_remote_api_key || row.has_google_vision_key,
    model: isModel ? row.model : row.llm_model,
    eyes: isModel ? '' : row.llm_provider,
    timeout: textOf(row.timeout),
    priceIn: textOf(isModel ? row.price_in : null),
    priceOut: textOf(isModel ? row.price_out : null),
    priceCurrency: isModel ? row.price_currency : '',
  };
}

/** The entry that a form describes. */
export function entryOf(kind: ProviderKind, draft: ProviderDraft): ProviderEntry {
  const { id, type, name, enabled, credentialId, address, key, model, timeout } = draft;
  const common = {
    ...(id !== undefined && { id }),
    ...{ type, name: name.trim(), enabled, credential_id: credentialId === '' ? null : credentialId },
    timeout: numberOf(timeout),
  };
  if (kind !== 'ocr') {
    const prices = {
      ...{ price_in: numberOf(draft.priceIn), price_out: numberOf(draft.priceOut) },
      price_currency: draft.priceCurrency.trim().toUpperCase(),
    };
    return { ...common, base_url: address.trim(), model: model.trim(), api_key: key, ...prices };
  }
  if (type === 'llm_vision') return { ...common, llm_provider: draft.eyes, llm_model: model.trim() };
  const keyField = type === 'google_vision' ? 'google_vision_key' : 'remote_api_key';
  return { ...common, remote_url: address.trim(), [keyField]: key };
}

const textOf = (value: number | null): string => (value === null ? '' : String(value));
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text.replace(',', '.')));

/** Whether a type is a service with an address; the others are part of Hearth, or a program on this computer. */
export const needsAddress = (type: string): boolean => isServiceType(type);

/** What is called if no address is given. */
export const usualAddress = (type: string): string => (isServiceType(type) ? DEFAULT_ADDRESSES[type] : '');

/** A list with one entry moved by `by` places. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const entry = list[from];
  return entry === undefined || to < 0 || to >= list.length ? [...list] : rest.toSpliced(to, 0, entry);
}
