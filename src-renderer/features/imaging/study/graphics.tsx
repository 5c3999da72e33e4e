import { useEffect, useRef } from 'react';
import { frameOf } from '../engine/engine.ts';
import type { Matrix } from '../engine/pane.ts';

/** The graphics of a frame, such as arrows and texts of the device, in white over its pixels. */
export function Graphics({ imageId, matrix }: { imageId: string; matrix: Matrix }) {
  const frame = frameOf(imageId);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !frame?.overlay) return;
    const { columns, rows } = frame.header;
    const picture = context.createImageData(columns, rows);
    for (let at = 0; at < columns * rows; at += 1)
      if ((frame.overlay[at >> 3]! >> (at & 7)) & 1) picture.data.fill(WHITE, 4 * at, 4 * at + 4);
    context.putImageData(picture, 0, 0);
  }, [frame]);
  if (!frame?.overlay) return null;
  const [a, b, c, d, e, f] = matrix;
  // The matrix leads to the centers of pixels.
  const [x, y] = [e - (a + c) / 2, f - (b + d) / 2];
  return (
    <canvas
      ref={canvas}
      className="im-graphics"
      width={frame.header.columns}
      height={frame.header.rows}
      aria-hidden="true"
      style={{ transform: `matrix(${a}, ${b}, ${c}, ${d}, ${x}, ${y})` }}
    />
  );
}

const WHITE = 255;
