/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  classificationAnswer,
  readAnswer,
  ROW_ANSWERS,
  schemaOf,
} from '../../../../src-shared/medical/model-answer.ts';
import { makeGguf } from '../../../../test/fixtures/make-gguf.ts';
import { describeWith } from '../../../../test/support/requirements.ts';
import { systemClock } from '../../../platform/kernel/clock.ts';
import type { ModelRequest } from '../models/model.ts';
import { createLocalModels, type LocalModels } from './local-models.ts';

/** A model with random weights is loaded by llama.cpp itself, in the process that Hearth starts for it. */

const MODEL = 'random.gguf';
const SIGNAL = new AbortController().signal;
const TEXT = 'Ferritin 23 µg/L (30 - 300)\n'.repeat(10);
const request = (answer: Parameters<typeof schemaOf>[0], more: Partial<ModelRequest> = {}): ModelRequest => ({
  ...{ purpose: 'reading', system: 'You read laboratory results.', user: TEXT, schemaName: 'reading', maxTokens: 900 },
  schema: schemaOf(answer),
  ...more,
});
const everything = request(ROW_ANSWERS.other);

/** The processes that run models for this one. */
function processes(): number[] {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return list.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(line) ?? [];
    return Number(parent) === process.pid && command.includes('process-host') ? [Number(pid)] : [];
  });
}

/** Resolves when a process has begun to answer, which is when the second listener waits for the abort. */
function begun(signal: AbortSignal): Promise<void> {
  const listen = signal.addEventListener.bind(signal);
  let listeners = 0;
  return new Promise((resolve) => {
    signal.addEventListener = (...details: Parameters<typeof listen>) => {
      listen(...details);
      listeners += 1;
      if (listeners === 2) resolve();
    };
  });
}

let folder: string, models: LocalModels, free: number;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-models-'));
  writeFileSync(join(folder, MODEL), makeGguf());
  models = createLocalModels({ clock: systemClock, folder, availableBytes: () => free });
});
beforeEach(() => void (free = 1e9));
afterAll(async () => {
  await models.close();
  rmSync(folder, { recursive: true });
});

it('lists the model files of its folder, and opens no other file', async () => {
  for (const name of ['large-00001-of-00002.gguf', 'large-00002-of-00002.gguf', 'notes.txt'])
    writeFileSync(join(folder, name), 'x');
  mkdirSync(join(folder, 'folder.gguf'));
  expect((await models.files()).map(({ name }) => name)).toEqual(['large-00001-of-00002.gguf', MODEL]);
  for (const name of ['missing.gguf', '../random.gguf', 'notes.txt', 'folder.gguf'])
    await expect(models.ask(name, everything, SIGNAL)).rejects.toMatchObject({
      code: 'provider.file_missing',
      params: { file: name },
    });
});

describeWith({ packages: ['node-llama-cpp'], programs: ['ps'] }, 'a model in a file', () => {
  it('answers in the form of a schema, from one process', async () => {
    for (const answer of [classificationAnswer, ROW_ANSWERS.other, ROW_ANSWERS.invoice]) {
      const found = await models.ask(MODEL, request(answer), SIGNAL);
      expect(readAnswer(answer, found.text)).toMatchObject({ problems: [] });
      expect(found).toMatchObject({ isCut: false });
      expect(found.tokensIn).toBeGreaterThan(250);
      expect(found.tokensOut).toBeGreaterThan(10);
    }
    expect(processes()).toHaveLength(1);
  });

  it('says when an answer is cut off, and when a document is too long', async () => {
    expect(await models.ask(MODEL, { ...everything, maxTokens: 5 }, SIGNAL)).toMatchObject({ isCut: true });
    const plain = { purpose: 'question' as const, system: 'You write.', user: 'Write.', maxTokens: 20 };
    const seen: string[] = [];
    const written = await models.ask(MODEL, { ...plain, onText: (text) => seen.push(text) }, SIGNAL);
    expect(seen).toEqual([written.text]);
    const long = request(ROW_ANSWERS.other, { user: 'Ferritin '.repeat(3000) });
    await expect(models.ask(MODEL, long, SIGNAL)).rejects.toMatchObject({ code: 'provider.too_large' });
  });

  it('makes the same vector of the same text, and another one of another text', async () => {
    const before = processes();
    const separate = createLocalModels({ clock: systemClock, folder, availableBytes: () => free });
    await separate.ask(MODEL, everything, SIGNAL);
    const { vectors, tokensIn } = await separate.embed(MODEL, ['Ferritin', 'Ferritin', TEXT], SIGNAL);
    const [first, second, third] = vectors;
    expect(first).toHaveLength(64);
    expect(second).toEqual(first);
    expect(third).not.toEqual(first);
    expect(tokensIn).toBeGreaterThan(2);
    // Its process is not the one of answers.
    expect(processes()).toHaveLength(before.length + 2);
    await separate.close();
    await expect.poll(processes, { timeout: 20_000 }).toEqual(before);
  });

  it('is not loaded without memory for it, nor from a broken file', async () => {
    writeFileSync(join(folder, 'second.gguf'), makeGguf());
    writeFileSync(join(folder, 'broken.gguf'), makeGguf().subarray(0, 100_000));
    await expect(models.ask('broken.gguf', everything, SIGNAL)).rejects.toMatchObject({
      code: 'provider.file_unreadable',
    });
    free = 1000;
    await expect(models.ask('second.gguf', everything, SIGNAL)).rejects.toMatchObject({
      code: 'provider.too_little_memory',
      params: { needed: expect.any(Number), free: 0.1 },
    });
    free = 1e9;
    expect(await models.ask('second.gguf', everything, SIGNAL)).toMatchObject({ isCut: false });
  });

  it('answers from a new process after its process was killed', async () => {
    const [before = 0] = processes();
    const controller = new AbortController();
    const isBegun = begun(controller.signal);
    const answering = models.ask(MODEL, everything, controller.signal);
    await isBegun;
    process.kill(before, 'SIGKILL');
    expect(readAnswer(ROW_ANSWERS.other, (await answering).text)).toMatchObject({ problems: [] });
    const [after = 0] = processes();
    expect(after).not.toBe(before);
  });

  it('ends its process when it is cancelled', async () => {
    const controller = new AbortController();
    const isBegun = begun(controller.signal);
    const answering = models.ask(MODEL, everything, controller.signal);
    await isBegun;
    controller.abort();
    await expect(answering).rejects.toThrow('aborted');
    await expect.poll(processes).toEqual([]);
  });

  it('leaves the memory when it has nothing to do', async () => {
    const brief = createLocalModels({ clock: systemClock, folder, idleMs: 50, availableBytes: () => free });
    expect(await brief.ask(MODEL, everything, SIGNAL)).toMatchObject({ isCut: false });
    await expect.poll(processes).toEqual([]);
    await brief.close();
  });
});
