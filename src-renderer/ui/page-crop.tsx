import { useEffect, useState } from 'react';
import './page-crop.css';

/** A box in fractions of the upright page: left, top, width, height. */
type Box = readonly [number, number, number, number];

/** Height of the crop in fractions of the page width; the lines above and below show the column of a value. */
const MIN_HEIGHT = 0.09;
/** Part of the page width that a crop shows at least, so that the whole row is readable. */
const MIN_WIDTH = 0.6;
const MARK_MARGIN = 0.004;

/** The part of a page around a box, in fractions of its width; `ratio` is the height of the page by its width. */
export function cropOf([x, y, w, h]: Box, ratio: number): { x: number; y: number; width: number; height: number } {
  const width = Math.min(1, Math.max(MIN_WIDTH, w * 1.3));
  const height = Math.min(ratio, Math.max(MIN_HEIGHT, h * ratio * 3));
  const place = (center: number, size: number, limit: number) => Math.max(0, Math.min(center - size / 2, limit - size));
  return { x: place(x + w / 2, width, 1), y: place((y + h / 2) * ratio, height, ratio), width, height };
}

/** The lines of a page around a value, which is outlined. `label` says the same in words. */
export function PageCrop({ src, box, label }: { src: string; box: Box; label: string }) {
  const [loaded, setLoaded] = useState<{ src: string; ratio: number } | null>(null);
  useEffect(() => {
    const image = new Image();
    image.onload = () => setLoaded({ src, ratio: image.naturalHeight / Math.max(1, image.naturalWidth) });
    image.src = src;
    return () => {
      image.onload = null;
    };
  }, [src]);
  if (loaded?.src !== src) return <div className="page-crop page-crop-coming" aria-hidden="true" />;
  const { ratio } = loaded;
  const { x, y, width, height } = cropOf(box, ratio);
  const [left, top, w, h] = box;
  return (
    <svg className="page-crop" role="img" aria-label={label} viewBox={`${x} ${y} ${width} ${height}`}>
      <image href={src} x={0} y={0} width={1} height={ratio} preserveAspectRatio="none" />
      <rect
        className="page-crop-mark"
        x={left - MARK_MARGIN}
        y={top * ratio - MARK_MARGIN}
        width={w + 2 * MARK_MARGIN}
        height={h * ratio + 2 * MARK_MARGIN}
        rx={MARK_MARGIN}
      />
    </svg>
  );
}
