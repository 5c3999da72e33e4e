/** The part of the WebAssembly JavaScript interface that Hearth uses; Node's own types do not declare it. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
export interface WasmTable {
  grow(entries: number): number;
  set(index: number, value: unknown): void;
}
export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}
export type WasmImports = Record<string, Record<string, unknown>>;

interface WasmInterface {
  Memory: { prototype: WasmMemory };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: WasmImports) => WasmInstance;
  RuntimeError: new (message?: string) => Error;
  instantiate(bytes: Uint8Array, imports: WasmImports): Promise<{ instance: WasmInstance }>;
}

const { WebAssembly } = globalThis as unknown as { WebAssembly: WasmInterface };

export { WebAssembly };

/** A WebAssembly page (WebAssembly Core Specification 2.0, 4.2.8). */
const PAGE_BYTES = 65_536;

let refusedGrowths = 0;

/** How often this thread refused memory to a module, so that a result may be incomplete or an error mistaken. */
export const countRefusedGrowths = (): number => refusedGrowths;

/**
 * Bounds the memory of all WebAssembly modules of this thread together. `resourceLimits` of a worker thread count the
 * JavaScript heap only. A module that may not grow reports that its memory is full.
 */
export function limitWasmMemory(maxBytes: number): void {
  const { grow } = WebAssembly.Memory.prototype;
  /** Bytes of each memory that has grown. */
  const sizes = new Map<WasmMemory, number>();
  WebAssembly.Memory.prototype.grow = function (this: WasmMemory, pages: number): number {
    const others = [...sizes].reduce((sum, [memory, bytes]) => (memory === this ? sum : sum + bytes), 0);
    const grown = this.buffer.byteLength + pages * PAGE_BYTES;
    if (others + grown > maxBytes) {
      refusedGrowths += 1;
      throw new RangeError(`WebAssembly memory is limited to ${maxBytes} bytes`);
    }
    const previous = grow.call(this, pages);
    sizes.set(this, grown);
    return previous;
  };
}
