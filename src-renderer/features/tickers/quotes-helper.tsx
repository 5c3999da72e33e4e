import { Download, FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { TickerSymbol } from '../../../src-shared/ticker/device/shapes.ts';
import { TickerError } from '../../../src-shared/ticker/flash/ticker-error.ts';
import { extendQuotesConfig, publishable } from '../../../src-shared/ticker/quotes-config.ts';
import { saveFile } from '../../client/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Failure } from './failure.tsx';

const FILE = 'quotes-config.json';
const MAX_FILE_BYTES = 256 * 1024;
const STEPS = ['fork', 'file', 'actions', 'run', 'repo'] as const;

/** Writes the list of prices that a fork publishes, and says what else to do there. */
export function QuotesHelper({ symbols }: { symbols: readonly TickerSymbol[] }) {
  const { t } = useTranslation('tickers');
  const [failure, setFailure] = useState<ErrorReference | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const count = publishable(symbols).length;
  const save = (existing: { name: string; text: string } | null): void => {
    setFailure(null);
    try {
      saveFile(new Blob([extendQuotesConfig(existing, symbols)], { type: 'application/json' }), FILE);
    } catch (error) {
      if (error instanceof TickerError) setFailure(error.reference);
      else throw error;
    }
  };
  return (
    <Panel title={t('quotes_title')}>
      <div className="panel-body stack">
        <p className="muted">{t('quotes_text', { count })}</p>
        <ol className="ticker-steps-list">
          {STEPS.map((step) => (
            <li key={step}>{t(`quotes_${step}`)}</li>
          ))}
        </ol>
        {failure && <Failure failure={failure} />}
        <span className="row">
          <Button glyph={Download} disabled={count === 0} onClick={() => save(null)}>
            {t('quotes_new')}
          </Button>
          <Button glyph={FileUp} disabled={count === 0} onClick={() => input.current?.click()}>
            {t('quotes_extend')}
          </Button>
        </span>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label={t('quotes_extend')}
          onChange={({ target }) => {
            const file = target.files?.[0];
            target.value = '';
            if (file && file.size <= MAX_FILE_BYTES) void file.text().then((text) => save({ name: file.name, text }));
          }}
        />
      </div>
    </Panel>
  );
}
