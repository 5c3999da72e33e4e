import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ModelUse } from '../../../../src-shared/contract/providers.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useFormats } from '../../../client/format.ts';
import { useCost } from '../../../client/model-usage.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Panel } from '../../../ui/panel.tsx';
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx';

/** What models used in the last days, for each purpose. */
export function ModelUsePanel() {
  const { t } = useTranslation('model_usage');
  const { t: inSettings } = useTranslation('settings');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useQuery({
    queryKey: cacheKeys.modelUse,
    queryFn: ({ signal }) => call(contract.providers.modelUsage, {}, signal),
    refetchOnMount: 'always',
  });
  const retry = { retryLabel: inSettings('retry'), onRetry: () => void refetch() };
  return (
    <Panel title={t('title')}>
      {error && <ErrorState message={vocabulary.error(error)} {...retry} />}
      {!data && !error && <SkeletonLines count={1} label={inSettings('loading')} />}
      {data && (
        <p className="panel-body">
          {data.uses.length === 0 ? t('none') : t('text', { date: formats.date(data.since) })}
        </p>
      )}
      {data && data.uses.length > 0 && <UseTable uses={data.uses} />}
    </Panel>
  );
}

function UseTable({ uses }: { uses: readonly ModelUse[] }) {
  const { t } = useTranslation('model_usage');
  const formats = useFormats();
  const costOf = useCost();
  return (
    <div className="table-panel" role="region" aria-label={t('title')} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('purpose')}</th>
            <th scope="col">{t('provider')}</th>
            <th scope="col">{t('answers')}</th>
            <th scope="col">{t('read')}</th>
            <th scope="col">{t('written')}</th>
            <th scope="col">{t('cost')}</th>
          </tr>
        </thead>
        <tbody>
          {uses.map((use) => (
            <tr key={`${use.purpose} ${use.provider} ${use.currency}`}>
              <td>{t(use.purpose)}</td>
              <td>{use.provider}</td>
              <td className="num">{formats.count(use.answers)}</td>
              <td className="num">{formats.count(use.tokens_in)}</td>
              <td className="num">{formats.count(use.tokens_out)}</td>
              <td className="num">{costOf(use.amount, use.currency) ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
