import { EventEmitter } from 'node:events';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { ipcMain } from './electron.ts';

interface Ports {
  deliver(port: number, message: { value?: unknown }, bytes: string | null): void;
  close(port: number): void;
  hear(channel: string, message: unknown): void;
}
declare global {
  interface Window {
    shellFake: Ports;
  }
}

const senderOf = (frame: Frame) => ({
  senderFrame: {
    origin: URL.canParse(frame.url()) ? new URL(frame.url()).origin : 'null',
    parent: frame.parentFrame(),
  },
});

/**
 * Main's end of a port whose other end is in a page: a `MessagePortMain`, over Playwright. Messages wait until it is
 * started.
 */
class PagePort extends EventEmitter {
  readonly #page: Page;
  readonly #id: number;
  #waiting: unknown[] | null = [];
  constructor(page: Page, id: number) {
    super();
    this.#page = page;
    this.#id = id;
  }
  start(): void {
    for (const data of this.#waiting?.splice(0) ?? []) this.emit('message', { data });
    this.#waiting = null;
  }
  hear(data: unknown): void {
    if (this.#waiting) this.#waiting.push(data);
    else this.emit('message', { data });
  }
  close(): void {
    void this.#page.evaluate((id) => window.shellFake.close(id), this.#id).catch(() => undefined);
  }
  postMessage(message: { value?: unknown }): void {
    const bytes = message.value instanceof Uint8Array ? Buffer.from(message.value).toString('base64') : null;
    void this.#page
      .evaluate(([id, said, text]) => window.shellFake.deliver(id, said, text), [
        this.#id,
        bytes === null ? message : { ...message, value: null },
        bytes,
      ] as const)
      .catch(() => undefined);
  }
}

/**
 * Runs the preload that was built in every page, with the renderer's half of Electron played by Playwright: what it
 * sends reaches the handlers on `ipcMain`.
 */
export async function runPreload(
  context: BrowserContext,
  preload: string,
  origin: string,
): Promise<{ tell(page: Page, channel: string, message: unknown): Promise<void> }> {
  const ports = new Map<string, PagePort>();
  const keys = new WeakMap<Page, string>();
  const keyOf = (page: Page, port: number): string => {
    keys.set(page, keys.get(page) ?? String(Math.random()));
    return `${keys.get(page)} ${port}`;
  };
  await context.exposeBinding('ipcInvoke', ({ frame }, channel: string, args: unknown[]) =>
    ipcMain.handlers.get(channel)?.(senderOf(frame) as never, ...args),
  );
  await context.exposeBinding('ipcPost', ({ frame, page }, channel: string, message: unknown, ids: number[]) => {
    const given = ids.map((id) => new PagePort(page, id));
    given.forEach((port, index) => ports.set(keyOf(page, ids[index] ?? 0), port));
    ipcMain.emit(channel, { ...senderOf(frame), ports: given }, message);
  });
  await context.exposeBinding('ipcPort', ({ page }, id: number, data: unknown) =>
    ports.get(keyOf(page, id))?.hear(data),
  );
  await context.addInitScript(`(() => {
    const ports = new Map(), listeners = new Map();
    // Ports of a page before this one have other numbers.
    let last = Date.now() * 1000;
    const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    window.shellFake = {
      deliver: (id, message, bytes) => ports.get(id)?.postMessage(bytes === null ? message : { ...message, value: bytesOf(bytes) }),
      close: (id) => ports.get(id)?.close(),
      hear: (channel, message) => { for (const listener of listeners.get(channel) ?? []) listener({}, message); },
    };
    const electron = {
      contextBridge: { exposeInMainWorld: (name, api) => { window[name] = Object.freeze(api); } },
      ipcRenderer: {
        invoke: (channel, ...args) => window.ipcInvoke(channel, args),
        on: (channel, listener) => listeners.set(channel, [...listeners.get(channel) ?? [], listener]),
        postMessage: (channel, message, given) => void window.ipcPost(channel, message, given.map((port) => {
          const id = last += 1;
          ports.set(id, port);
          port.onmessage = ({ data }) => void window.ipcPort(id, data);
          return id;
        })),
      },
    };
    ((require, process, exports, module) => {\n${preload}\n})(() => electron, { argv: ['electron', '--hearth-origin=${origin}'] }, {}, {});
  })();`);
  return {
    tell: (page, channel, message) =>
      page.evaluate(([name, said]) => window.shellFake.hear(name, said), [channel, message] as const),
  };
}
