import { useTranslation } from 'react-i18next';
import { useToasts } from '../ui/toasts.tsx';
import { call, contract } from './api.ts';

const NAMED = 3;

/** Restores a trash item and reports which documents could not be restored. Rejects if none could. */
export function useRestore(): (trashId: number) => Promise<void> {
  const { t } = useTranslation();
  const { show } = useToasts();
  return async (trashId) => {
    const { not_restored } = await call(contract.trash.restore, { params: { id: String(trashId) } });
    if (not_restored.length === 0) return;
    const names = not_restored
      .slice(0, NAMED)
      .map(({ original_filename }) => original_filename)
      .join(', ');
    show({
      text: t('settings.left_in_trash', {
        count: not_restored.length,
        names: not_restored.length > NAMED ? `${names}, …` : names,
      }),
    });
  };
}
