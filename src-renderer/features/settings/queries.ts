import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SettingName } from '../../../src-shared/contract/setting-keys.ts';
import type { SettingsPatch, SettingsView } from '../../../src-shared/contract/settings.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useToasts } from '../../client/toasts.tsx';

/** All settings; for secrets only whether one is set. */
export const useSettings = () =>
  useQuery({ queryKey: cacheKeys.settings, queryFn: ({ signal }) => call(contract.settings.get, {}, signal) });

/** The patch that reverts another one; replaced secrets can't be restored. */
export const backOf = (before: SettingsView, patch: SettingsPatch): SettingsPatch =>
  Object.fromEntries(
    (Object.keys(patch) as SettingName[])
      .filter((name) => name in before)
      .map((name) => [name, (before as Record<string, unknown>)[name]]),
  );

/** Saves settings and offers to undo the change. */
export function useSaveSettings() {
  const client = useQueryClient();
  const { begin } = useToasts();
  const save = (view: SettingsView): void => {
    client.setQueryData(cacheKeys.settings, view);
    for (const queryKey of [cacheKeys.oidc, cacheKeys.pipeline]) void client.invalidateQueries({ queryKey });
  };
  return useMutation({
    mutationFn: (patch: SettingsPatch) => call(contract.settings.update, { body: patch }),
    onMutate: () => ({ before: client.getQueryData<SettingsView>(cacheKeys.settings), change: begin() }),
    onError: (_, __, context) => context?.change.drop(),
    onSuccess: (view, patch, { before, change }) => {
      save(view);
      const back = before && backOf(before, patch);
      const undo =
        back && Object.keys(back).length > 0
          ? () => call(contract.settings.update, { body: back }).then(save)
          : undefined;
      change.done({ text: ({ t }) => t('saved', { ns: 'settings' }), ...(undo && { undo }) });
    },
  });
}
