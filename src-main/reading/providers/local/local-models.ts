import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { createWorkerPool, WorkerCrash, type WorkerPool } from '../../../platform/kernel/worker-pool.ts';
import type { ModelAnswer, ModelRequest } from '../models/model.ts';
import type { Embedded, LlamaTask } from './llama-tasks.ts';
import { modelFilesIn, type ModelFile } from './model-files.ts';

/** Models of this computer: GGUF files that llama.cpp runs in a process of its own. */
export interface LocalModels {
  readonly folder: string;
  files(): Promise<ModelFile[]>;
  /** @throws `provider.file_missing` and what the process reports: see `llama-thread.ts` */
  ask(name: string, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /** A vector for each text, and their tokens. @throws as `ask` does */
  embed(name: string, texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
  /** Memory for models that is free now. */
  availableBytes(): number;
  /** Frees the memory of a model that has nothing to do. */
  endIdle(): void;
  close(): Promise<void>;
}

export interface LocalModelsDeps {
  clock: Clock;
  /** Absolute path. */
  folder: string;
  idleMs?: number;
  availableBytes?: () => number;
}

/** A model that was read from the disk stays in memory for as long. */
const IDLE_MS = 5 * 60_000;

interface Deps {
  /** The process of the model that answers. */
  pool: WorkerPool;
  /** That of the model for vectors, so that neither takes the place of the other for every question. */
  vectorPool: WorkerPool;
  folder: string;
  availableBytes: () => number;
}

export function createLocalModels({
  clock,
  folder,
  idleMs = IDLE_MS,
  availableBytes = availableMemory,
}: LocalModelsDeps): LocalModels {
  const createPool = (): WorkerPool =>
    createWorkerPool({
      script: new URL('./llama-thread.ts', import.meta.url),
      ...{ size: 1, idleMs, clock },
      process: { maxBytes: totalmem(), maxIdleBytes: totalmem() },
    });
  const [pool, vectorPool] = [createPool(), createPool()];
  const deps: Deps = { pool, vectorPool, folder, availableBytes };
  return {
    folder,
    files: () => modelFilesIn(folder),
    async ask(name, { system, user, schema, maxTokens, onText }, signal) {
      const rest = { system, user, schema, maxTokens };
      const answer = await run<ModelAnswer>(deps, { kind: 'answer', ...(await modelOf(deps, name)), ...rest }, signal);
      onText?.(answer.text);
      return answer;
    },
    embed: async (name, texts, signal) => run(deps, { kind: 'embed', ...(await modelOf(deps, name)), texts }, signal),
    availableBytes,
    endIdle() {
      pool.endIdle();
      vectorPool.endIdle();
    },
    close: async () => void (await Promise.all([pool.close(), vectorPool.close()])),
  };
}

/** Only files of the folder are opened. */
async function modelOf(
  { folder, availableBytes }: Deps,
  name: string,
): Promise<Pick<LlamaTask, 'path' | 'availableBytes'>> {
  const file = (await modelFilesIn(folder)).find((candidate) => candidate.name === name);
  if (!file) throw fail('provider.file_missing', { provider: '', file: name });
  return { path: join(folder, file.name), availableBytes: availableBytes() };
}

/** Runs a task, and once more in a new process when the first one died: another program may have ended it. */
async function run<T>({ pool, vectorPool }: Deps, task: LlamaTask, signal: AbortSignal): Promise<T> {
  const attempt = (): Promise<T> => (task.kind === 'embed' ? vectorPool : pool).run<T>(task, { signal });
  const isCrash = (error: unknown): boolean => error instanceof WorkerCrash && !signal.aborted;
  return attempt()
    .catch((error: unknown) => (isCrash(error) ? attempt() : Promise.reject(error as Error)))
    .catch((error: unknown) => {
      throw isCrash(error) ? fail('provider.model_crashed', { provider: '' }, error) : (error as Error);
    });
}

/** macOS counts memory as used that it would give away at once; most of it can be had. */
function availableMemory(): number {
  return process.platform === 'darwin' ? totalmem() * 0.7 : process.availableMemory();
}
