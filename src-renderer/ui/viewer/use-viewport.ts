import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Viewport } from './geometry.ts';

const NOWHERE: Viewport = { top: 0, left: 0, width: 0, height: 0 };

/**
 * Tracks the visible part of an element that scrolls, at most once a frame. Width and height are 0 until it is mounted.
 * `room` is the width, in CSS pixels, that it shares with its neighbors; it does not change when those come and go.
 */
export function useViewport(): { ref: RefObject<HTMLDivElement | null>; viewport: Viewport; room: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState(NOWHERE);
  const [room, setRoom] = useState(0);

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    let frame = 0;
    const read = () => {
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
      frame = requestAnimationFrame(read);
    };
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    read();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);

  return { ref, viewport, room };
}
