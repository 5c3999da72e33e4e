import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFiumDocument, PDFiumModule } from '@hyzyla/pdfium';
import type { Content } from '../../../platform/sealed/sealed-file.ts';
import { openVaultFile } from '../../../platform/vault/vault-files.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import {
  WebAssembly,
  type WasmImports,
  type WasmInstance,
  type WasmTable,
} from '../../../platform/kernel/web-assembly.ts';

/** The calls of pdfium that its package does not declare. */
interface Pdfium {
  _FPDF_InitLibraryWithConfig(config: object): void;
  _FPDF_LoadCustomDocument(access: number, password: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageSizeByIndexF(document: number, page: number, size: number): number;
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
}

/** `FPDF_GetLastError` of fpdfview.h: a password is needed, or the protection is unknown. */
const ENCRYPTED = new Set([4, 5]);
/** `FS_SIZEF` of fpdfview.h: width and height, floats of 32 bits. */
const SIZE_BYTES = 8;
/** `FPDF_FILEACCESS` of fpdfview.h: length, callback and its first argument, 32 bits each. */
const ACCESS_BYTES = 12;
/** The length of a file has 32 bits. */
const MAX_FILE_BYTES = 2 ** 32 - 1;

/** A module that imports a function with four integers and exports it, so that it can be called through the table. */
const TRAMPOLINE = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x09, 0x01, 0x60, 0x04, 0x7f, 0x7f, 0x7f, 0x7f, 0x01, 0x7f],
  ...[0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00],
  ...[0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00],
]);

/** Open files by the number with which pdfium asks for blocks of them. */
const openFiles = new Map<number, Content>();
const MAX_FILE_NUMBER = 2 ** 31;
let nextFile = 1;

let loading: Promise<{ pdfium: Pdfium; readBlock: number }> | null = null;

/** An open PDF. */
export interface OpenPdf {
  document: PDFiumDocument;
  /** Size of a page in points without reading its content, which may be a bomb; null where there is no such page. */
  sizeOf(page: number): { originalWidth: number; originalHeight: number } | null;
  /** Frees the document and closes the file. */
  close(): void;
}

/**
 * Opens a PDF where it is on the disk, so that a large file needs no memory of its size.
 * @throws `upload.damaged`, `upload.encrypted`, or `WebAssembly.RuntimeError` when pdfium itself failed: then this
 * thread can't open PDFs any more.
 */
export async function openPdfFile(path: string): Promise<OpenPdf> {
  const { pdfium, readBlock } = await (loading ??= loadPdfium());
  const content = openVaultFile(path);
  const file = nextFile;
  nextFile = (nextFile + 1) % MAX_FILE_NUMBER;
  openFiles.set(file, content);
  const closeContent = (): void => {
    openFiles.delete(file);
    content.close();
  };
  try {
    const { size } = content;
    if (size === 0 || size > MAX_FILE_BYTES) throw fail('upload.damaged');
    const access = pdfium.wasmExports.malloc(ACCESS_BYTES);
    const fields = new DataView(pdfium.HEAPU8.buffer, access, ACCESS_BYTES);
    [size, readBlock, file].forEach((value, index) => fields.setUint32(4 * index, value, true));
    const handle = pdfium._FPDF_LoadCustomDocument(access, 0);
    if (handle === 0) {
      pdfium.wasmExports.free(access);
      throw fail(ENCRYPTED.has(pdfium._FPDF_GetLastError()) ? 'upload.encrypted' : 'upload.damaged');
    }
    // Its `destroy` closes the document, then frees the pointer.
    const document = new PDFiumDocument({ module: pdfium as never, documentIdx: handle, documentPtr: access });
    return {
      document,
      sizeOf: (page) => readPageSize(pdfium, handle, page),
      close: () => {
        document.destroy();
        closeContent();
      },
    };
  } catch (error) {
    closeContent();
    throw error;
  }
}

function readPageSize(pdfium: Pdfium, document: number, page: number): ReturnType<OpenPdf['sizeOf']> {
  const size = pdfium.wasmExports.malloc(SIZE_BYTES);
  try {
    if (pdfium._FPDF_GetPageSizeByIndexF(document, page - 1, size) === 0) return null;
    const fields = new DataView(pdfium.HEAPU8.buffer, size, SIZE_BYTES);
    return { originalWidth: fields.getFloat32(0, true), originalHeight: fields.getFloat32(4, true) };
  } finally {
    pdfium.wasmExports.free(size);
  }
}

/** Loads pdfium, and returns with it the table index of the function that reads a block of a file. */
async function loadPdfium(): Promise<{ pdfium: Pdfium; readBlock: number }> {
  const wasm = new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')));
  liftTableLimit(wasm);
  const { promise: instantiated, resolve } = Promise.withResolvers<WasmInstance>();
  const module: unknown = await PDFiumModule({
    instantiateWasm: (imports: WasmImports, onReady: (instance: WasmInstance) => void) => {
      void WebAssembly.instantiate(wasm, imports).then(({ instance }) => {
        resolve(instance);
        onReady(instance);
      });
      return {};
    },
  } as never);
  const pdfium = module as Pdfium;
  pdfium._FPDF_InitLibraryWithConfig({ version: 2 });
  const table = (await instantiated).exports['__indirect_function_table'] as WasmTable;
  return { pdfium, readBlock: addFunction(table, (...args) => readInto(pdfium, ...args)) };
}

/** `m_GetBlock` of `FPDF_FILEACCESS`: fills the buffer from the file and returns 1, or 0 where the file ends earlier. */
function readInto(pdfium: Pdfium, file: number, position: number, buffer: number, size: number): 0 | 1 {
  try {
    const read = openFiles.get(file >>> 0)?.readSync(pdfium.HEAPU8, buffer >>> 0, size >>> 0, position >>> 0);
    return read === size >>> 0 ? 1 : 0;
  } catch {
    // pdfium takes a block that can't be read as the end of the file.
    return 0;
  }
}

/** Adds a function to the table of a module, which must have been allowed to grow. */
function addFunction(table: WasmTable, work: (a: number, b: number, c: number, d: number) => number): number {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(TRAMPOLINE), { e: { f: work } });
  const index = table.grow(1);
  table.set(index, exports['f']);
  return index;
}

/**
 * Raises the maximum of the function table in the bytes of a module to the largest number of the same length. pdfium's
 * build has no room for a callback.
 * @see WebAssembly Core Specification 2.0, 5.5.7 (table section) and 5.2.2 (LEB128 integers)
 */
function liftTableLimit(wasm: Uint8Array): void {
  for (let at = 8; at < wasm.length;) {
    const [size, content] = readInteger(wasm, at + 1);
    if (wasm[at] === 4) {
      const [, type] = readInteger(wasm, content);
      const [, maximum] = readInteger(wasm, type + 2);
      const [, end] = readInteger(wasm, maximum);
      wasm.fill(0xff, maximum, end - 1);
      wasm[end - 1] = 0x7f;
      return;
    }
    at = content + size;
  }
}

/** An unsigned LEB128 integer, and where it ends. */
function readInteger(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0;
  for (let at = start, scale = 1; ; at += 1, scale *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return [value, at + 1];
  }
}
