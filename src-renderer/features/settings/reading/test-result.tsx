import { useTranslation } from 'react-i18next';
import type { ProviderTest } from '../../../../src-shared/contract/providers.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Notice } from '../../../ui/states.tsx';

/** How a provider did in a test; announced to screen readers. */
export function TestResult({ result, error }: { result: ProviderTest | undefined; error: unknown }) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  if (error) return <Notice tone="bad">{vocabulary.error(error)}</Notice>;
  if (!result) return <div role="status" />;
  return (
    <div role="status">
      {result.failure ? (
        <Notice tone="bad">{vocabulary.failure(result.failure)}</Notice>
      ) : (
        <Notice tone="ok">
          {t('provider_works', { seconds: formats.number(Math.ceil(result.took_ms / 100) / 10) })}
        </Notice>
      )}
    </div>
  );
}
