import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import type { FrameAddress, FrameWindow } from './door.ts';
import { useTexts } from './texts.ts';
import { useFrame } from './use-frame.ts';
import type { PageZoom } from './use-page-zoom.ts';

/** A finger or the wheel moves as far for one frame, in pixels. */
const STEP_PX = 14;
const DAMAGED = ['imaging.frame_damaged', 'imaging.frame_unsupported', 'imaging.frame_too_demanding'];

interface Props {
  address: FrameAddress;
  stage: RefObject<HTMLDivElement | null>;
  zoom: PageZoom;
  isInverted: boolean;
  name: string;
  total: number;
  /** What dragging begins with; null where it is not known. */
  window: FrameWindow | null;
  onWindow: (window: FrameWindow) => void;
  onScroll: (by: number) => void;
  onCheck: () => Promise<void>;
}

/** One stamped frame: wheel and finger scroll, the mouse changes the window. */
export function FrameImage({
  address,
  stage,
  zoom,
  isInverted,
  name,
  total,
  window,
  onWindow,
  onScroll,
  onCheck,
}: Props) {
  const { t } = useTexts();
  const [attempt, setAttempt] = useState(0);
  const { url, isCurrent, code } = useFrame(address, attempt, onCheck);
  const drag = useDrag(zoom.zoom === 1, { window, onWindow, onScroll });
  useWheel(stage, onScroll);
  const at = t.image_of(address.index + 1, total);
  return (
    <div
      className="rv-stage rf-stage"
      ref={stage}
      tabIndex={0}
      role="region"
      aria-label={at}
      data-fits={zoom.zoom === 1 || undefined}
      {...drag}
    >
      {code !== null && (
        <div className="rv-note rf-failed" role="alert">
          <p>{DAMAGED.includes(code) ? t.image_damaged : t.image_failed}</p>
          {!DAMAGED.includes(code) && (
            <button type="button" className="rp-button" onClick={() => setAttempt(attempt + 1)}>
              {t.retry}
            </button>
          )}
        </div>
      )}
      {url === null && code === null && (
        <p className="rv-note" role="status">
          {t.image_loading}
        </p>
      )}
      {url !== null && code === null && (
        <img
          className="rf-frame"
          src={url}
          alt={`${name}, ${at}`}
          aria-busy={!isCurrent}
          draggable={false}
          data-inverted={isInverted || undefined}
          style={{ width: `${zoom.zoom * 100}%`, height: `${zoom.zoom * 100}%` }}
        />
      )}
    </div>
  );
}

/** The wheel scrolls the stack; with Ctrl it enlarges, as everywhere on the page. */
function useWheel(stage: RefObject<HTMLElement | null>, onScroll: (by: number) => void): void {
  const latest = useRef(onScroll);
  useEffect(() => {
    latest.current = onScroll;
  });
  useEffect(() => {
    const element = stage.current;
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      latest.current(Math.sign(event.deltaY));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [stage]);
}

/** A mouse changes the window, across its width and down its center; one finger scrolls. Enlarged, both move it. */
function useDrag(isOn: boolean, { window, onWindow, onScroll }: Pick<Props, 'window' | 'onWindow' | 'onScroll'>) {
  const last = useRef<{ id: number; x: number; y: number; isFinger: boolean } | null>(null);
  return {
    onPointerDown({ pointerId: id, pointerType, isPrimary, button, clientX: x, clientY: y }: PointerEvent) {
      last.current = isOn && isPrimary && button === 0 ? { id, x, y, isFinger: pointerType === 'touch' } : null;
    },
    onPointerMove({ pointerId, clientX: x, clientY: y }: PointerEvent) {
      const from = last.current;
      if (from?.id !== pointerId) return;
      const [across, down] = [x - from.x, y - from.y];
      if (from.isFinger) {
        const steps = Math.trunc(down / STEP_PX);
        if (steps === 0) return;
        last.current = { ...from, x, y: from.y + steps * STEP_PX };
        return onScroll(steps);
      }
      if (window === null) return;
      last.current = { ...from, x, y };
      // A move of 300 pixels doubles the window.
      const step = Math.max(window.width, 1) / 300;
      onWindow({ center: window.center + down * step, width: Math.max(1, window.width + across * step) });
    },
    onPointerUp() {
      last.current = null;
    },
    onPointerCancel() {
      last.current = null;
    },
  };
}
