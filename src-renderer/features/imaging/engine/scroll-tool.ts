import { getEnabledElement } from '@cornerstonejs/core';
import * as tools from '@cornerstonejs/tools';

/** What the engine tells of the wheel and of a drag. */
interface ScrollEvent {
  detail: { viewportId: string; element: HTMLDivElement };
}
type WheelEvent = ScrollEvent & { detail: { wheel: { direction: number } } };
type DragEvent = ScrollEvent & { detail: { deltaPoints: { canvas: number[] } } };

/** Scrolls a pane by some pictures. */
export type ScrollPane = (paneId: string, by: number) => void;

/** A drag through the height of a pane passes its stack, but at least so many pictures. */
const MIN_IMAGES = 8;
const MIN_PIXELS_PER_IMAGE = 2;

/** Tells how far to scroll. The engine's own tool asks for every frame on the way and shows none before the last one. */
export class ScrollTool extends tools.BaseTool {
  static override toolName = 'ScrollPane';
  #rest = 0;

  constructor(properties = {}) {
    super(properties, { supportedInteractionTypes: ['Mouse', 'Touch'], configuration: {} });
  }

  mouseWheelCallback({ detail: { viewportId, wheel } }: WheelEvent): void {
    this.#scroll(viewportId, wheel.direction);
  }

  mouseDragCallback({ detail: { viewportId, element, deltaPoints } }: DragEvent): void {
    const total = getEnabledElement(element)?.viewport.getNumberOfSlices() ?? 0;
    const perImage = Math.max(MIN_PIXELS_PER_IMAGE, element.offsetHeight / Math.max(total, MIN_IMAGES));
    const distance = this.#rest + (deltaPoints.canvas[1] ?? 0);
    const by = Math.trunc(distance / perImage);
    this.#rest = distance - by * perImage;
    if (by !== 0) this.#scroll(viewportId, by);
  }

  touchDragCallback(event: DragEvent): void {
    this.mouseDragCallback(event);
  }

  #scroll(paneId: string, by: number): void {
    (this.configuration as { scroll?: ScrollPane }).scroll?.(paneId, by);
  }
}
