import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../../../../src-shared/contract/audit.ts';
import { AUDIT_ACTIONS } from '../../../../src-shared/contract/endpoint.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { DateInput } from '../../../ui/date-input.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { useMatrix } from '../people/queries.ts';
import { useAuditLabels } from './labels.ts';

const PAGE = 100;

/** The audit log: action, user and IP address. All filters are part of the address. */
export default function AuditSection() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const search = useSearch({ from: '/frame/settings/audit' });
  const navigate = useNavigate({ from: '/settings/audit' });
  const offset = Number(search.offset ?? 0) || 0;
  const { action, user_id, date_from, date_to } = search;
  const filter = { action, user_id, date_from, date_to };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...cacheKeys.auditLog, filter, offset],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(contract.audit.list, { query: { ...filter, limit: String(PAGE), offset: String(offset) } }, signal),
  });
  const go = (change: Partial<typeof search>): void =>
    void navigate({ search: (before) => ({ ...before, offset: undefined, ...change }), replace: true });
  const page = (to: number): void => go({ offset: to > 0 ? String(to) : undefined });
  return (
    <Panel
      title={t('nav_audit')}
      aside={data && t('audit_total', { count: data.total, shown: formats.count(data.total) })}
    >
      <AuditFilter filter={filter} onChange={go} />
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={8} label={t('loading')} />}
      {data?.items.length === 0 && <EmptyState title={t('audit_empty')} />}
      {data && data.items.length > 0 && <AuditTable items={data.items} stale={isPlaceholderData} />}
      {data && data.total > PAGE && (
        <div className="panel-body row">
          <Button
            size="small"
            glyph={ChevronLeft}
            disabled={offset === 0}
            onClick={() => page(Math.max(0, offset - PAGE))}
          >
            {t('newer')}
          </Button>
          <span className="cap num">
            {t('audit_range', {
              from: formats.count(offset + 1),
              to: formats.count(Math.min(offset + PAGE, data.total)),
            })}
          </span>
          <Button
            size="small"
            glyph={ChevronRight}
            disabled={offset + PAGE >= data.total}
            onClick={() => page(offset + PAGE)}
          >
            {t('older')}
          </Button>
        </div>
      )}
    </Panel>
  );
}

type Filter = { [K in 'action' | 'user_id' | 'date_from' | 'date_to']?: string | undefined };

function AuditFilter({ filter, onChange }: { filter: Filter; onChange: (change: Filter) => void }) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  const { action: actionWord } = useAuditLabels();
  const { data } = useMatrix();
  const actions = AUDIT_ACTIONS.map((value) => ({ value, label: actionWord(value) })).sort((a, b) =>
    a.label.localeCompare(b.label),
  );
  return (
    <div className="panel-body settings-filter">
      <Field label={t('audit_action')}>
        {(control) => (
          <Select
            {...control}
            value={filter.action ?? ''}
            options={[{ value: '', label: t('all') }, ...actions]}
            onChange={(event) => onChange({ action: event.target.value || undefined })}
          />
        )}
      </Field>
      <Field label={t('user')}>
        {(control) => (
          <Select
            {...control}
            value={filter.user_id ?? ''}
            options={[
              { value: '', label: t('all') },
              ...(data?.users ?? []).map((user) => ({ value: String(user.id), label: user.display_name })),
            ]}
            onChange={(event) => onChange({ user_id: event.target.value || undefined })}
          />
        )}
      </Field>
      <Field label={t('from')}>
        {(control) => (
          <DateInput
            {...control}
            locale={formats.locale}
            value={filter.date_from ?? ''}
            onChange={(civil) => onChange({ date_from: civil || undefined })}
          />
        )}
      </Field>
      <Field label={t('to')}>
        {(control) => (
          <DateInput
            {...control}
            locale={formats.locale}
            value={filter.date_to ?? ''}
            onChange={(civil) => onChange({ date_to: civil || undefined })}
          />
        )}
      </Field>
    </div>
  );
}

function AuditTable({ items, stale: isStale }: { items: AuditEntry[]; stale: boolean }) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  const labels = useAuditLabels();
  return (
    <div className="table-panel" role="region" aria-label={t('nav_audit')} tabIndex={0} aria-busy={isStale}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('when')}</th>
            <th scope="col">{t('user')}</th>
            <th scope="col">{t('audit_action')}</th>
            <th scope="col">{t('details')}</th>
            <th scope="col">{t('address')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((entry) => (
            <tr key={entry.id}>
              <td className="num" title={formats.momentExact(entry.created_at)}>
                {formats.moment(entry.created_at)}
              </td>
              <td>
                {entry.username ?? <span className="cap">{t(entry.ip_address === null ? 'itself' : 'nobody')}</span>}
              </td>
              <td>{labels.action(entry.action)}</td>
              <td className="audit-details muted">{labels.details(entry)}</td>
              <td className="mono">{entry.ip_address}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
