import type { ClipboardEvent, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { selectedText } from './copy.ts';
import { imageWidth, visiblePages, type Layout, type Viewport } from './geometry.ts';
import type { Mark } from './mark-layer.tsx';
import { NO_MARKS } from './marks.ts';
import type { ViewerPage } from './page.ts';
import { PageView } from './page-view.tsx';
import type { RegionState } from './use-region.ts';

/** Pixels above and below the viewport in which pages are rendered ahead. */
const OVERSCAN = 600;

/** The scrolling area with the pages that are in view. `viewport` is null until it is measured. */
export function PagesCanvas({
  scroller,
  pages,
  layout,
  viewport,
  marks,
  region: { isDrawing, region, onRegion, onTranslate },
  imageUrl,
  firstPreview,
  onRatio,
  onImageFailed,
}: {
  scroller: RefObject<HTMLDivElement | null>;
  pages: readonly ViewerPage[];
  layout: Layout;
  viewport: Viewport | null;
  marks: ReadonlyMap<number, readonly Mark[]>;
  region: RegionState;
  /** Null while the sizes of the pages are not known. */
  imageUrl: ((page: number, width: number) => string) | null;
  firstPreview: string | undefined;
  onRatio: (page: number, ratio: number) => void;
  onImageFailed: ((page: number) => void) | undefined;
}) {
  const { t } = useTranslation('viewer');
  return (
    <div
      className="vw-scroll"
      ref={scroller}
      tabIndex={0}
      role="group"
      aria-label={t('pages_of_document', { count: pages.length })}
      onCopy={(event) => copySelection(event, pages)}
      data-drawing={isDrawing || undefined}
    >
      <div className="vw-canvas" style={{ width: layout.width, height: layout.height }}>
        {viewport &&
          visiblePages(layout, viewport, OVERSCAN).map((placed) => (
            <PageView
              key={placed.page}
              page={pages[placed.page - 1] as ViewerPage}
              placed={placed}
              total={pages.length}
              src={imageUrl && imageUrl(placed.page, imageWidth(placed.width, devicePixelRatio))}
              preview={placed.page === 1 ? firstPreview : undefined}
              marks={marks.get(placed.page) ?? NO_MARKS}
              isDrawing={isDrawing}
              region={region?.page === placed.page ? region.bbox : null}
              onRegion={onRegion}
              onTranslate={onTranslate}
              onRatio={onRatio}
              onImageFailed={onImageFailed}
            />
          ))}
      </div>
    </div>
  );
}

/** Copies selected words with their lines instead of the positioned spans. */
function copySelection(event: ClipboardEvent, pages: readonly ViewerPage[]): void {
  const text = selectedText(event.currentTarget as HTMLElement, getSelection(), pages);
  if (text === '') return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', text);
}
