import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Forgets the peak so far, so that the next reading is that of what follows. Linux only. */
export function resetPeakMemory(pid: number | undefined): void {
  const path = `/proc/${pid}/clear_refs`;
  if (existsSync(path)) writeFileSync(path, '5');
}

/** The most memory that a process held, in bytes; null where the system does not say. */
export function peakMemory(pid: number | undefined): number | null {
  const path = `/proc/${pid}/status`;
  const kilobytes = existsSync(path) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
