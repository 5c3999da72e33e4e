import { Enums, eventTarget as engineEvents, RenderingEngine, type Types } from '@cornerstonejs/core';
import { headerOf } from './engine.ts';
import { planeOf, toPoint, type Plane } from './planes.ts';
import { prefetch } from './prefetch.ts';
import type { ToolGroup } from './tools.ts';
import { rangeOf, windowOf, type Window } from './windows.ts';

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** What a pane shows now. */
export interface PaneView {
  index: number;
  total: number;
  window: Window | null;
  /** Pixels of the screen for one of the picture. */
  zoom: number;
  /** From columns and rows of the picture to places in the pane, as CSS writes a matrix; null before it is drawn. */
  matrix: Matrix | null;
  isInverted: boolean;
  /** Why the frame could not be shown. */
  error: unknown;
  /** Whether the frame at `index` is drawn. */
  isDrawn: boolean;
}

export const EMPTY_VIEW: PaneView = {
  ...{ index: 0, total: 0, window: null, zoom: 1, matrix: null, isInverted: false, error: null, isDrawn: false },
};

export interface Pane {
  id: string;
  viewport: Types.IStackViewport;
  /** Shows frames, beginning with one; those of another series begin with their own window. */
  showStack(imageIds: string[], index: number): Promise<void>;
  goTo(index: number): void;
  setWindow(window: Window): void;
  turn(degrees: number): void;
  flip(axis: 'horizontal' | 'vertical'): void;
  invert(): void;
  zoomBy(factor: number): void;
  /** Window, zoom, place, turns and flips as at first. */
  reset(): void;
  close(): void;
}

/** Every viewer has an engine of its own; it ends with it. */
export const createRenderer = (): RenderingEngine => new RenderingEngine('imaging');

const { Events } = Enums;

/** Shows a stack of frames in an element; `onView` learns of every change. */
export function openPane(
  renderer: RenderingEngine,
  group: ToolGroup,
  { id, element }: { id: string; element: HTMLDivElement },
  onView: (view: PaneView) => void,
): Pane {
  renderer.enableElement({ viewportId: id, type: Enums.ViewportType.STACK, element });
  group.addViewport(id, renderer.id);
  const viewport = renderer.getViewport(id) as Types.IStackViewport;
  const state = { imageIds: [] as string[], index: 0, direction: 1 as 1 | -1, error: null as unknown, isDrawn: false };
  let told = '';
  const tell = (): void => {
    const view = viewOf(viewport, state);
    const text = JSON.stringify([view, view.error !== null]);
    if (text === told) return;
    told = text;
    onView(view);
  };
  const stopListening = listen(element, viewport, state, tell);
  const resizes = new ResizeObserver(() => resize(renderer, viewport, state.isDrawn));
  resizes.observe(element);
  const draw = (): void => {
    viewport.render();
    tell();
  };
  const present = (change: Types.ViewPresentation): void => {
    viewport.setViewPresentation({ ...viewport.getViewPresentation(), ...change });
    draw();
  };
  return {
    id,
    viewport,
    async showStack(imageIds, index) {
      Object.assign(state, { imageIds, index, error: null, isDrawn: false });
      tell();
      await viewport.setStack(imageIds, index).catch((error: unknown) => {
        state.error = error;
        tell();
      });
    },
    goTo: (index) => {
      const next = Math.max(0, Math.min(state.imageIds.length - 1, index));
      if (next !== state.index) void viewport.setImageIdIndex(next).catch(() => undefined);
    },
    setWindow(window) {
      viewport.setProperties({ voiRange: rangeOf(window) });
      draw();
    },
    turn: (degrees) => present({ rotation: (viewport.getViewPresentation().rotation! + degrees + 360) % 360 }),
    flip(axis) {
      // By the camera: drawn by the processor, a flip of the presentation is noted but not done.
      const { flipHorizontal = false, flipVertical = false } = viewport.getCamera();
      viewport.setCamera(axis === 'horizontal' ? { flipHorizontal: !flipHorizontal } : { flipVertical: !flipVertical });
      draw();
    },
    invert() {
      viewport.setProperties({ invert: !viewport.getProperties().invert });
      draw();
    },
    zoomBy(factor) {
      viewport.setZoom(viewport.getZoom() * factor);
      draw();
    },
    reset() {
      viewport.setCamera({ flipHorizontal: false, flipVertical: false });
      viewport.setViewPresentation({ rotation: 0 });
      viewport.resetProperties();
      viewport.resetCamera();
      draw();
    },
    close() {
      stopListening();
      resizes.disconnect();
      group.removeViewports(renderer.id, id);
      renderer.disableElement(id);
    },
  };
}

interface State {
  imageIds: string[];
  index: number;
  direction: 1 | -1;
  error: unknown;
  isDrawn: boolean;
}

function listen(element: HTMLElement, viewport: Types.IStackViewport, state: State, tell: () => void): () => void {
  const indexOf = (imageId: string): number => state.imageIds.indexOf(imageId);
  const onAsk = (event: Event): void => {
    const next = indexOf((event as CustomEvent<{ imageId: string }>).detail.imageId);
    if (next < 0) return;
    if (next !== state.index) state.direction = next > state.index ? 1 : -1;
    Object.assign(state, { index: next, error: null, isDrawn: false });
    tell();
  };
  const onImage = (event: Event): void => {
    const next = indexOf((event as CustomEvent<{ image: Types.IImage }>).detail.image.imageId);
    if (next < 0) return;
    Object.assign(state, { index: next, error: null, isDrawn: true });
    prefetch(viewport.id, state.imageIds, next, state.direction);
    tell();
  };
  const onFailure = (event: Event): void => {
    const { imageId, error } = (event as CustomEvent<{ imageId: string; error: { error?: unknown } }>).detail;
    if (indexOf(imageId) !== state.index) return;
    state.error = error;
    tell();
  };
  const listeners: [string, EventTarget, (event: Event) => void][] = [
    [Events.PRE_STACK_NEW_IMAGE, element, onAsk],
    [Events.STACK_NEW_IMAGE, element, onImage],
    [Events.VOI_MODIFIED, element, tell],
    [Events.CAMERA_MODIFIED, element, tell],
    // The processor knows window and zoom of a new frame only after it has drawn it.
    [Events.IMAGE_RENDERED, element, tell],
    [Events.IMAGE_LOAD_FAILED, engineEvents, onFailure],
  ];
  for (const [name, target, listener] of listeners) target.addEventListener(name, listener);
  return () => {
    for (const [name, target, listener] of listeners) target.removeEventListener(name, listener);
  };
}

function viewOf(viewport: Types.IStackViewport, { imageIds, index, error, isDrawn }: State): PaneView {
  const { voiRange, invert } = viewport.getProperties();
  const header = headerOf(imageIds[index] ?? '');
  const isColor = header?.type === 'rgb8';
  // The processor has no picture yet when it tells of a new one.
  const matrix = header && isDrawn && viewport.getImageData() ? matrixOf(viewport, planeOf(header)) : null;
  return {
    ...{ index, total: imageIds.length, error, isDrawn, matrix },
    window: voiRange && isDrawn && !isColor ? windowOf(voiRange) : null,
    zoom: (matrix && Math.hypot(matrix[0], matrix[1])) || 1,
    isInverted: invert ?? false,
  };
}

/** Rounded, so that a picture that stays in its place is not told of again. */
function matrixOf(viewport: Types.IStackViewport, plane: Plane): Matrix {
  const at = (column: number, row: number): Types.Point2 => viewport.worldToCanvas(toPoint(plane, [column, row]));
  const [origin, right, below] = [at(0, 0), at(1, 0), at(0, 1)];
  const exact = [right[0] - origin[0], right[1] - origin[1], below[0] - origin[0], below[1] - origin[1], ...origin];
  return exact.map((value) => Math.round(value * 1e4) / 1e4) as unknown as Matrix;
}

/** The picture keeps its place; a pane without one has nothing to draw yet. */
function resize(renderer: RenderingEngine, viewport: Types.IStackViewport, isDrawn: boolean): void {
  const before = isDrawn ? viewport.getViewPresentation() : null;
  renderer.resize(true, false);
  if (!before) return;
  viewport.setViewPresentation(before);
  viewport.render();
}
