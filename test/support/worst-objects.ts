import { spawnSync } from 'node:child_process';

/** How an object was taken by Hearth. */
export interface TakenObject {
  /** Which of the damaged objects it is. */
  number: number;
  ms: number;
  /** The most that the process which took it held meanwhile; 0 where the system does not say. */
  bytes: number;
  /** What came of it: what was done, or the code of a refusal. */
  outcome: string;
}

/** What dcmdump made of an object. */
export interface DumpedObject {
  ms: number;
  /** Its exit code, or the signal that ended it. */
  outcome: string;
  hasEnded: boolean;
}

/** An object in the hands of both. */
export interface ComparedObject {
  /** What Hearth did with it. */
  work: string;
  ours: TakenObject;
  dumped: DumpedObject;
}

/** After this, dcmdump is said to hang. */
const MAX_DUMP_MS = 10_000;

/** The objects that took the most time, and as many others that took the most memory; `count` together. */
export function worstOf(taken: readonly TakenObject[], count: number): TakenObject[] {
  const slowest = taken.toSorted((a, b) => b.ms - a.ms).slice(0, count / 2);
  const others = taken.filter((object) => !slowest.includes(object)).toSorted((a, b) => b.bytes - a.bytes);
  return [...slowest, ...others.slice(0, count / 2)];
}

const DUMP = 'dcmdump';

/** Reads a file by dcmdump, which is ended when it hangs. */
export function dumpByDcmtk(path: string): DumpedObject {
  const started = performance.now();
  const { status, signal } = spawnSync(DUMP, ['-q', path], { stdio: 'ignore', timeout: MAX_DUMP_MS });
  const ms = performance.now() - started;
  return { ms, outcome: signal ?? `exit code ${status}`, hasEnded: signal === null };
}

/** Prints a table of what both made of the same objects. */
export function printComparison(compared: readonly ComparedObject[]): void {
  const rows = [
    rowOf('', 'object', 'ms', 'MiB', 'outcome', 'dcmdump ms', 'outcome'),
    ...compared.map(({ work, ours, dumped }) =>
      rowOf(
        work,
        String(ours.number),
        ours.ms.toFixed(1),
        String(Math.round(ours.bytes / 2 ** 20)),
        ours.outcome,
        dumped.ms.toFixed(1),
        dumped.outcome,
      ),
    ),
  ];
  console.info(rows.join('\n'));
}

const rowOf = (...cells: string[]): string => cells.map((cell) => cell.padStart(18)).join(' ');
