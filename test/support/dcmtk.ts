import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Pixels as dcmtk shows them. */
export interface ShownPixels {
  width: number;
  height: number;
  channels: 1 | 3;
  data: Uint8Array;
}

/** Runs one of dcmtk's programs. */
export const runDcmtk = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });

/** What one of dcmtk's programs prints. */
export const printByDcmtk = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'latin1', stdio: ['ignore', 'pipe', 'pipe'] });

/** A frame, 1-based, as dcmtk draws it. `dcml2pnm` draws JPEG-LS, and `dcmj2pnm` all else. */
export function drawByDcmtk(path: string, args: readonly string[] = [], program = 'dcmj2pnm'): ShownPixels {
  const output = `${path}.pnm`;
  runDcmtk(program, '-q', '+op', ...args, path, output);
  return readPnm(readFileSync(output));
}

/** As `drawByDcmtk`; null where dcmtk refuses to draw. */
export function tryDrawByDcmtk(...call: Parameters<typeof drawByDcmtk>): ShownPixels | null {
  try {
    return drawByDcmtk(...call);
  } catch {
    return null;
  }
}

/** A binary PGM or PPM of 8 bits. */
export function readPnm(bytes: Buffer): ShownPixels {
  const [head, kind, width, height] = /^P([56])\s+(?:#[^\n]*\n)?(\d+)\s+(\d+)\s+\d+\s/.exec(bytes.toString('latin1'))!;
  const data = bytes.subarray(head.length);
  return { width: Number(width), height: Number(height), channels: kind === '5' ? 1 : 3, data };
}
