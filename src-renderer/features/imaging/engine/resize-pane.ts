import type { RenderingEngine, Types } from '@cornerstonejs/core';
import { isByProcessor } from './engine.ts';

/** Fits a pane to its element. A picture keeps its place, or without one to keep, fills the pane. */
export function resizePane(renderer: RenderingEngine, viewport: Types.IStackViewport, hasPlace: boolean): void {
  if (isByProcessor()) return resizeByProcessor(viewport, hasPlace);
  const before = hasPlace ? viewport.getViewPresentation() : null;
  renderer.resize(true, false);
  if (!before) return;
  viewport.setViewPresentation(before);
  viewport.render();
}

/**
 * Drawn by the processor, the engine gives the canvas pixels of CSS but takes places in it for those of the screen, so
 * that a probe on a dense screen would read another place; a presentation without a pan moves the origin of the room
 * into the middle; and a new size undoes flips (Cornerstone 5). So the canvas is sized here, and what was in the middle
 * is put there again, as large beside the pane as before.
 */
function resizeByProcessor(viewport: Types.IStackViewport, hasPlace: boolean): void {
  const { canvas } = viewport;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.round(side * devicePixelRatio));
  if (canvas.width === width && canvas.height === height) return;
  const restore = hasPlace ? placeOf(viewport) : null;
  Object.assign(canvas, { width, height });
  viewport.resetCamera();
  restore?.();
  viewport.render();
}

/** Keeps what is in the middle, its size beside the pane, and flips; returns what puts them back. */
function placeOf(viewport: Types.IStackViewport): () => void {
  const { flipHorizontal = false, flipVertical = false } = viewport.getCamera();
  const middle = middleOf(viewport);
  const magnification = viewport.getZoom() / fitOf(viewport);
  return () => {
    viewport.setCamera({ flipHorizontal, flipVertical });
    viewport.setCamera({ focalPoint: middle, scale: magnification * fitOf(viewport) });
  };
}

/** The place in the room in the middle of the canvas. */
function middleOf({ canvas, canvasToWorld }: Types.IStackViewport): Types.Point3 {
  const half = 2 * devicePixelRatio;
  return canvasToWorld([canvas.width / half, canvas.height / half]);
}

/** Pixels of the canvas for one of the picture where the whole picture is seen. */
function fitOf(viewport: Types.IStackViewport): number {
  const { canvas } = viewport;
  const { dimensions, spacing } = viewport.getImageData();
  const [width, height] = [dimensions[0] * spacing[0], dimensions[1] * spacing[1]];
  return Math.min(canvas.width / width, canvas.height / height) * Math.min(spacing[0], spacing[1]);
}
