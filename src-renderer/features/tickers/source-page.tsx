import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SourceEntry, SourceView } from '../../../src-shared/contract/ticker-source.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useMe } from '../../client/session.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, ErrorState, Notice, SkeletonLines } from '../../ui/states.tsx';
import { SourceDevices } from './source-devices.tsx';
import { draftOf, EMPTY_DRAFT, type SourceDraft } from './source-draft.ts';
import { SourceForm } from './source-form.tsx';
import { type ApplyChange, useApply } from './use-source.ts';
import './tickers.css';

/** The prices that tickers in the home network may fetch from Hearth. */
export default function SourcePage() {
  const { t } = useTranslation('tickers');
  const vocabulary = useVocabulary();
  const isAdmin = useMe()?.role === 'admin';
  const { data, error, refetch } = useQuery({
    queryKey: cacheKeys.tickerSource,
    queryFn: ({ signal }) => call(contract.tickerSourceList.get, {}, signal),
    enabled: isAdmin,
  });
  const apply = useApply();
  return (
    <div className="page stack">
      <div className="page-head">
        <h1>{t('source_page')}</h1>
        <span className="push">
          <Link to="/tickers/network" className={buttonClass()}>
            {t('network_page')}
          </Link>
        </span>
      </div>
      <p className="muted">{t('source_text')}</p>
      {!isAdmin && <Notice tone="warn">{t('source_admins')}</Notice>}
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {isAdmin && !data && !error && <SkeletonLines count={4} label={t('source_reading')} />}
      {data?.is_file && <Notice tone="warn">{t('source_is_file')}</Notice>}
      {data && <StatePanel view={data} apply={apply} />}
      {data && !data.is_file && <SourceDevices view={data} apply={apply} />}
      {data && !data.is_file && <SymbolList view={data} apply={apply} />}
    </div>
  );
}

function StatePanel({ view, apply }: { view: SourceView; apply: ApplyChange }) {
  const { t } = useTranslation('tickers');
  const { state, is_file: isFile, addresses } = view;
  const isOn = state !== 'off';
  const turn = (is_on: boolean) => (): Promise<SourceView> => call(contract.tickerSourceList.turn, { body: { is_on } });
  const change = (): void =>
    void apply(
      turn(!isOn),
      (words) => words.t(isOn ? 'source_turned_off' : 'source_turned_on', { ns: 'tickers' }),
      turn(isOn),
    );
  return (
    <section className="panel panel-body stack" aria-label={t('source_state')}>
      <Checkbox label={t('source_on')} checked={isOn} disabled={isFile} onChange={change} />
      <p className="cap">{t('source_on_text')}</p>
      {state === 'on' && <p>{t('source_reached', { addresses: addresses.join(', ') })}</p>}
      {state === 'failed' && <Notice tone="bad">{t('source_failed')}</Notice>}
    </section>
  );
}

function SymbolList({ view, apply }: { view: SourceView; apply: ApplyChange }) {
  const { t } = useTranslation('tickers');
  /** The symbol that is edited; empty for a new one, null for none. */
  const [edited, setEdited] = useState<{ before: string | null; draft: SourceDraft } | null>(null);
  const { symbols } = view;
  const { setSymbol } = contract.tickerSourceList;
  const save = async (symbol: string, entry: SourceEntry): Promise<void> => {
    const before = edited?.before ?? null;
    const old = symbols.find((one) => one.symbol === before);
    const isSaved = await apply(
      () => call(setSymbol, { body: { symbol, before, entry } }),
      (words) => words.t('source_saved', { ns: 'tickers', symbol }),
      () =>
        call(setSymbol, {
          body: old ? { symbol: old.symbol, before: symbol, entry: old.entry } : { symbol, entry: null },
        }),
    );
    if (isSaved) setEdited(null);
  };
  const remove = (symbol: string, entry: SourceEntry): void =>
    void apply(
      () => call(setSymbol, { body: { symbol, entry: null } }),
      (words) => words.t('source_removed', { ns: 'tickers', symbol }),
      () => call(setSymbol, { body: { symbol, entry } }),
    );
  return (
    <Panel
      title={t('source_prices')}
      aside={symbols.length}
      actions={
        <Button
          size="small"
          glyph={Plus}
          className="push"
          onClick={() => setEdited({ before: null, draft: EMPTY_DRAFT })}
        >
          {t('source_add')}
        </Button>
      }
    >
      {edited && (
        <SourceForm
          key={edited.before ?? ''}
          first={edited.draft}
          view={view}
          onSave={(symbol, entry) => void save(symbol, entry)}
          onCancel={() => setEdited(null)}
        />
      )}
      {symbols.length === 0 && !edited && <EmptyState title={t('source_none')}>{t('source_none_text')}</EmptyState>}
      <ul className="lines">
        {symbols.map(({ symbol, entry }) => (
          <li key={symbol} className="ticker-change">
            <span>
              <span className="strong">{symbol}</span> <span className="cap">{t(`source_kind_${entry.kind}`)}</span>
            </span>
            <span className="row">
              <IconButton
                glyph={Pencil}
                label={t('source_edit', { symbol })}
                onClick={() => setEdited({ before: symbol, draft: draftOf(symbol, entry) })}
              />
              <IconButton glyph={Trash2} label={t('source_remove', { symbol })} onClick={() => remove(symbol, entry)} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
