import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Viewport } from './geometry.ts';

const EMPTY_VIEWPORT: Viewport = { top: 0, left: 0, width: 0, height: 0 };

/**
 * Tracks the visible part of a scrolling element, at most once per frame. Width and height are 0 until it is mounted.
 * `room` is the width in CSS pixels including its neighbors; it does not change when they open or close.
 */
export function useViewport(): { ref: RefObject<HTMLDivElement | null>; viewport: Viewport; availableWidth: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState(EMPTY_VIEWPORT);
  const [availableWidth, setRoom] = useState(0);

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    let frame = 0;
    const measure = () => {
      const next = {
        top: element.scrollTop,
        left: element.scrollLeft,
        width: element.clientWidth,
        height: element.clientHeight,
      };
      setRoom(element.parentElement?.clientWidth ?? next.width);
      setViewport((now) =>
        now.top === next.top && now.left === next.left && now.width === next.width && now.height === next.height
          ? now
          : next,
      );
    };
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    measure();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);

  return { ref, viewport, availableWidth };
}
