import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { itWith } from '../../../../test/support/requirements.ts';
import { gatherModels, removeAbandonedModels } from './model-folder.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'hearth-models-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

it('gathers the model of every language in one folder of this process', async () => {
  const folder = await gatherModels(parent);
  expect(readdirSync(folder).sort()).toEqual([
    'deu.traineddata.gz',
    'eng.traineddata.gz',
    'fra.traineddata.gz',
    'ita.traineddata.gz',
  ]);
  expect(folder).toContain(`hearth-ocr-${process.pid}-`);
});

it('removes only the folders of killed processes', async () => {
  const { pid: gone } = spawnSync(process.execPath, ['-e', '0']);
  const others = [`hearth-ocr-${process.pid}-aaaaaa`, 'hearth-ocr-notes', `hearth-ocr-${gone}`, `other-${gone}-aaaaaa`];
  for (const name of [...others, `hearth-ocr-${gone}-aaaaaa`]) mkdirSync(join(parent, name));
  writeFileSync(join(parent, `hearth-ocr-${gone}-aaaaaa`, 'eng.traineddata.gz'), 'x');
  writeFileSync(join(parent, `hearth-ocr-${gone}-bbbbbb`), 'a file');
  await removeAbandonedModels(parent);
  expect(existsSync(join(parent, `hearth-ocr-${gone}-aaaaaa`))).toBe(false);
  for (const name of [...others, `hearth-ocr-${gone}-bbbbbb`])
    expect([name, existsSync(join(parent, name))]).toEqual([name, true]);
});

itWith({ symlinks: true }, 'removes nothing behind the link of a killed process', async () => {
  const { pid: gone } = spawnSync(process.execPath, ['-e', '0']);
  const outside = mkdtempSync(join(tmpdir(), 'hearth-outside-'));
  try {
    writeFileSync(join(outside, 'precious'), 'x');
    symlinkSync(outside, join(parent, `hearth-ocr-${gone}-cccccc`));
    await removeAbandonedModels(parent);
    expect(existsSync(join(outside, 'precious'))).toBe(true);
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
});
