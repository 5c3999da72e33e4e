import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BBox } from '../../../src-shared/medical/page.ts';
import type { PlacedPage } from './geometry.ts';
import { boxStyle, MarkLayer, type Mark } from './mark-layer.tsx';
import type { ViewerPage } from './page.ts';
import { PageImage } from './page-image.tsx';
import { RegionLayer } from './region-layer.tsx';
import { RegionPanel } from './region-panel.tsx';
import { TextLayer } from './text-layer.tsx';

interface Props {
  page: ViewerPage;
  placed: PlacedPage;
  total: number;
  src: string | null;
  preview: string | undefined;
  marks: readonly Mark[];
  isDrawing: boolean;
  region: BBox | null;
  onRegion: (page: number, bbox: BBox | null) => void;
  onTranslate: ((page: number, bbox: BBox) => void) | undefined;
  onRatio: (page: number, ratio: number) => void;
  onImageFailed: ((page: number) => void) | undefined;
}

/** One page: image, marks, text layer and, on top, the region tool. */
export const PageView = memo(function PageView({
  page,
  placed,
  total,
  src,
  preview,
  marks,
  isDrawing,
  region,
  onRegion,
  onTranslate,
  onRatio,
  onImageFailed,
}: Props) {
  const { t } = useTranslation('viewer');
  return (
    <div className="vw-page" style={{ top: placed.top, left: placed.left, width: placed.width, height: placed.height }}>
      <div className="vw-sheet">
        <PageImage {...{ src, preview, total, onRatio }} page={page.page} onFailed={onImageFailed} />
      </div>
      <MarkLayer marks={marks} />
      {page.words.length > 0 && (
        <TextLayer
          page={page.page}
          words={page.words}
          ratio={page.height / page.width}
          width={placed.width}
          label={t('page_text', { page: page.page })}
        />
      )}
      {isDrawing && <RegionLayer onPick={(bbox) => onRegion(page.page, bbox)} />}
      {region && (
        <>
          <i className="vw-mark vw-mark-region" style={boxStyle(region)} />
          <RegionPanel
            key={region.join()}
            bbox={region}
            words={page.words}
            onTranslate={onTranslate && (() => onTranslate(page.page, region))}
            onClose={() => onRegion(page.page, null)}
          />
        </>
      )}
    </div>
  );
});
