import { Play, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SourceEntry, type SourceView, type WebhookQuote } from '../../../src-shared/contract/ticker-source.ts';
import { SYMBOL_LIMITS } from '../../../src-shared/ticker/settings/fields.ts';
import { call, contract } from '../../client/api.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ErrorState, Notice } from '../../ui/states.tsx';
import { entryOf, SOURCE_KINDS, type SourceDraft } from './source-draft.ts';

const MAX_PARTS = 50;
type Outcome = { quote: WebhookQuote | null; failure: string | null } | null;
type Change = (change: Partial<SourceDraft>) => void;

/** What a device would get for an entry, from the core. */
function useTrial() {
  const vocabulary = useVocabulary();
  const [outcome, setOutcome] = useState<Outcome>(null);
  const [isBusy, setBusy] = useState(false);
  const tryOut = async (symbol: string, entry: SourceEntry): Promise<void> => {
    setBusy(true);
    try {
      const { quote, failure } = await call(contract.tickerSourceList.tryEntry, { body: { symbol, entry } });
      setOutcome({ quote, failure: failure && vocabulary.failure(failure) });
    } catch (error) {
      setOutcome({ quote: null, failure: vocabulary.error(error) });
    }
    setBusy(false);
  };
  return { outcome, isBusy, tryOut, forget: () => setOutcome(null) };
}

/** Edits one price of the list, and tries it before it is saved. */
export function SourceForm({
  first,
  view,
  onSave,
  onCancel,
}: {
  first: SourceDraft;
  view: SourceView;
  onSave: (symbol: string, entry: SourceEntry) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation('tickers');
  const [draft, setDraft] = useState(first);
  const { outcome, isBusy, tryOut, forget } = useTrial();
  const entry = entryOf(draft);
  const symbol = draft.symbol.trim();
  const change: Change = (changed) => {
    setDraft((before) => ({ ...before, ...changed }));
    forget();
  };
  return (
    <form
      className="panel-body stack"
      aria-label={t('source_form')}
      onSubmit={(event) => {
        event.preventDefault();
        if (entry !== null) onSave(symbol, entry);
      }}
    >
      <div className="ticker-settings">
        <TextField
          label={t('source_symbol')}
          hint={t('source_symbol_hint')}
          name="symbol"
          most={SYMBOL_LIMITS.symbol.characters}
          {...{ draft, change }}
        />
        <Field label={t('source_kind')}>
          {(control) => (
            <Select
              {...control}
              value={draft.kind}
              options={SOURCE_KINDS.map((kind) => ({ value: kind, label: t(`source_kind_${kind}`) }))}
              onChange={({ target }) => change({ kind: target.value as SourceDraft['kind'] })}
            />
          )}
        </Field>
        <TextField label={t('source_name')} name="name" most={60} {...{ draft, change }} />
        {draft.kind !== 'chart' && (
          <TextField
            label={t('source_currency')}
            hint={t('source_currency_hint')}
            name="currency"
            most={10}
            {...{ draft, change }}
          />
        )}
        <OwnFields draft={draft} change={change} view={view} />
      </div>
      <Tried outcome={outcome} />
      <span className="row">
        <Button
          glyph={Play}
          disabled={entry === null || isBusy}
          onClick={() => entry !== null && void tryOut(symbol, entry)}
        >
          {t('source_try')}
        </Button>
        <span className="push row">
          <Button onClick={onCancel}>{t('source_cancel')}</Button>
          <Button type="submit" variant="primary" disabled={entry === null}>
            {t('source_save')}
          </Button>
        </span>
      </span>
    </form>
  );
}

function TextField({
  label,
  hint,
  name,
  most = 31,
  isNumber = false,
  draft,
  change,
}: {
  label: string;
  hint?: string;
  name: Exclude<keyof SourceDraft, 'kind' | 'parts'>;
  most?: number;
  isNumber?: boolean;
  draft: SourceDraft;
  change: Change;
}) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <Input
          {...control}
          {...(isNumber && { type: 'number', step: 'any' })}
          value={draft[name]}
          maxLength={most}
          onChange={({ target }) => change({ [name]: target.value })}
        />
      )}
    </Field>
  );
}

/** The fields that only this kind of price has. */
function OwnFields({ draft, change, view }: { draft: SourceDraft; change: Change; view: SourceView }) {
  const { t } = useTranslation('tickers');
  if (draft.kind === 'fixed')
    return (
      <>
        <TextField label={t('source_price')} name="price" isNumber {...{ draft, change }} />
        <TextField label={t('source_change')} name="change" isNumber {...{ draft, change }} />
      </>
    );
  if (draft.kind === 'chart')
    return <TextField label={t('find_yahoo')} hint={t('source_chart_leaves')} name="chart" {...{ draft, change }} />;
  if (draft.kind === 'portfolio') return <Parts draft={draft} change={change} view={view} />;
  const names = view.files.includes(draft.path) || draft.path === '' ? view.files : [draft.path, ...view.files];
  const hint = view.folder === null ? t('source_file_elsewhere') : t('source_file_hint', { folder: view.folder });
  return (
    <>
      <Field label={t('source_file')} hint={hint}>
        {(control) => (
          <Select
            {...control}
            value={draft.path}
            options={[
              { value: '', label: t('source_file_none') },
              ...names.map((name) => ({ value: name, label: name })),
            ]}
            onChange={({ target }) => change({ path: target.value })}
          />
        )}
      </Field>
      <TextField
        label={t('source_field')}
        hint={t('source_field_hint')}
        name="field"
        most={60}
        {...{ draft, change }}
      />
    </>
  );
}

function Parts({ draft, change, view }: { draft: SourceDraft; change: Change; view: SourceView }) {
  const { t } = useTranslation('tickers');
  const { parts } = draft;
  const others = view.symbols.map(({ symbol }) => symbol).filter((symbol) => symbol !== draft.symbol.trim());
  const replace = (at: number, part: Partial<SourceDraft['parts'][number]>): void =>
    change({ parts: parts.map((one, index) => (index === at ? { ...one, ...part } : one)) });
  return (
    <div className="stack">
      <span className="cap">{t('source_parts_hint')}</span>
      {parts.map((part, at) => {
        const names = part.symbol === '' || others.includes(part.symbol) ? others : [part.symbol, ...others];
        return (
          <div key={at} className="ticker-known">
            <Select
              aria-label={t('source_part', { at: at + 1 })}
              value={part.symbol}
              options={[
                { value: '', label: t('source_part_none') },
                ...names.map((name) => ({ value: name, label: name })),
              ]}
              onChange={({ target }) => replace(at, { symbol: target.value })}
            />
            <Input
              type="number"
              min={0}
              step="any"
              aria-label={t('source_quantity', { at: at + 1 })}
              value={part.quantity}
              onChange={({ target }) => replace(at, { quantity: target.value })}
            />
            <IconButton
              glyph={Trash2}
              label={t('source_part_remove', { at: at + 1 })}
              disabled={parts.length === 1}
              onClick={() => change({ parts: parts.filter((_, index) => index !== at) })}
            />
          </div>
        );
      })}
      <span>
        <Button
          size="small"
          glyph={Plus}
          disabled={parts.length >= MAX_PARTS}
          onClick={() => change({ parts: [...parts, { symbol: '', quantity: '1' }] })}
        >
          {t('source_part_add')}
        </Button>
      </span>
    </div>
  );
}

function Tried({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('tickers');
  const formats = useFormats();
  return (
    <div role="status">
      {outcome?.failure != null && <ErrorState message={outcome.failure} />}
      {outcome?.quote && (
        <Notice tone="ok">
          {t('source_tried', {
            name: outcome.quote.name,
            price: `${outcome.quote.currency}${formats.number(outcome.quote.price)}`,
            count: outcome.quote.spark.length,
          })}
        </Notice>
      )}
    </div>
  );
}
