import { useToasts } from './toasts.tsx';
import { call, contract } from './api.ts';

const NAMED = 3;

/**
 * Restores a trash item and reports which documents could not be restored, and which studies are there twice now.
 * Rejects if no document could be restored.
 */
export function useRestore(): (trashId: number) => Promise<void> {
  const { show } = useToasts();
  return async (trashId) => {
    const { not_restored, separate_studies } = await call(contract.trash.restore, { params: { id: String(trashId) } });
    if (separate_studies.length > 0)
      show({ text: ({ t }) => t('settings.separate_studies', { count: separate_studies.length }) });
    if (not_restored.length === 0) return;
    show({
      text: ({ t, titles }) => {
        const names = not_restored.slice(0, NAMED).map(({ original_filename }) => titles.fileName(original_filename));
        return t('settings.left_in_trash', {
          count: not_restored.length,
          names: [...names, ...(not_restored.length > NAMED ? ['…'] : [])].join(', '),
        });
      },
    });
  };
}
