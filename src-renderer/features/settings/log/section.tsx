import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LOG_LEVELS } from '../../../../src-shared/contract/audit.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Tag, type Tone } from '../../../ui/chip.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';

const MAX_LINES = '200';
const REFRESH_MS = 5_000;
const TONES: Record<(typeof LOG_LEVELS)[number], Tone> = {
  debug: 'plain',
  info: 'plain',
  warn: 'warn',
  error: 'bad',
  fatal: 'bad',
};
/** Minimum level of the log. */
const LEVELS = ['info', 'warn', 'error'] as const;

/** The last lines of the application log, newest first. */
export default function LogSection() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const { level, module } = useSearch({ from: '/frame/settings/log' });
  const navigate = useNavigate({ from: '/settings/log' });
  const levels = LOG_LEVELS.slice(LOG_LEVELS.findIndex((candidate) => candidate === (level ?? 'info'))).join(',');
  const { data, error, refetch } = useQuery({
    queryKey: [...cacheKeys.logs, levels, module ?? ''],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => call(contract.audit.logs, { query: { limit: MAX_LINES, level: levels, module } }, signal),
  });
  const go = (change: { level?: string | undefined; module?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Panel title={t('nav_log')} aside={t('log_text')}>
      <div className="panel-body settings-filter">
        <Field label={t('log_level')}>
          {(control) => (
            <Select
              {...control}
              value={level ?? 'info'}
              options={LEVELS.map((value) => ({ value, label: t(`level_${value}`) }))}
              onChange={(event) => go({ level: event.target.value === 'info' ? undefined : event.target.value })}
            />
          )}
        </Field>
        <Field label={t('log_module')}>
          {(control) => (
            <Select
              {...control}
              value={module ?? ''}
              options={[
                { value: '', label: t('all') },
                ...(data?.modules ?? []).map((value) => ({ value, label: value })),
              ]}
              onChange={(event) => go({ module: event.target.value || undefined })}
            />
          )}
        </Field>
      </div>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={8} label={t('loading')} />}
      {data?.logs.length === 0 && <EmptyState title={t('log_empty')} />}
      <ol className="lines log-lines" lang="en" translate="no">
        {data?.logs.toReversed().map((line, index) => (
          <li key={`${data.total - index}`} className="log-row">
            <time className="cap num" dateTime={`${line.time}Z`} title={formats.momentExact(line.time)}>
              {formats.moment(line.time)}
            </time>
            <Tag tone={TONES[line.level]}>{line.level}</Tag>
            <span className="mono cap truncate">{line.module}</span>
            <span>{line.message}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
