import type { Types } from '@cornerstonejs/core';
import type { PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';
import { useFormats } from '../../../client/format.ts';
import type { PaneView } from '../engine/pane.ts';
import { dot, normalOf, planeOf, sidesOf, type Vector } from '../engine/planes.ts';
import type { ShownSeries } from './series.ts';
import type { ViewerWords } from './use-words.ts';

interface Props {
  series: ShownSeries;
  view: PaneView;
  header: PixelHeader | null;
  viewport: Types.IStackViewport | null;
  /** The value under the pointer. */
  under: string | null;
  words: ViewerWords;
  patientName: string | null;
}

/** What is known of the picture, in its corners; the sides of the patient at its edges. */
export function Overlay({ series, view, header, viewport, under, words, patientName }: Props) {
  const { t, number } = words;
  const formats = useFormats();
  const plane = header?.position && header.orientation ? planeOf(header) : null;
  const position = plane && header?.position ? dot(header.position, normalOf(plane)) : null;
  const facts = [
    header?.thickness ? t('slice_thickness', { mm: number(Number(header.thickness.toFixed(2))) }) : null,
    header?.spacing ? t('pixel_size', { mm: number(Number(header.spacing[1].toFixed(3))) }) : null,
  ].filter((fact) => fact !== null);
  return (
    <>
      <div className="im-corner im-top-start" translate="no">
        {patientName && <b>{patientName}</b>}
        <span>{series.name}</span>
      </div>
      <div className="im-corner im-top-end">
        {series.date && <span>{formats.date(series.date)}</span>}
        {under && <span className="num">{under}</span>}
      </div>
      <div className="im-corner im-bottom-start num">
        <span>{t('zoom_of', { percent: Math.round(view.zoom * 100) })}</span>
        {facts.length > 0 && <span>{facts.join(' · ')}</span>}
        {view.window && (
          <span>
            {t('window_values', { width: number(nice(view.window.width)), center: number(nice(view.window.center)) })}
          </span>
        )}
      </div>
      <div className="im-corner im-bottom-end num">
        <span>{t('at', { at: (view.shown ?? view.index) + 1, total: series.total })}</span>
        {position !== null && <span>{t('position_mm', { mm: number(Number(position.toFixed(1))) })}</span>}
      </div>
      {plane && viewport && <Sides viewport={viewport} words={words} />}
    </>
  );
}

const nice = (value: number): number => (Math.abs(value) >= 10 ? Math.round(value) : Number(value.toFixed(2)));

/** Sides of the patient: read from what the picture is turned to now. */
function Sides({ viewport, words: { t } }: { viewport: Types.IStackViewport; words: ViewerWords }) {
  const at = viewport.canvasToWorld([0, 0]);
  const toward = (point: Types.Point3): Vector => {
    const along: Vector = [point[0] - at[0], point[1] - at[1], point[2] - at[2]];
    const length = Math.hypot(...along) || 1;
    return [along[0] / length, along[1] / length, along[2] / length];
  };
  const right = toward(viewport.canvasToWorld([100, 0]));
  const down = toward(viewport.canvasToWorld([0, 100]));
  const opposite = ([x, y, z]: Vector): Vector => [-x, -y, -z];
  const letters = (direction: Vector): string =>
    sidesOf(direction)
      .map((side) => t(`side_${side}`))
      .join('');
  return (
    <div aria-hidden="true">
      <span className="im-side im-side-top">{letters(opposite(down))}</span>
      <span className="im-side im-side-bottom">{letters(down)}</span>
      <span className="im-side im-side-start">{letters(opposite(right))}</span>
      <span className="im-side im-side-end">{letters(right)}</span>
    </div>
  );
}
