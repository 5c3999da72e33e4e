import { Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundSymbol, TriedQuote } from '../../../src-shared/contract/tickers.ts';
import { TICKER_RANGES } from '../../../src-shared/contract/ticker-ranges.ts';
import type { TickerSymbol } from '../../../src-shared/ticker/device/shapes.ts';
import { call, contract } from '../../client/api.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Segments } from '../../ui/field.tsx';
import { ErrorState, Notice } from '../../ui/states.tsx';

type Source = 'cash' | 'yahoo';
interface Outcome {
  found: readonly FoundSymbol[] | null;
  quote: TriedQuote | null;
  failure: string | null;
}
const NOTHING: Outcome = { found: null, quote: null, failure: null };

/** Finds symbols at the portal, and tries one at the chart endpoint. Only a search leaves this computer. */
export function SymbolFinder({ range, onAdd }: { range: unknown; onAdd: (symbol: TickerSymbol) => void }) {
  const { t } = useTranslation('tickers');
  const vocabulary = useVocabulary();
  const [source, setSource] = useState<Source>('cash');
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome>(NOTHING);
  const [isBusy, setBusy] = useState(false);
  const ask = async (): Promise<void> => {
    setBusy(true);
    try {
      setOutcome(source === 'cash' ? await searchPortal(text) : await tryChart(text.trim(), range, vocabulary.failure));
    } catch (error) {
      setOutcome({ ...NOTHING, failure: vocabulary.error(error) });
    }
    setBusy(false);
  };
  return (
    <form
      className="panel-body stack"
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <Segments
        label={t('find_source')}
        value={source}
        options={[
          { value: 'cash', label: t('source_cash') },
          { value: 'yahoo', label: t('source_yahoo') },
        ]}
        onChange={(value) => {
          setSource(value);
          setOutcome(NOTHING);
        }}
      />
      <Field label={t(`find_${source}`)} hint={t(`find_leaves_${source}`)}>
        {(control) => (
          <Input {...control} value={text} maxLength={300} onChange={({ target }) => setText(target.value)} />
        )}
      </Field>
      <span>
        <Button type="submit" glyph={Search} disabled={isBusy || text.trim() === ''}>
          {t(source === 'cash' ? 'find_search' : 'find_try')}
        </Button>
      </span>
      {outcome.failure !== null && <ErrorState message={outcome.failure} />}
      {outcome.found?.length === 0 && <p className="muted">{t('find_nothing')}</p>}
      {outcome.found && outcome.found.length > 0 && <Found found={outcome.found} onAdd={onAdd} />}
      {outcome.quote && <Tried symbol={text.trim()} quote={outcome.quote} onAdd={onAdd} />}
    </form>
  );
}

async function searchPortal(text: string): Promise<Outcome> {
  const { found } = await call(contract.tickers.search, { body: { text } });
  return { ...NOTHING, found };
}

async function tryChart(
  symbol: string,
  range: unknown,
  wordOf: ReturnType<typeof useVocabulary>['failure'],
): Promise<Outcome> {
  const span = TICKER_RANGES.find((one) => one === range) ?? '1d';
  const body = { source: 'yahoo' as const, symbol, range: span, points: 48 };
  const { quote, failure } = await call(contract.tickers.tryQuote, { body });
  return { ...NOTHING, quote, failure: failure && wordOf(failure) };
}

const rowOf = (symbol: string, name: string, source: Source): TickerSymbol => ({
  symbol,
  name: [...name].slice(0, 19).join(''),
  source,
  qty: 0,
  cost: 0,
});

function Found({ found, onAdd }: { found: readonly FoundSymbol[]; onAdd: (symbol: TickerSymbol) => void }) {
  const { t } = useTranslation('tickers');
  return (
    <ul className="lines" aria-label={t('find_found')}>
      {found.map(({ key, name, market, currency, isin }) => (
        <li key={key} className="ticker-change">
          <span>
            {name} <span className="cap">{[market, currency, isin, key].filter(Boolean).join(' · ')}</span>
          </span>
          <Button size="small" glyph={Plus} onClick={() => onAdd(rowOf(key, name, 'cash'))}>
            {t('find_add', { name })}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Tried({ symbol, quote, onAdd }: { symbol: string; quote: TriedQuote; onAdd: (symbol: TickerSymbol) => void }) {
  const { t } = useTranslation('tickers');
  const formats = useFormats();
  return (
    <Notice tone="ok">
      {t('find_tried', { name: quote.name, price: formats.number(quote.price), currency: quote.currency })}{' '}
      <Button size="small" glyph={Plus} onClick={() => onAdd(rowOf(symbol, quote.name, 'yahoo'))}>
        {t('find_add', { name: quote.name })}
      </Button>
    </Notice>
  );
}
