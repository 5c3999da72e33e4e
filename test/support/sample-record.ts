import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNamings } from '../../src-main/features/documents/list/naming-repository.ts';
import { createAsk, type Ask, type Meaning } from '../../src-main/features/ask/service.ts';
import { createPrompts } from '../../src-main/features/prompts/service.ts';
import { createAccess } from '../../src-main/platform/access/access.ts';
import { openTestDatabase } from './new-database.ts';
import type { Database } from '../../src-main/platform/database/connection.ts';
import type { UserCaller } from '../../src-main/platform/kernel/caller.ts';
import { systemClock } from '../../src-main/platform/kernel/clock.ts';
import { restoreBackup } from '../../src-main/platform/vault/restore.ts';
import { createKnowledge } from '../../src-main/reading/knowledge/service.ts';
import type { GeneralModel } from '../../src-main/reading/providers/models/general.ts';
import { createSynonyms } from '../../src-main/reading/knowledge/synonyms.ts';

const ARCHIVE = fileURLToPath(new URL('../../resources/demo/household.zip', import.meta.url));
const TODAY = Date.parse('2026-11-26T10:00:00Z');

export interface SampleRecord {
  /** The folder of the vault. */
  vault: string;
  db: Database;
  ask: Ask;
  /** The user `demo`, who owns all records. */
  user: UserCaller;
  /** The id of a person by first name. */
  idOf(name: string): number;
  filenameOf(documentId: number): string;
  remove(): void;
}

const NO_MODEL = { isAvailable: () => false } as unknown as GeneralModel;

/** The database of the sample household with the feature that answers questions, on 26 November 2026. */
export async function openSampleRecord(
  model: GeneralModel = NO_MODEL,
  meaning: (db: Database) => Pick<Meaning, 'near'> = () => ({ near: () => Promise.resolve([]) }),
): Promise<SampleRecord> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-ask-'));
  await restoreBackup({ file: ARCHIVE, root: join(folder, 'vault'), replace: false, uniqueName: 'ask' });
  const db = openTestDatabase(join(folder, 'vault', 'vault.db'));
  const clock = { ...systemClock, now: () => TODAY };
  const ask = createAsk({
    ...{ db, clock, access: createAccess({ db }), namings: createNamings(db) },
    knowledge: createKnowledge(),
    synonyms: createSynonyms(),
    ...{ model, prompt: createPrompts({ db, clock }).text },
    meaning: meaning(db),
  });
  const userId = db.prepare("SELECT id FROM users WHERE username = 'demo'").pluck().get() as number;
  return {
    vault: join(folder, 'vault'),
    db,
    ask,
    user: { kind: 'user', userId, username: 'demo', role: 'admin', sessionId: 's', ip: '127.0.0.1' } as UserCaller,
    idOf: (name) => db.prepare('SELECT id FROM patients WHERE display_name LIKE ?').pluck().get(`${name} %`) as number,
    filenameOf: (id) => db.prepare('SELECT original_filename FROM documents WHERE id = ?').pluck().get(id) as string,
    remove() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
