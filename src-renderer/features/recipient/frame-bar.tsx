import { ChevronLeft, ChevronRight, Contrast, Minus, Plus } from 'lucide-react';
import { CT_WINDOWS } from '../../../src-shared/medical/ct-windows.ts';
import { Icon } from '../../ui/icon.tsx';
import type { FrameWindow } from './door.ts';
import { percentText, useTexts } from './texts.ts';
import type { PageZoom } from './use-page-zoom.ts';

interface Props {
  index: number;
  total: number;
  goTo: (index: number) => void;
  zoom: PageZoom;
  names: readonly string[];
  chosen: number;
  onChoose: (index: number) => void;
  isCt: boolean;
  window: FrameWindow | null;
  onWindow: (window: FrameWindow | null) => void;
  isInverted: boolean;
  onInvert: () => void;
}

/** The way through the frames, the series, the window and the size. */
export function FrameBar(props: Props) {
  const { index, total, goTo, zoom, isInverted, onInvert } = props;
  const { t, language } = useTexts();
  return (
    <footer className="rv-bar rf-bar">
      <span className="rf-way">
        <button type="button" aria-label={t.image_previous} disabled={index === 0} onClick={() => goTo(index - 1)}>
          <Icon glyph={ChevronLeft} size={22} />
        </button>
        <input
          type="range"
          min={1}
          max={Math.max(1, total)}
          value={index + 1}
          disabled={total < 2}
          aria-label={t.image_slider}
          aria-valuetext={t.image_of(index + 1, total)}
          onChange={({ target }) => goTo(Number(target.value) - 1)}
        />
        <button type="button" aria-label={t.image_next} disabled={index >= total - 1} onClick={() => goTo(index + 1)}>
          <Icon glyph={ChevronRight} size={22} />
        </button>
        <output>{t.image_of(index + 1, total)}</output>
      </span>
      <Choices {...props} />
      <span>
        <button type="button" aria-label={t.invert} aria-pressed={isInverted} onClick={onInvert}>
          <Icon glyph={Contrast} size={20} />
        </button>
        <button type="button" aria-label={t.smaller} disabled={!zoom.canShrink} onClick={() => zoom.step(-1)}>
          <Icon glyph={Minus} size={20} />
        </button>
        <output>{percentText(language, zoom.zoom)}</output>
        <button type="button" aria-label={t.larger} disabled={!zoom.canGrow} onClick={() => zoom.step(1)}>
          <Icon glyph={Plus} size={20} />
        </button>
      </span>
    </footer>
  );
}

function Choices({ names, chosen, onChoose, isCt, window, onWindow }: Props) {
  const { t } = useTexts();
  const preset = CT_WINDOWS.findIndex(({ center, width }) => center === window?.center && width === window.width);
  const isOther = window !== null && preset < 0;
  return (
    <span className="rf-choices">
      {names.length > 1 && (
        <select aria-label={t.series} value={chosen} onChange={({ target }) => onChoose(Number(target.value))}>
          {names.map((name, index) => (
            <option key={index} value={index}>
              {name}
            </option>
          ))}
        </select>
      )}
      {(isCt || isOther) && (
        <select
          aria-label={t.window}
          value={isOther ? 'other' : preset}
          onChange={({ target }) => onWindow(CT_WINDOWS[Number(target.value)] ?? null)}
        >
          <option value={-1}>{t.window_own}</option>
          {isOther && (
            <option value="other">
              {Math.round(window.width)} / {Math.round(window.center)}
            </option>
          )}
          {isCt &&
            CT_WINDOWS.map(({ name }, index) => (
              <option key={name} value={index}>
                {t.windows[name]}
              </option>
            ))}
        </select>
      )}
    </span>
  );
}
