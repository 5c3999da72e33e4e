import { useEffect, useRef, type RefObject } from 'react';

/** One notch of a wheel (100 units) scales by e^0.2, about 1.22. */
const WHEEL_SENSITIVITY = 0.002;
/** Shorter movements count as a click, so that an unsteady hand does not drag. */
const MIN_DRAG_PX = 4;

export interface Gestures {
  /** Zooms around `at`, a share of the plot's width. */
  zoom: (factor: number, at: number) => void;
  /** Moves by a share of the width; positive values go to the right. */
  pan: (share: number) => void;
}

/** Wheel and pinch zoom around the pointer; dragging, a sideways wheel and shift+wheel pan. `plot` has the marks. */
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
    const boxOf = (): DOMRect => (plot.current ?? target).getBoundingClientRect();
    const detachWheel = attachWheel(target, boxOf, latest);
    const detachPointers = attachPointers(target, boxOf, latest);
    return () => {
      detachWheel();
      detachPointers();
    };
  }, [area, plot]);
}

/** A pointer's position as a share of the plot's width. */
const shareOf = (x: number, box: DOMRect): number => Math.min(1, Math.max(0, (x - box.left) / box.width));

function attachWheel(target: HTMLElement, boxOf: () => DOMRect, gestures: RefObject<Gestures>): () => void {
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const box = boxOf();
    const sideways = event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX;
    const isPan = !event.ctrlKey && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY));
    if (isPan) return gestures.current.pan(sideways / box.width);
    // Browsers report a trackpad pinch as small wheel steps with ctrl.
    const sensitivity = event.ctrlKey ? WHEEL_SENSITIVITY * 4 : WHEEL_SENSITIVITY;
    gestures.current.zoom(Math.exp(-event.deltaY * sensitivity), shareOf(event.clientX, box));
  };
  target.addEventListener('wheel', onWheel, { passive: false });
  return () => target.removeEventListener('wheel', onWheel);
}

/** Dragging pans, two fingers zoom; the click that ends a drag is ignored. */
function attachPointers(target: HTMLElement, boxOf: () => DOMRect, gestures: RefObject<Gestures>): () => void {
  const fingers = new Map<number, { x: number; y: number }>();
  let isDragging = false;
  let startX = 0;
  let lastX = 0;
  let distance = 0;
  const onDown = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    isDragging = false;
    startX = lastX = event.clientX;
    distance = 0;
  };
  const onMove = (event: PointerEvent): void => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [a, b] = [...fingers.values()];
    if (a && b) {
      const previous = distance;
      distance = Math.hypot(a.x - b.x, a.y - b.y);
      if (previous > 0 && distance > 0) gestures.current.zoom(distance / previous, shareOf((a.x + b.x) / 2, boxOf()));
      return;
    }
    if (!isDragging && Math.abs(event.clientX - startX) < MIN_DRAG_PX) return;
    if (!isDragging) target.setPointerCapture(event.pointerId);
    isDragging = true;
    gestures.current.pan((lastX - event.clientX) / boxOf().width);
    lastX = event.clientX;
  };
  const onUp = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    distance = 0;
    lastX = [...fingers.values()][0]?.x ?? 0;
  };
  const onClick = (event: MouseEvent): void => {
    if (!isDragging) return;
    isDragging = false;
    event.preventDefault();
    event.stopPropagation();
  };
  const listeners = new AbortController();
  const { signal } = listeners;
  target.addEventListener('pointerdown', onDown, { signal });
  target.addEventListener('pointermove', onMove, { signal });
  target.addEventListener('pointerup', onUp, { signal });
  target.addEventListener('pointercancel', onUp, { signal });
  target.addEventListener('click', onClick, { capture: true, signal });
  return () => listeners.abort();
}
