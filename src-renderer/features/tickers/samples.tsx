import { useTranslation } from 'react-i18next';
import { deviceSettings } from '../../../src-shared/ticker/device/shapes.ts';
import { previewPages, type TriedQuotes } from '../../../src-shared/ticker/preview.ts';
import { Screen, usePixels } from './preview.tsx';

/** A device that turns through its prices and the clock; its prices are invented where they are drawn. */
const SAMPLE = deviceSettings.parse({
  hostname: 'ticker',
  chip: 'ESP32',
  wifi: [],
  mode: 'carousel',
  ticker: { watchlist: true, symbols: ['AAPL', 'SAP', 'DAX', 'BTC'].map((symbol) => ({ symbol })) },
});
const PAGES = previewPages(SAMPLE);
/** A price with its chart, the list, and the clock. */
const SHOWN = [0, PAGES.length - 2, PAGES.length - 1];

/** What a ticker is, for somebody who sees the page for the first time: its screens, drawn by the firmware's code. */
export function Samples() {
  const { t } = useTranslation('tickers');
  return (
    <figure className="ticker-samples">
      <div>
        {SHOWN.map((page) => (
          <Sample key={page} page={page} />
        ))}
      </div>
      <figcaption className="muted">{t('samples_text')}</figcaption>
    </figure>
  );
}

const NO_QUOTES: TriedQuotes = new Map();

function Sample({ page }: { page: number }) {
  const { t } = useTranslation('tickers');
  const kind = PAGES[page]?.kind ?? 'clock';
  const pixels = usePixels(SAMPLE, null, page, NO_QUOTES);
  const label = kind === 'symbol' ? (SAMPLE.ticker.symbols[0]?.symbol ?? '') : t(`page_${kind}`);
  return <Screen pixels={pixels} label={t('preview_of', { page: label })} />;
}
