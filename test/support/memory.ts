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

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Resident bytes of a process and of all that its main thread started. Linux only. */
function totalMemory(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0;
    return childrenOf(pid).reduce((sum, child) => sum + totalMemory(child), Number(kilobytes) * 1024);
  } catch {
    // It has ended.
    return 0;
  }
}

/** Does the same for every process that this one started. Linux only. */
export function resetPeakOfChildren(pid: number): void {
  if (!existsSync(`/proc/${pid}/status`)) return;
  for (const child of childrenOf(pid))
    try {
      resetPeakMemory(child);
    } catch {
      // It has ended.
    }
}

/** The most that any process which this one started has held so far, in bytes; 0 where the system does not say. */
export function peakOfChildren(pid: number): number {
  try {
    return Math.max(0, ...childrenOf(pid).map((child) => peakMemory(child) ?? 0));
  } catch {
    // One of them has ended, or the system does not say.
    return 0;
  }
}

/**
 * Follows the memory of a process and of all that it starts. The returned function ends this and returns the largest sum
 * at one time, in bytes; null where the system does not say.
 */
export const watchMemory = (pid: number | undefined): (() => number | null) => watch(pid, totalMemory);

/** The same for the largest of the processes that it starts, each by itself. */
export const watchChildren = (pid: number | undefined): (() => number | null) => watch(pid, peakOfChildren);

function watch(pid: number | undefined, measure: (pid: number) => number): () => number | null {
  if (pid === undefined || !existsSync(`/proc/${pid}/status`)) return () => null;
  let largest = 0;
  const look = (): void => {
    largest = Math.max(largest, measure(pid));
  };
  const timer = setInterval(look, 20);
  return () => {
    clearInterval(timer);
    look();
    return largest;
  };
}
