import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Tag } from '../../../ui/chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { PromptEditor } from './editor.tsx';

/** What language models are told: the list, or the one that is open. */
export default function PromptsSection() {
  const { t } = useTranslation('settings');
  const words = useVocabulary();
  const { key } = useSearch({ from: '/frame/settings/prompts' });
  const { data, error, refetch } = useQuery({
    queryKey: cacheKeys.prompts,
    queryFn: ({ signal }) => call(contract.prompts.list, {}, signal),
  });
  const open = data?.find((prompt) => prompt.key === key);
  if (open) return <PromptEditor key={open.key + open.text} prompt={open} />;
  return (
    <Panel title={t('nav_prompts')} aside={t('prompts_text')}>
      {error && <ErrorState message={words.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={8} label={t('loading')} />}
      <ul className="lines">
        {data?.map((prompt) => (
          <li key={prompt.key}>
            <Link to="/settings/prompts" search={(search) => ({ ...search, key: prompt.key })} className="prompt-row">
              <span className="strong">{t(`prompt_${prompt.key}`)}</span>
              <span className="mono cap truncate">{prompt.key}</span>
              {prompt.is_custom ? <Tag tone="accent">{t('prompt_custom')}</Tag> : <span />}
              <Icon glyph={ChevronRight} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
