import { Enums, RenderingEngine, type Types } from '@cornerstonejs/core';
import { headerOf, isLoaded, loading, reachOf } from './engine.ts';
import { nearestLoaded, type Follower } from './loading.ts';
import { planeOf, toPoint, type Plane } from './planes.ts';
import { resizePane } from './resize-pane.ts';
import { watchDensity } from './watch-density.ts';
import type { ToolGroup } from './tools.ts';
import { rangeOf, windowOf, type Window } from './windows.ts';

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** What a pane shows now. */
export interface PaneView {
  /** The frame that is wanted. */
  index: number;
  /** The frame whose picture is seen: the nearest one that has arrived; null before the first one. */
  shown: number | null;
  total: number;
  window: Window | null;
  /** Pixels of the screen for one of the picture. */
  zoom: number;
  /** From columns and rows of the picture to places in the pane, as CSS writes a matrix; null before it is drawn. */
  matrix: Matrix | null;
  isInverted: boolean;
  /** Why the wanted frame could not be shown. */
  error: unknown;
  /** Whether the wanted frame is seen. */
  isDrawn: boolean;
}

export const EMPTY_VIEW: PaneView = {
  ...{ index: 0, shown: null, total: 0, window: null, zoom: 1, matrix: null, isInverted: false },
  ...{ error: null, isDrawn: false },
};

export interface Pane {
  id: string;
  viewport: Types.IStackViewport;
  /** Shows frames, beginning with one; those of another series begin with their own window. */
  showStack(imageIds: string[], index: number): void;
  goTo(index: number): void;
  /** Goes on from the frame that is wanted, also while another one is seen. */
  step(by: number): void;
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
  const state: State = { ...{ imageIds: [], index: 0, direction: 1, error: null }, set: null, shown: null };
  let told = '';
  const tell = (): void => {
    const view = viewOf(viewport, state);
    const text = JSON.stringify([view, view.error !== null]);
    if (text === told) return;
    told = text;
    onView(view);
  };
  const follower = loading.join({
    onLoaded: () => showNearest(viewport, state, tell),
    onFailed(imageId, error) {
      if (imageId !== state.imageIds[state.index]) return;
      state.error = error;
      tell();
    },
  });
  const stopListening = listen(element, { state, follower, tell });
  const hasSize = (): boolean => element.clientWidth > 0 && element.clientHeight > 0;
  let hadSize = hasSize();
  const fit = (): void => {
    // A page that is hidden, as while the next one is on its way, has no size; its measurements would be nowhere.
    if (!hasSize()) return;
    // What was drawn without a size has no place to keep.
    resizePane(renderer, viewport, hadSize && state.shown !== null);
    hadSize = true;
  };
  const resizes = new ResizeObserver(fit);
  resizes.observe(element);
  const stopWatching = watchDensity(fit);
  const draw = (): void => {
    viewport.render();
    tell();
  };
  const goTo = (index: number): void => {
    const next = Math.max(0, Math.min(state.imageIds.length - 1, index));
    if (next === state.index) return;
    Object.assign(state, { index: next, direction: next > state.index ? 1 : -1, error: null });
    follow(follower, state);
    showNearest(viewport, state, tell);
    tell();
  };
  return {
    id,
    viewport,
    showStack(imageIds, index) {
      Object.assign(state, { imageIds, index, error: null, set: null, shown: null });
      follow(follower, state);
      showNearest(viewport, state, tell);
      tell();
    },
    goTo,
    step: (by) => goTo(state.index + by),
    setWindow(window) {
      viewport.setProperties({ voiRange: rangeOf(window) });
      draw();
    },
    turn(degrees) {
      const { pan: _pan, rotation = 0, ...others } = viewport.getViewPresentation();
      viewport.setViewPresentation({ ...others, rotation: (rotation + degrees + 360) % 360 });
      draw();
    },
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
      follower.leave();
      stopListening();
      resizes.disconnect();
      stopWatching();
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
  /** The frame that the engine draws next or has drawn; null if it does not know the stack yet. */
  set: number | null;
  /** The frame that it has drawn. */
  shown: number | null;
}

function follow(follower: Follower, { imageIds, index, direction, shown }: State): void {
  follower.follow({ imageIds, index, direction, shown, reach: reachOf(imageIds[shown ?? index] ?? '') });
}

/** Draws the frame in memory that is nearest to the wanted one; the engine is never asked for a frame to come. */
function showNearest(viewport: Types.IStackViewport, state: State, tell: () => void): void {
  const { imageIds, index, set } = state;
  const nearest = nearestLoaded({ imageIds, index, shown: set }, isLoaded);
  if (nearest === null) return;
  state.set = nearest;
  const setting = set === null ? viewport.setStack(imageIds, nearest) : viewport.setImageIdIndex(nearest);
  setting.catch((error: unknown) => {
    if (imageIds !== state.imageIds || nearest !== state.index) return;
    state.error = error;
    tell();
  });
}

function listen(
  element: HTMLElement,
  { state, follower, tell }: { state: State; follower: Follower; tell: () => void },
): () => void {
  let taken: { imageIds: string[]; index: number } | null = null;
  const onImage = (event: Event): void => {
    const { imageId, imageIdIndex } = (event as CustomEvent<{ imageId: string; imageIdIndex: number }>).detail;
    if (state.imageIds[imageIdIndex] === imageId) taken = { imageIds: state.imageIds, index: imageIdIndex };
  };
  // The processor knows window and zoom of a new frame only after it has drawn it.
  const onDrawn = (): void => {
    if (taken?.imageIds === state.imageIds && taken.index !== state.shown) {
      state.shown = taken.index;
      follow(follower, state);
    }
    tell();
  };
  const listeners: [string, (event: Event) => void][] = [
    [Events.STACK_NEW_IMAGE, onImage],
    [Events.VOI_MODIFIED, tell],
    [Events.CAMERA_MODIFIED, tell],
    [Events.IMAGE_RENDERED, onDrawn],
  ];
  for (const [name, listener] of listeners) element.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of listeners) element.removeEventListener(name, listener);
  };
}

function viewOf(viewport: Types.IStackViewport, { imageIds, index, error, shown }: State): PaneView {
  const { voiRange, invert } = viewport.getProperties();
  const header = shown === null ? null : headerOf(imageIds[shown] ?? '');
  const isColor = header?.type === 'rgb8';
  // The processor has no picture yet when it tells of a new one.
  const matrix = header && viewport.getImageData() ? matrixOf(viewport, planeOf(header)) : null;
  return {
    ...{ index, shown, total: imageIds.length, error, isDrawn: shown === index && error === null, matrix },
    window: voiRange && header && !isColor ? windowOf(voiRange) : null,
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
