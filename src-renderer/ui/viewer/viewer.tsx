import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { BBox } from '../../../src-shared/medical/page.ts';
import { FindBar } from './find-bar.tsx';
import { currentPage } from './geometry.ts';
import { marksByPage } from './marks.ts';
import { completePages, type PagePlace, type ViewerPage } from './page.ts';
import { PagesCanvas } from './pages-canvas.tsx';
import { PagesRail } from './pages-rail.tsx';
import { Toolbar } from './toolbar.tsx';
import { useFind, type FindState } from './use-find.ts';
import { useAutoScroll, useGoTo, type Spot } from './use-go-to.ts';
import { usePinch } from './use-pinch.ts';
import { useRegion } from './use-region.ts';
import { useViewerKeys } from './use-viewer-keys.ts';
import { useViewport } from './use-viewport.ts';
import { useZoom } from './use-zoom.ts';
import { runnerOf } from './viewer-commands.ts';
import './viewer.css';
import './viewer-panels.css';

export type { Spot };

interface Props {
  /** Pages with their size and words; empty while they load. */
  pages: readonly ViewerPage[];
  pageCount: number;
  isReady: boolean;
  imageUrl: (page: number, width: number) => string;
  /** A small image of the first page, shown until the sharp one has loaded. */
  firstPreview?: string;
  /** Highlighted places. */
  places: readonly PagePlace[];
  spot: Spot | null;
  /** Text to search for initially. */
  query?: string;
  tools?: ReactNode;
  onPage?: (page: number) => void;
  /** Reports a page whose image could not be loaded. */
  onImageFailed?: (page: number) => void;
  onRotate?: (page: number, degrees: 90 | -90) => void;
  /** Translates a part of a page, in fractions of its size. */
  onTranslate?: (page: number, bbox: BBox) => void;
}

/** Minimum width of the viewer with its rail; measured without the rail, opening it would close it again. */
const MIN_WIDTH_FOR_RAIL = 700;

/** The pages of a document as images with selectable text: zoom, search, regions, highlighted places. */
export function Viewer(props: Props) {
  const { isReady, imageUrl, firstPreview, places, spot, query = '', tools, onPage, onImageFailed, onRotate } = props;
  const { t } = useTranslation('viewer');
  const root = useRef<HTMLElement>(null);
  const { ref: scroller, viewport, availableWidth } = useViewport();
  const { pages, onRatio } = usePages(props.pages, props.pageCount);
  const zoom = useZoom(scroller, pages, viewport);
  const { layout } = zoom;
  const page = currentPage(layout, viewport);
  const find = useFind(pages, query, page);
  const { marks, hitPages } = useMarks(places, find);
  const region = useRegion(props.onTranslate);
  const [isRailOpen, toggleRail] = useRail(pages.length > 1 && availableWidth >= MIN_WIDTH_FOR_RAIL);
  const goTo = useGoTo(scroller, layout, viewport);
  const goToPage = (number: number) => goTo({ page: number });
  const isVisible = isReady && viewport.width > 0;
  useAutoScroll({ isVisible, spot, hit: find.hits[find.at] ?? null, goTo });
  useEffect(() => {
    if (isVisible) onPage?.(page);
  }, [isVisible, page, onPage]);
  usePinch(scroller, zoom.zoomBy);
  const run = runnerOf({ page, pageCount: pages.length, goTo, zoom, find, region, toggleRail, onRotate });
  useViewerKeys(root, run);
  return (
    <section ref={root} className="vw" aria-label={t('label')}>
      <Toolbar
        page={page}
        total={pages.length}
        zoom={zoom}
        isRailOpen={isRailOpen}
        region={region}
        find={find}
        canRotate={onRotate !== undefined}
        extra={tools}
        onPage={goToPage}
        onCommand={run}
      />
      <div className="vw-body">
        {isRailOpen && (
          <PagesRail pages={pages} current={page} hitPages={hitPages} imageUrl={imageUrl} onGo={goToPage} />
        )}
        <PagesCanvas
          scroller={scroller}
          pages={pages}
          layout={layout}
          viewport={viewport.width > 0 ? viewport : null}
          marks={marks}
          region={region}
          imageUrl={isReady ? imageUrl : null}
          firstPreview={firstPreview}
          onRatio={onRatio}
          onImageFailed={onImageFailed}
        />
        {find.open && <Find find={find} isTextless={isReady && pages.every(hasNoText)} scroller={scroller} />}
      </div>
      <p className="vw-status" aria-live="polite">
        {region.isDrawing ? t('region_help') : ''}
      </p>
    </section>
  );
}

const hasNoText = (page: ViewerPage): boolean => page.words.length === 0;

/** All pages of the document; images that have loaded correct the size of pages that were not measured. */
function usePages(measured: readonly ViewerPage[], pageCount: number) {
  const [ratios, setRatios] = useState<ReadonlyMap<number, number>>(new Map());
  const pages = useMemo(() => completePages(measured, pageCount, ratios), [measured, pageCount, ratios]);
  const onRatio = useCallback((page: number, ratio: number) => {
    setRatios((before) =>
      Math.abs((before.get(page) ?? 0) - ratio) < 0.001 ? before : new Map(before).set(page, ratio),
    );
  }, []);
  return { pages, onRatio };
}

/** Marks of each page, and the pages with search hits. */
function useMarks(places: readonly PagePlace[], { hits, at }: FindState) {
  const marks = useMemo(() => marksByPage(places, hits, at), [places, hits, at]);
  const hitPages = useMemo(() => new Set(hits.map((hit) => hit.page)), [hits]);
  return { marks, hitPages };
}

/** Whether the rail of thumbnails is open: by default if there is room, then as the user sets it. */
function useRail(isOpenByDefault: boolean): [boolean, () => void] {
  const [choice, setChoice] = useState<boolean | null>(null);
  const isOpen = choice ?? isOpenByDefault;
  return [isOpen, () => setChoice(!isOpen)];
}

function Find({
  find,
  isTextless,
  scroller,
}: {
  find: FindState;
  isTextless: boolean;
  scroller: RefObject<HTMLElement | null>;
}) {
  return (
    <FindBar
      query={find.query}
      count={find.hits.length}
      at={find.at}
      focusRequests={find.focusRequests}
      isTextless={isTextless}
      onQuery={find.setQuery}
      onStep={find.step}
      onClose={() => {
        find.close();
        scroller.current?.focus({ preventScroll: true });
      }}
    />
  );
}
