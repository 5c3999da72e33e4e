import type { BBox } from '../../../src-shared/medical/page.ts';

export interface Mark {
  key: string;
  bbox: BBox;
  /** `place`: where a value was read; `hit`: a search hit; `hit-on`: the current hit. */
  kind: 'place' | 'hit' | 'hit-on';
}

const percent = (share: number) => `${share * 100}%`;

export const boxStyle = ([x, y, w, h]: BBox) => ({
  left: percent(x),
  top: percent(y),
  width: percent(w),
  height: percent(h),
});

/** Colored boxes over the page. Hidden from screen readers, because values state their page in text. */
export function MarkLayer({ marks }: { marks: readonly Mark[] }) {
  return (
    <div className="vw-marks" aria-hidden>
      {marks.map((mark) => (
        <i key={mark.key} className={`vw-mark vw-mark-${mark.kind}`} style={boxStyle(mark.bbox)} />
      ))}
    </div>
  );
}
