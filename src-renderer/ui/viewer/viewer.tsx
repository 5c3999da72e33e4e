import { useCallback, useEffect, useMemo, useRef, useState, type ClipboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BBox } from '../../../src-shared/medical/page.ts';
import { selectedText } from './copy.ts';
import { FindBar } from './find-bar.tsx';
import { currentPage, imageWidth, scrollToPage, scrollToPlace, visiblePages } from './geometry.ts';
import { marksByPage, NO_MARKS } from './marks.ts';
import { completePages, type PagePlace, type ViewerPage } from './page.ts';
import { PageView } from './page-view.tsx';
import { PagesRail } from './pages-rail.tsx';
import { Toolbar } from './toolbar.tsx';
import { useFind } from './use-find.ts';
import { usePinch } from './use-pinch.ts';
import { useViewerKeys, type ViewerCommand } from './use-viewer-keys.ts';
import { useViewport } from './use-viewport.ts';
import { useZoom } from './use-zoom.ts';
import './viewer.css';

/** A wish to see a page or a place of it. A new object is a new wish, even for the same place. */
export interface Spot {
  page: number;
  bbox?: BBox;
}

interface Props {
  /** Measured pages; empty while they load. */
  pages: readonly ViewerPage[];
  pageCount: number;
  ready: boolean;
  imageUrl: (page: number, width: number) => string;
  /** Places that are lit. */
  places: readonly PagePlace[];
  spot: Spot | null;
  /** Text to find from the start. */
  query?: string;
  tools?: ReactNode;
  onPage?: (page: number) => void;
  /** A page could not be shown. */
  onImageFailed?: (page: number) => void;
  onRotate?: (page: number, degrees: 90 | -90) => void;
}

const OVERSCAN = 600;
/** Of the viewer with its rail: by the width without it, the rail would take away its own reason to be there. */
const WIDE_ENOUGH_FOR_RAIL = 700;

/** Pages of a document as pictures with their text: zoom, find, select, regions, lit places. */
export function Viewer({
  pages: measured,
  pageCount,
  ready,
  imageUrl,
  places,
  spot,
  query = '',
  tools,
  onPage,
  onImageFailed,
  onRotate,
}: Props) {
  const { t } = useTranslation('viewer');
  const root = useRef<HTMLElement>(null);
  const { ref: scroller, viewport, room } = useViewport();
  const [ratios, setRatios] = useState<ReadonlyMap<number, number>>(new Map());
  const [railWanted, setRail] = useState<boolean | null>(null);
  const [drawing, setDrawing] = useState(false);
  const [region, setRegion] = useState<{ page: number; bbox: BBox } | null>(null);

  const pages = useMemo(() => completePages(measured, pageCount, ratios), [measured, pageCount, ratios]);
  const { zoom, scale, layout, setZoom, step, zoomBy } = useZoom(scroller, pages, viewport);
  const page = currentPage(layout, viewport);
  const find = useFind(pages, query, page);
  const hit = find.hits[find.at] ?? null;
  const rail = railWanted ?? (pages.length > 1 && room >= WIDE_ENOUGH_FOR_RAIL);
  const marks = useMemo(() => marksByPage(places, find.hits, find.at), [places, find.hits, find.at]);
  const hitPages = useMemo(() => new Set(find.hits.map((found) => found.page)), [find.hits]);
  usePinch(scroller, zoomBy);

  const goTo = useCallback(
    (target: Spot) => {
      const scroll = target.bbox
        ? scrollToPlace(layout, { page: target.page, bbox: target.bbox }, viewport)
        : { top: scrollToPage(layout, target.page), left: viewport.left };
      if (scroll)
        scroller.current?.scrollTo({
          ...scroll,
          behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
        });
    },
    [layout, scroller, viewport],
  );
  const latestGoTo = useRef(goTo);
  useEffect(() => {
    latestGoTo.current = goTo;
  }, [goTo]);

  const shown = ready && viewport.width > 0;
  useEffect(() => {
    if (shown && spot) latestGoTo.current(spot);
  }, [shown, spot]);
  useEffect(() => {
    if (shown && hit) latestGoTo.current({ page: hit.page, bbox: hit.boxes[0] });
  }, [shown, hit]);
  useEffect(() => {
    if (shown) onPage?.(page);
  }, [shown, page, onPage]);

  const onRatio = useCallback((pageNumber: number, ratio: number) => {
    setRatios((known) =>
      Math.abs((known.get(pageNumber) ?? 0) - ratio) < 0.001 ? known : new Map(known).set(pageNumber, ratio),
    );
  }, []);
  const onRegion = useCallback((pageNumber: number, bbox: BBox | null) => {
    setRegion(bbox && { page: pageNumber, bbox });
    setDrawing(false);
  }, []);

  const run = (command: ViewerCommand) => {
    switch (command) {
      case 'previous_page':
        return goTo({ page: Math.max(1, page - 1) });
      case 'next_page':
        return goTo({ page: Math.min(pages.length, page + 1) });
      case 'first_page':
        return goTo({ page: 1 });
      case 'last_page':
        return goTo({ page: pages.length });
      case 'zoom_in':
        return step(1);
      case 'zoom_out':
        return step(-1);
      case 'fit_width':
        return setZoom('width');
      case 'fit_page':
        return setZoom('page');
      case 'find':
        return find.show();
      case 'rotate':
        return onRotate?.(page, 90);
      case 'rotate_back':
        return onRotate?.(page, -90);
      case 'region':
        setRegion(null);
        return setDrawing(!drawing);
      case 'rail':
        return setRail(!rail);
    }
  };
  useViewerKeys(root, run);

  const onCopy = (event: ClipboardEvent) => {
    const text = selectedText(event.currentTarget as HTMLElement, getSelection(), pages);
    if (text === '') return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', text);
  };
  return (
    <section ref={root} className="vw" aria-label={t('label')}>
      <Toolbar
        page={page}
        total={pages.length}
        zoom={zoom}
        scale={scale}
        railOpen={rail}
        regionOn={drawing}
        findOpen={find.open}
        canRotate={onRotate !== undefined}
        extra={tools}
        onPage={(wanted) => goTo({ page: wanted })}
        onCommand={(command) => (command === 'find' && find.open ? find.close() : run(command))}
        onScale={setZoom}
      />
      <div className="vw-body">
        {rail && (
          <PagesRail
            pages={pages}
            current={page}
            hitPages={hitPages}
            imageUrl={imageUrl}
            onGo={(wanted) => goTo({ page: wanted })}
          />
        )}
        <div
          className="vw-scroll"
          ref={scroller}
          tabIndex={0}
          role="group"
          aria-label={t('pages_of_document', { count: pages.length })}
          onCopy={onCopy}
          data-drawing={drawing || undefined}
        >
          <div className="vw-canvas" style={{ width: layout.width, height: layout.height }}>
            {shown &&
              visiblePages(layout, viewport, OVERSCAN).map((placed) => (
                <PageView
                  key={placed.page}
                  page={pages[placed.page - 1] as ViewerPage}
                  placed={placed}
                  total={pages.length}
                  src={imageUrl(placed.page, imageWidth(placed.width, devicePixelRatio))}
                  marks={marks.get(placed.page) ?? NO_MARKS}
                  drawing={drawing}
                  region={region?.page === placed.page ? region.bbox : null}
                  onRegion={onRegion}
                  onRatio={onRatio}
                  onImageFailed={onImageFailed}
                />
              ))}
          </div>
        </div>
        {find.open && (
          <FindBar
            query={find.query}
            count={find.hits.length}
            at={find.at}
            asked={find.requested}
            withoutText={ready && pages.every((each) => each.words.length === 0)}
            onQuery={find.setQuery}
            onStep={find.step}
            onClose={() => {
              find.close();
              scroller.current?.focus({ preventScroll: true });
            }}
          />
        )}
      </div>
      <p className="vw-status" aria-live="polite">
        {drawing ? t('region_help') : ''}
      </p>
    </section>
  );
}
