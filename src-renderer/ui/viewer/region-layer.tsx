import { useRef, useState, type PointerEvent } from 'react';
import type { BBox } from '../../../src-shared/medical/page.ts';
import { boxBetween } from './geometry.ts';
import { boxStyle } from './mark-layer.tsx';

/** Smaller drags (as a fraction of the page) are clicks. */
const MIN_SIDE = 0.005;

interface Props {
  onPick: (bbox: BBox) => void;
}

/** Lets the user draw a rectangle on a page. */
export function RegionLayer({ onPick }: Props) {
  const start = useRef<readonly [number, number] | null>(null);
  const [box, setBox] = useState<BBox | null>(null);

  const pointOf = (event: PointerEvent<HTMLDivElement>): readonly [number, number] => {
    const page = event.currentTarget.getBoundingClientRect();
    return [(event.clientX - page.left) / page.width, (event.clientY - page.top) / page.height];
  };
  const onDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = pointOf(event);
  };
  const onMove = (event: PointerEvent<HTMLDivElement>) => {
    if (start.current) setBox(boxBetween(start.current, pointOf(event)));
  };
  const onUp = () => {
    start.current = null;
    if (box && box[2] > MIN_SIDE && box[3] > MIN_SIDE) onPick(box);
    setBox(null);
  };
  return (
    <div
      className="vw-region-layer"
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={onUp}
    >
      {box && <i className="vw-mark vw-mark-region" style={boxStyle(box)} />}
    </div>
  );
}
