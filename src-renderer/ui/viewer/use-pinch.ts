import { useEffect, useRef, type RefObject } from 'react';

/** One notch of a wheel (100 units) scales by e^0.2, about 1.22. */
const WHEEL_SENSITIVITY = 0.002;

type ZoomBy = (factor: number, atX: number, atY: number) => void;

/** Zooms by ctrl+wheel, which browsers also send for trackpad pinches, and by two fingers. */
export function usePinch(element: RefObject<HTMLElement | null>, zoomBy: ZoomBy): void {
  const latest = useRef(zoomBy);
  useEffect(() => {
    latest.current = zoomBy;
  }, [zoomBy]);

  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    const fingers = new Map<number, { x: number; y: number }>();
    let distance = 0;

    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = target.getBoundingClientRect();
      latest.current(Math.exp(-event.deltaY * WHEEL_SENSITIVITY), event.clientX - box.left, event.clientY - box.top);
    };
    const onDown = (event: PointerEvent) => {
      if (event.pointerType === 'touch') fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      distance = 0;
    };
    const onMove = (event: PointerEvent) => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const [a, b] = [...fingers.values()];
      if (!a || !b) return;
      const now = Math.hypot(a.x - b.x, a.y - b.y);
      const box = target.getBoundingClientRect();
      if (distance > 0) latest.current(now / distance, (a.x + b.x) / 2 - box.left, (a.y + b.y) / 2 - box.top);
      distance = now;
    };
    const onUp = (event: PointerEvent) => {
      fingers.delete(event.pointerId);
      distance = 0;
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    target.addEventListener('pointerdown', onDown);
    target.addEventListener('pointermove', onMove);
    target.addEventListener('pointerup', onUp);
    target.addEventListener('pointercancel', onUp);
    return () => {
      target.removeEventListener('wheel', onWheel);
      target.removeEventListener('pointerdown', onDown);
      target.removeEventListener('pointermove', onMove);
      target.removeEventListener('pointerup', onUp);
      target.removeEventListener('pointercancel', onUp);
    };
  }, [element]);
}
