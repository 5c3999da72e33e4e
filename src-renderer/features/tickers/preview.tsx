import { ChartLine } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TICKER_RANGES } from '../../../src-shared/contract/ticker-ranges.ts';
import type { DeviceSettings, DeviceStatus } from '../../../src-shared/ticker/device/shapes.ts';
import { previewPages, previewView, quoteKey, rangeOf, type TriedQuotes } from '../../../src-shared/ticker/preview.ts';
import { TICKER_SIDE } from '../../../src-shared/ticker/screen.ts';
import { valueAt } from '../../../src-shared/ticker/settings/check.ts';
import { call, contract } from '../../client/api.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/field.tsx';
import type { ScreenReply, ScreenRequest } from './worker/screen-protocol.ts';

type Pixels = Uint8ClampedArray<ArrayBuffer>;

/** 240 × 240 pixels, each drawn as two by two. */
export function Screen({ pixels, label }: { pixels: Pixels | null; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (pixels !== null) canvas.current?.getContext('2d')?.putImageData(new ImageData(pixels, TICKER_SIDE), 0, 0);
  }, [pixels]);
  return (
    <canvas
      ref={canvas}
      className="ticker-screen"
      width={TICKER_SIDE}
      height={TICKER_SIDE}
      role="img"
      aria-label={label}
      aria-busy={pixels === null}
    />
  );
}

/** The pixels of a view, drawn in a worker. The last picture stays while settings are invalid. */
export function usePixels(
  settings: DeviceSettings,
  status: DeviceStatus | null,
  page: number,
  tried: TriedQuotes,
): Pixels | null {
  const [pixels, setPixels] = useState<Pixels | null>(null);
  const worker = useRef<Worker | null>(null);
  const last = useRef(0);
  useEffect(() => {
    const created = new Worker(new URL('./worker/screen.ts', import.meta.url), { type: 'module', name: 'screen' });
    created.addEventListener('message', ({ data }: MessageEvent<ScreenReply>) => {
      if (data.id === last.current && data.pixels !== null) setPixels(data.pixels);
    });
    worker.current = created;
    return () => created.terminate();
  }, []);
  useEffect(() => {
    // Networks and passwords are not drawn.
    const { wifi: _wifi, auth: _auth, apPass: _apPass, ...drawn } = settings;
    last.current += 1;
    const request: ScreenRequest = {
      id: last.current,
      settings: drawn,
      view: previewView(settings, status, page, tried),
    };
    worker.current?.postMessage(request);
  }, [settings, status, page, tried]);
  return pixels;
}

const ASKED = ['yahoo', 'cash', 'github'] as const;

/** Charts of the sources themselves; they are asked for only when somebody wants to see them. */
function useRealCharts(settings: DeviceSettings) {
  const { t } = useTranslation('tickers');
  const vocabulary = useVocabulary();
  const [tried, setTried] = useState<TriedQuotes>(new Map());
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string | null>(null);
  const wishes = settings.ticker.symbols.flatMap((row) => {
    const source = ASKED.find((one) => one === row.source);
    return source === undefined || row.symbol.trim() === '' ? [] : [{ row, source }];
  });
  const ask = async (): Promise<void> => {
    setBusy(true);
    const found = new Map(tried);
    const failures = new Set<string>();
    for (const { row, source } of wishes) {
      const range = rangeOf(settings, row);
      try {
        const { quote, failure } = await call(contract.tickers.tryQuote, {
          body: {
            ...{ source, symbol: row.symbol, range: TICKER_RANGES.find((one) => one === range) ?? '1d' },
            points: Number(valueAt(settings, 'ticker.points') ?? 48),
            repo: String(valueAt(settings, 'ticker.repo') ?? ''),
          },
        });
        if (quote) found.set(quoteKey(row, range), quote);
        if (failure) failures.add(`${row.symbol}: ${vocabulary.failure(failure)}`);
      } catch (error) {
        failures.add(vocabulary.error(error));
      }
    }
    setTried(found);
    setOutcome(failures.size > 0 ? [...failures].join(' ') : t('preview_charts_real'));
    setBusy(false);
  };
  return { tried, isBusy, outcome, ask, wishes: wishes.length };
}

/** What the device would show with the settings being edited, page by page. */
export function Preview({ settings, status }: { settings: DeviceSettings; status: DeviceStatus | null }) {
  const { t } = useTranslation('tickers');
  const [page, setPage] = useState(0);
  const pages = previewPages(settings);
  const shown = Math.min(page, Math.max(0, pages.length - 1));
  const real = useRealCharts(settings);
  const pixels = usePixels(settings, status, shown, real.tried);
  const labelOf = (at: number): string => {
    const one = pages[at];
    if (one === undefined) return t('page_none');
    if (one.kind === 'symbol') return settings.ticker.symbols[one.index]!.symbol;
    return t(`page_${one.kind}`);
  };
  return (
    <section className="ticker-preview" aria-label={t('preview')}>
      <Screen pixels={pixels} label={t('preview_of', { page: labelOf(shown) })} />
      {pages.length > 1 && (
        <Segments
          label={t('preview_page')}
          value={`${shown}`}
          options={pages.map((_, at) => ({ value: `${at}`, label: labelOf(at) }))}
          onChange={(value) => setPage(Number(value))}
        />
      )}
      <p className="cap">{t('preview_text')}</p>
      {real.wishes > 0 && (
        <span className="row">
          <Button size="small" glyph={ChartLine} disabled={real.isBusy} onClick={() => void real.ask()}>
            {t('preview_charts')}
          </Button>
        </span>
      )}
      <p className="cap" role="status">
        {real.outcome ?? (real.wishes > 0 ? t('preview_charts_text') : null)}
      </p>
    </section>
  );
}
