import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useVirtualizer } from '@tanstack/react-virtual';
import { imageWidth } from './geometry.ts';
import type { ViewerPage } from './page.ts';

const THUMBNAIL_WIDTH = 84;
const CAPTION_AND_GAP = 34;

interface Props {
  pages: readonly ViewerPage[];
  current: number;
  /** Pages with search hits. */
  hitPages: ReadonlySet<number>;
  imageUrl: (page: number, width: number) => string;
  onGo: (page: number) => void;
}

/** Virtualized thumbnails of all pages; the current one stays in view. */
export function PagesRail({ pages, current, hitPages, imageUrl, onGo }: Props) {
  const { t } = useTranslation('viewer');
  const scroller = useRef<HTMLElement>(null);
  const heightOf = (index: number) => {
    const page = pages[index];
    return page ? (THUMBNAIL_WIDTH * page.height) / page.width : THUMBNAIL_WIDTH;
  };
  const rows = useVirtualizer({
    count: pages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(index) + CAPTION_AND_GAP,
    overscan: 3,
  });
  useEffect(() => rows.measure(), [rows, pages]);
  useEffect(() => rows.scrollToIndex(current - 1, { align: 'auto' }), [rows, current]);

  return (
    <nav className="vw-rail" ref={scroller} aria-label={t('pages')}>
      <ol style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => {
          const page = pages[row.index];
          if (!page) return null;
          return (
            <li key={page.page} style={{ transform: `translateY(${row.start}px)` }}>
              <button
                type="button"
                aria-current={page.page === current ? 'page' : undefined}
                onClick={() => onGo(page.page)}
                aria-label={t(hitPages.has(page.page) ? 'go_to_page_with_hits' : 'go_to_page', { page: page.page })}
              >
                <img
                  src={imageUrl(page.page, imageWidth(THUMBNAIL_WIDTH, devicePixelRatio))}
                  alt=""
                  loading="lazy"
                  width={THUMBNAIL_WIDTH}
                  height={heightOf(row.index)}
                />
                <span className="num">
                  {page.page}
                  {hitPages.has(page.page) && <i className="vw-rail-hit" aria-hidden />}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
