import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSettings, DeviceStatus } from '../../../src-shared/ticker/device/shapes.ts';
import { previewPages, previewView } from '../../../src-shared/ticker/preview.ts';
import { TICKER_SIDE } from '../../../src-shared/ticker/screen.ts';
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
function usePixels(settings: DeviceSettings, status: DeviceStatus | null, page: number): Pixels | null {
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
      view: previewView(settings, status, page),
    };
    worker.current?.postMessage(request);
  }, [settings, status, page]);
  return pixels;
}

/** What the device would show with the settings being edited, page by page. */
export function Preview({ settings, status }: { settings: DeviceSettings; status: DeviceStatus | null }) {
  const { t } = useTranslation('tickers');
  const [page, setPage] = useState(0);
  const pages = previewPages(settings);
  const shown = Math.min(page, Math.max(0, pages.length - 1));
  const pixels = usePixels(settings, status, shown);
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
    </section>
  );
}
