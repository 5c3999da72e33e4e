import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { TICKER_RANGES } from '../../../src-shared/contract/ticker-ranges.ts';
import type { TickerSymbol } from '../../../src-shared/ticker/device/shapes.ts';
import { valueAt } from '../../../src-shared/ticker/settings/check.ts';
import { MAX_SYMBOLS, TICKER_SOURCES } from '../../../src-shared/ticker/settings/fields.ts';
import { Button } from '../../ui/button.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type SettingsForm, useProblem } from './setting-control.tsx';

const EMPTY: TickerSymbol = { symbol: '', name: '', source: 'yahoo', qty: 0, cost: 0 };
const PATH = 'ticker.symbols';
const ROW_KEYS = ['symbol', 'source', 'name', 'qty', 'cost', 'range', 'pollSec', 'above', 'below'] as const;

/** The symbols that a device turns through, in their order. */
export function SymbolsPanel({ form }: { form: SettingsForm }) {
  const { t } = useTranslation('tickers');
  const symbols = valueAt(form.settings, PATH) as readonly TickerSymbol[];
  const replace = (list: readonly TickerSymbol[]): void => form.change(PATH, list);
  const swap = (one: number, other: number): void => {
    const list = [...symbols];
    [list[one], list[other]] = [list[other]!, list[one]!];
    replace(list);
  };
  return (
    <Panel
      title={t('symbols')}
      aside={t('symbols_count', { count: symbols.length, most: MAX_SYMBOLS })}
      actions={
        <Button
          size="small"
          glyph={Plus}
          disabled={symbols.length >= MAX_SYMBOLS}
          onClick={() => replace([...symbols, EMPTY])}
        >
          {t('symbol_add')}
        </Button>
      }
    >
      {symbols.length === 0 && <p className="panel-body muted">{t('symbols_none')}</p>}
      <ul className="lines">
        {symbols.map((row, at) => (
          <li key={at} className="ticker-symbol">
            <SymbolRow
              row={row}
              at={at}
              form={form}
              onChange={(changed) => replace(symbols.map((other, index) => (index === at ? changed : other)))}
            />
            <span className="row">
              <IconButton
                glyph={ArrowUp}
                label={t('symbol_up', { at: at + 1 })}
                disabled={at === 0}
                onClick={() => swap(at, at - 1)}
              />
              <IconButton
                glyph={ArrowDown}
                label={t('symbol_down', { at: at + 1 })}
                disabled={at === symbols.length - 1}
                onClick={() => swap(at, at + 1)}
              />
              <IconButton
                glyph={Trash2}
                label={t('symbol_remove', { at: at + 1 })}
                onClick={() => replace(symbols.filter((_, index) => index !== at))}
              />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function SymbolRow({
  row,
  at,
  form,
  onChange,
}: {
  row: TickerSymbol;
  at: number;
  form: SettingsForm;
  onChange: (row: TickerSymbol) => void;
}) {
  const { t } = useTranslation('tickers');
  const problemOf = useProblem(form);
  const errors = ROW_KEYS.flatMap((key) => problemOf(`${PATH}.${at}.${key}`) ?? []);
  const input = (key: Exclude<(typeof ROW_KEYS)[number], 'source' | 'range'>) => {
    const isNumber = key !== 'symbol' && key !== 'name';
    return (
      <Input
        aria-label={t(`symbol_${key}`, { at: at + 1 })}
        placeholder={t(`column_${key}`)}
        aria-invalid={problemOf(`${PATH}.${at}.${key}`) ? true : undefined}
        inputMode={isNumber ? 'decimal' : undefined}
        type={isNumber ? 'number' : 'text'}
        min={isNumber ? 0 : undefined}
        step={key === 'pollSec' ? 1 : 'any'}
        value={isNumber && !row[key] ? '' : row[key]}
        onChange={({ target }) => onChange({ ...row, [key]: isNumber ? Number(target.value) : target.value })}
      />
    );
  };
  return (
    <div className="ticker-symbol-fields">
      {input('symbol')}
      <Select
        aria-label={t('symbol_source', { at: at + 1 })}
        value={row.source}
        options={TICKER_SOURCES.map((source) => ({ value: source, label: t(`source_${source}`) }))}
        onChange={({ target }) => onChange({ ...row, source: target.value as TickerSymbol['source'] })}
      />
      {input('name')}
      {input('qty')}
      {input('cost')}
      <Select
        aria-label={t('symbol_range', { at: at + 1 })}
        value={row.range ?? ''}
        options={[
          { value: '', label: t('range_of_all') },
          ...TICKER_RANGES.map((range) => ({ value: range, label: t(`choice.${range}`) })),
        ]}
        onChange={({ target }) => onChange({ ...row, range: target.value })}
      />
      {input('pollSec')}
      {input('above')}
      {input('below')}
      {errors.length > 0 && <span className="form-error">{errors.join(' ')}</span>}
    </div>
  );
}
