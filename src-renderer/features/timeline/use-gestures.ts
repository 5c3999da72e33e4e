import { useEffect, useRef, type RefObject } from 'react';

/** How much one notch of a wheel (100 units) scales: e^0.2, about 1.22. */
const WHEEL = 0.002;
/** A hand that trembles does not drag. */
const DRAG_PX = 4;

export interface Gestures {
  /** `at`: where on the plot, as a share of its width. */
  zoom: (factor: number, at: number) => void;
  /** By a share of the width; to the right is positive. */
  pan: (share: number) => void;
}

/** Wheel and pinch zoom around the pointer; dragging, a sideways wheel and shift+wheel pan. `plot` is the part with the marks. */
export function useGestures(
  area: RefObject<HTMLElement | null>,
  plot: RefObject<HTMLElement | null>,
  gestures: Gestures,
): void {
  const latest = useRef(gestures);
  latest.current = gestures;
  useEffect(() => {
    const target = area.current;
    if (!target) return undefined;
    const fingers = new Map<number, { x: number; y: number }>();
    let dragging = false,
      start = 0,
      last = 0,
      apart = 0;
    const box = (): DOMRect => (plot.current ?? target).getBoundingClientRect();
    const share = (x: number): number => Math.min(1, Math.max(0, (x - box().left) / box().width));

    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const sideways = event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX;
      if (!event.ctrlKey && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)))
        latest.current.pan(sideways / box().width);
      else latest.current.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? WHEEL * 4 : WHEEL)), share(event.clientX));
    };
    const onDown = (event: PointerEvent): void => {
      if (event.pointerType === 'mouse' && event.button !== 0) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      dragging = false;
      start = last = event.clientX;
      apart = 0;
    };
    const onMove = (event: PointerEvent): void => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const [a, b] = [...fingers.values()];
      if (a && b) {
        const now = Math.hypot(a.x - b.x, a.y - b.y);
        if (apart > 0 && now > 0) latest.current.zoom(now / apart, share((a.x + b.x) / 2));
        apart = now;
        return;
      }
      if (!dragging && Math.abs(event.clientX - start) < DRAG_PX) return;
      if (!dragging) target.setPointerCapture(event.pointerId);
      dragging = true;
      latest.current.pan((last - event.clientX) / box().width);
      last = event.clientX;
    };
    const onUp = (event: PointerEvent): void => {
      fingers.delete(event.pointerId);
      apart = 0;
      last = [...fingers.values()][0]?.x ?? 0;
    };
    // The press that ended a drag presses nothing.
    const onClick = (event: MouseEvent): void => {
      if (!dragging) return;
      dragging = false;
      event.preventDefault();
      event.stopPropagation();
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    target.addEventListener('pointerdown', onDown);
    target.addEventListener('pointermove', onMove);
    target.addEventListener('pointerup', onUp);
    target.addEventListener('pointercancel', onUp);
    target.addEventListener('click', onClick, true);
    return () => {
      target.removeEventListener('wheel', onWheel);
      target.removeEventListener('pointerdown', onDown);
      target.removeEventListener('pointermove', onMove);
      target.removeEventListener('pointerup', onUp);
      target.removeEventListener('pointercancel', onUp);
      target.removeEventListener('click', onClick, true);
    };
  }, [area, plot]);
}
