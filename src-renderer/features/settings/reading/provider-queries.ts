import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  CredentialRow,
  LlmRow,
  OcrRow,
  ProviderTest,
  VisionRow,
} from '../../../../src-shared/contract/providers.ts';
import type { ProviderKind } from '../../../../src-shared/contract/provider-types.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useToasts } from '../../../client/toasts.tsx';

export type ProviderRow = LlmRow | VisionRow | OcrRow;
/** A provider as it is sent; fields of replies are ignored by the service. */
export type ProviderEntry = { type: string; name: string; id?: string } & Record<string, unknown>;
export type CredentialEntry = Partial<CredentialRow> & { type: CredentialRow['type']; name: string };

const CALLS = {
  llm: { list: contract.providers.llm, save: contract.providers.saveLlm, test: contract.providers.testLlm },
  ocr: { list: contract.providers.ocr, save: contract.providers.saveOcr, test: contract.providers.testOcr },
  vision: { list: contract.providers.vision, save: contract.providers.saveVision, test: contract.providers.testVision },
} as const;

export const useProviders = (kind: ProviderKind) =>
  useQuery({
    queryKey: cacheKeys.providers(kind),
    queryFn: ({ signal }): Promise<ProviderRow[]> => call(CALLS[kind].list, {}, signal),
  });

/**
 * Replaces a list. The update is optimistic; a change of order or a switch can be undone. Whole lists are sent, so one
 * waits for the one before it, and the list is asked for again after the last: an older answer would show the state
 * before a change that is on its way.
 */
export function useSaveProviders(kind: ProviderKind) {
  const client = useQueryClient();
  const queryKey = cacheKeys.providers(kind);
  const mutationKey = ['save-providers', kind];
  const { begin } = useToasts();
  // The service checks the entries; each kind has its own shape.
  const send = (entries: readonly ProviderEntry[]) => call(CALLS[kind].save, { body: entries as never });
  const refresh = () => {
    for (const key of [cacheKeys.allProviders, cacheKeys.pipeline]) void client.invalidateQueries({ queryKey: key });
  };
  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ entries }: { entries: readonly ProviderEntry[]; canUndo?: boolean }) => send(entries),
    onMutate: async ({ entries, canUndo }) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<ProviderRow[]>(queryKey);
      if (canUndo) client.setQueryData(queryKey, entries);
      return { before, change: begin() };
    },
    onSuccess: (_, { canUndo }, { before, change }) =>
      change.done({
        text: ({ t }) => t('saved', { ns: 'settings' }),
        ...(canUndo && before && { undo: () => send(before as ProviderEntry[]).then(refresh) }),
      }),
    onError: (error, { canUndo }, context) => {
      if (canUndo) client.setQueryData(queryKey, context?.before);
      context?.change.fail(error);
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey }) === 1) refresh();
    },
  });
}

/** Lets a saved provider, or one from a form, read something small. */
export const useTestProvider = (kind: ProviderKind) =>
  useMutation({
    mutationFn: (body: { provider_id: string } | { provider: ProviderEntry }): Promise<ProviderTest> =>
      call(CALLS[kind].test, { body: body as never }),
  });

export const useGeneralModel = () =>
  useQuery({
    queryKey: cacheKeys.generalModel,
    queryFn: ({ signal }) => call(contract.providers.general, {}, signal),
  });

/** While vectors are made, the state is asked again. */
export const useEmbeddingModel = () =>
  useQuery({
    queryKey: cacheKeys.embeddingModel,
    queryFn: ({ signal }) => call(contract.meaning.show, {}, signal),
    refetchInterval: ({ state: { data } }) => (data?.configured && data.state !== 'complete' ? 2000 : false),
  });

export function useSaveEmbeddingModel() {
  const client = useQueryClient();
  const { show, showError } = useToasts();
  return useMutation({
    mutationFn: (body: unknown) => call(contract.meaning.save, { body: body as never }),
    onSuccess: () => show({ text: ({ t }) => t('saved', { ns: 'settings' }) }),
    onError: showError,
    onSettled: () => void client.invalidateQueries({ queryKey: cacheKeys.allProviders }),
  });
}

export function useSaveGeneralModel() {
  const client = useQueryClient();
  const { show, showError } = useToasts();
  return useMutation({
    mutationFn: (body: unknown) => call(contract.providers.saveGeneral, { body: body as never }),
    onSuccess: () => show({ text: ({ t }) => t('saved', { ns: 'settings' }) }),
    onError: showError,
    onSettled: () => void client.invalidateQueries({ queryKey: cacheKeys.allProviders }),
  });
}

/** Models in files, and the folder for them. Somebody may have put one there since. */
export const useLocalModels = () =>
  useQuery({
    queryKey: cacheKeys.localModels,
    queryFn: ({ signal }) => call(contract.providers.localModels, {}, signal),
    refetchOnMount: 'always',
  });

export const useCredentials = () =>
  useQuery({
    queryKey: cacheKeys.credentials,
    queryFn: ({ signal }) => call(contract.providers.credentials, {}, signal),
  });

export function useSaveCredentials(onSaved: () => void) {
  const client = useQueryClient();
  const { show, showError } = useToasts();
  return useMutation({
    mutationFn: (entries: readonly CredentialEntry[]) =>
      call(contract.providers.saveCredentials, { body: entries as never }),
    onSuccess: () => {
      onSaved();
      show({ text: ({ t }) => t('saved', { ns: 'settings' }) });
    },
    onError: showError,
    onSettled: () => void client.invalidateQueries({ queryKey: cacheKeys.allProviders }),
  });
}
