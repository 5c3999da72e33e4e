import { readFileSync } from 'node:fs';
import type { BrowserWindow, Rectangle, Screen } from 'electron';
import { z } from 'zod';

const MIN_WIDTH = 390;
const MIN_HEIGHT = 480;
const DEFAULT = { width: 1320, height: 880 };
/** How much of a window has to be on a screen, so that it can be moved. */
const MIN_VISIBLE = 100;

const side = z.int().min(-100_000).max(100_000);
const stored = z.strictObject({
  bounds: z.strictObject({ x: side, y: side, width: side.min(MIN_WIDTH), height: side.min(MIN_HEIGHT) }),
  isMaximized: z.boolean(),
  isFullScreen: z.boolean(),
});
type WindowState = z.output<typeof stored>;

/** What `new BrowserWindow` gets: a window without a place is centered. */
export interface WindowPlace {
  bounds: Partial<Rectangle> & { width: number; height: number; minWidth: number; minHeight: number };
  isMaximized: boolean;
  isFullScreen: boolean;
}

/** Where the window was when it was closed; the default place if that is unreadable or on no screen any more. */
export function placeWindow(file: string, screen: Pick<Screen, 'getAllDisplays'>): WindowPlace {
  const limits = { minWidth: MIN_WIDTH, minHeight: MIN_HEIGHT };
  const state = readState(file);
  if (!state) return { bounds: { ...DEFAULT, ...limits }, isMaximized: false, isFullScreen: false };
  const { bounds, isMaximized, isFullScreen } = state;
  const isVisible = screen.getAllDisplays().some(({ workArea }) => overlaps(bounds, workArea));
  const { width, height } = bounds;
  return { bounds: { ...(isVisible ? bounds : { width, height }), ...limits }, isMaximized, isFullScreen };
}

type WatchedWindow = Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized' | 'isFullScreen'> & {
  on(event: 'close', listener: () => void): unknown;
};

/** Remembers the place of a window when it is closed. */
export function rememberPlace(window: WatchedWindow, save: (text: string) => void): void {
  window.on('close', () => {
    const state: WindowState = {
      bounds: window.getNormalBounds(),
      isMaximized: window.isMaximized(),
      isFullScreen: window.isFullScreen(),
    };
    save(`${JSON.stringify(state)}\n`);
  });
}

function readState(file: string): WindowState | null {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function overlaps(window: Rectangle, screen: Rectangle): boolean {
  const width = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
  const height = Math.min(window.y + window.height, screen.y + screen.height) - Math.max(window.y, screen.y);
  // The title bar is at the top: a window above the screen can't be moved.
  return width >= MIN_VISIBLE && height >= MIN_VISIBLE && window.y >= screen.y - MIN_VISIBLE;
}
