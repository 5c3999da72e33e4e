import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coreLanguage, type CoreLanguage } from '../../../src-shared/contract/core-languages.ts';
import type { OpenSample } from '../../features/sample/service.ts';
import type { Config } from '../../platform/config/config.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { systemClock, toCivilDate, type Clock } from '../../platform/kernel/clock.ts';
import { restoreBackup } from '../../platform/vault/restore.ts';
import type { Core } from '../core.ts';
import type { CoreOptions } from '../open-platform.ts';
import { SAMPLE } from './credentials.ts';
import { eventTitleIn } from './event-titles.ts';
import { movedFollowUp } from './follow-up-dates.ts';

/** Written by `npm run build:demo`: a backup of a vault into which the product imported sixty papers. */
const ARCHIVE = fileURLToPath(new URL('../../../resources/demo/household.zip', import.meta.url));
/** The folder of the household's phone backup. It is read where it is, because Hearth never writes to a backup. */
const PHONES = fileURLToPath(new URL('../../../resources/demo/phones', import.meta.url));

/** The last day of the household's papers; the archive is built as if it were this day. */
export const LAST_DAY = '2026-11-20';

/** What it takes to use the household. */
export const OPEN_SAMPLE: OpenSample = { ...SAMPLE, phone_folder: PHONES };

const systemLanguage = (): CoreLanguage =>
  coreLanguage(new Intl.DateTimeFormat().resolvedOptions().locale.split('-')[0]);

type SampleCore = Pick<Core, 'auth' | 'today' | 'documentRows' | 'events'>;

/** More than the household has. */
const MAX_ROWS = 100;

export interface SampleHousehold {
  /** What a core that shows it takes from it. */
  optionsFor(config: Config): Pick<CoreOptions, 'config' | 'keychain' | 'keyFolder'>;
  /** Moves appointments that have passed since the archive was written, and names events in the reader's language. */
  prepare(core: SampleCore): Promise<void>;
  /** Deletes it with all changes. */
  remove(): void;
}

/**
 * Unpacks the sample household into a temporary folder for a reader of this language, by default that of the computer.
 * Throws `BackupDamaged` if the archive is damaged.
 */
export async function unpackSample(language: CoreLanguage = systemLanguage()): Promise<SampleHousehold> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-demo-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const vault = join(folder, 'vault');
  try {
    await restoreBackup({ file: ARCHIVE, root: vault, replace: false, uniqueName: 'demo' });
  } catch (error) {
    remove();
    throw error;
  }
  return {
    optionsFor: (config) => ({
      config: { ...config, 'vault.path': vault, 'phone_backups.base_path': PHONES },
      // Everybody knows the password of the household, so it gets none of the computer's keys.
      keychain: null,
      keyFolder: join(folder, 'keys'),
    }),
    prepare: (core) => prepare(core, language, systemClock),
    remove,
  };
}

/** Does as the household what depends on who looks at it and when. */
async function prepare(core: SampleCore, language: CoreLanguage, clock: Clock): Promise<void> {
  const origin = { ip: '127.0.0.1', userAgent: 'demo', sessionId: null };
  const { user } = await core.auth.login(SAMPLE.username, SAMPLE.password, origin, null);
  moveFollowUps(core, user, toCivilDate(clock.now()));
  await nameEvents(core, user, language);
  core.auth.logout(user);
}

/** So that some are ahead and one is overdue on whatever day it is opened. */
function moveFollowUps({ today, documentRows }: SampleCore, user: UserCaller, now: string): void {
  const { follow_ups: followUps } = today.overview({ patient_id: undefined, follow_ups: MAX_ROWS }, user);
  for (const { encounter_id: id, follow_up_date: printed } of followUps) {
    const moved = movedFollowUp(printed, LAST_DAY, now);
    if (moved !== null) documentRows.update('encounter', id, { follow_up_date: moved }, user);
  }
}

async function nameEvents({ events }: SampleCore, user: UserCaller, language: CoreLanguage): Promise<void> {
  for (const { id, title: written } of events.list({ limit: MAX_ROWS, offset: 0 }, user).items) {
    const title = eventTitleIn(language, written);
    if (title !== null) await events.update(id, { title }, user);
  }
}
