import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateBackup } from '../../fixtures/ios-backup/generate.ts';
import { serve, type Served } from '../../support/serve.ts';
import { administrationSteps } from './administration.ts';
import { documentsSteps } from './documents.ts';
import { imagingSteps } from './imaging.ts';
import { phonesSteps } from './phones.ts';
import { Program } from './program.ts';
import { recordsSteps } from './records.ts';
import { SERVED } from './routes.ts';
import { setupSteps } from './setup.ts';
import { sharesSteps } from './shares.ts';
import { addressOf, OTHER_PHONE, PASSWORD, PHONE, startWalk, TOKEN, type Walk } from './walk.ts';

let served: Served, phones: string, walk: Walk;
beforeAll(async () => {
  phones = mkdtempSync(join(tmpdir(), 'hearth-foreign-'));
  const keybag = { password: PASSWORD, firstRounds: 20 };
  const entries = [{ domain: 'HomeDomain', path: 'Library/note.txt', content: 'a note' }];
  mkdirSync(join(phones, 'Backup'));
  await generateBackup({ folder: join(phones, 'Backup', PHONE), entries, keybag });
  await generateBackup({ folder: join(phones, 'Backup', OTHER_PHONE), entries });
  served = await serve({
    env: {
      BACKUP_PATHS__BASE_PATH: join(phones, 'Backup'),
      BACKUP_PATHS__TEMP_PATH: join(phones, 'temp'),
      SECURITY__API_TOKEN: TOKEN,
    },
  });
  walk = startWalk(served.url, served.backupsUrl);
});
afterAll(async () => {
  await served.remove();
  rmSync(phones, { recursive: true, force: true });
});

/** In this order: later steps use what earlier ones made. */
describe('a program that knows only the specification', () => {
  it.each([
    ...setupSteps,
    ...documentsSteps,
    ...recordsSteps,
    ...imagingSteps,
    ...sharesSteps,
    ...administrationSteps,
    ...phonesSteps,
  ])('%s', { timeout: 300_000 }, (_title, take) => take(walk));

  it('is refused without a session, except where the specification needs none', async () => {
    const stranger = new Program(served.url);
    const open =
      /^\S+ (\/health|\/api\/setup\/.*|\/api\/auth\/(login|oidc\/.*)|\/api\/share\/(\{token\}\/.*|claim|queue|heartbeat|logout))$/;
    for (const route of SERVED.filter((one) => one.includes(' /api/') && !open.test(one)))
      expect([route, (await stranger.send(...addressOf(route))).status]).toEqual([route, 401]);
  });
});

describe('the endpoints of the specification', () => {
  it('are all walked', () => {
    expect([...walk.walked].toSorted()).toEqual(SERVED.toSorted());
    expect(new Set(SERVED).size).toBe(134 + 8);
  });
});
