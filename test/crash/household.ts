import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Random } from '../fixtures/corpus/random.ts';
import type { Client } from '../support/client.ts';
import { labReport } from '../support/sample-documents.ts';

/** What the core confirmed by its responses; unconfirmed requests may have taken effect or not. */
export interface Ledger {
  /** Content hash of each upload that was answered 201, by document id. */
  stored: Map<number, string>;
  /** Contents sent without a response. */
  unanswered: Set<string>;
  /** Contents laid into the inbox: always to be kept. */
  dropped: Set<string>;
  /** Documents whose last deletion or restoration was answered. */
  deleted: Map<number, number>;
  /** Documents whose deletion or restore was requested and not confirmed. */
  uncertain: Set<number>;
  requests: number;
}

export const newLedger = (): Ledger => ({
  stored: new Map(),
  unanswered: new Set(),
  dropped: new Set(),
  deleted: new Map(),
  uncertain: new Set(),
  requests: 0,
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let made = 0;
/** A paper that was never made before: mostly born-digital, now and then a small scan. */
async function newPaper(random: Random): Promise<{ name: string; bytes: Uint8Array }> {
  made += 1;
  const collected = `${String(random.int(1, 28)).padStart(2, '0')}.0${random.int(1, 9)}.20${random.int(10, 25)}`;
  if (!random.chance(0.12)) return { name: `report ${made}.pdf`, bytes: await labReport({ seed: made, collected }) };
  const lines = [
    'Synlabor Mittelland AG',
    'Laborbefund',
    `Patient: Elena Keller  Datum: ${collected}`,
    `Auftrag ${made}`,
  ].map(
    (line, index) =>
      `<text x="40" y="${70 + index * 60}" font-family="DejaVu Sans, sans-serif" font-size="34">${line}</text>`,
  );
  return {
    name: `scan ${made}.png`,
    bytes: await sharp(
      Buffer.from(
        '<svg width="900" height="320" xmlns="http://www.w3.org/2000/svg"><rect width="100%" ' +
          `height="100%" fill="#fff"/>${lines.join('')}</svg>`,
      ),
    )
      .png()
      .toBuffer(),
  };
}

async function upload({ person, ledger, random }: Scene): Promise<void> {
  const { name, bytes } = await newPaper(random);
  const hash = sha256(bytes);
  ledger.unanswered.add(hash);
  const { status, body } = await person.upload(bytes, name, random.chance(0.7) ? 1 : null);
  if (status !== 201) throw new Error(`an upload was answered ${status}: ${JSON.stringify(body)}`);
  ledger.unanswered.delete(hash);
  ledger.stored.set(body.document_id as number, hash);
}

/** As a careful program lays a file down: complete, then named. */
async function drop({ vault, ledger, random }: Scene): Promise<void> {
  const { name, bytes } = await newPaper(random);
  const folder = join(vault, 'inbox', 'elena-keller', 'from the scanner');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.part`), bytes);
  renameSync(join(folder, `${name}.part`), join(folder, name));
  ledger.dropped.add(sha256(bytes));
}

const anyStored = ({ ledger, random }: Scene): number | undefined => {
  const ids = [...ledger.stored.keys()].filter((id) => !ledger.deleted.has(id) && !ledger.uncertain.has(id));
  return ids.length > 0 ? random.pick(ids.slice(-20)) : undefined;
};

/** A change that moves the file: another date, or another name. */
async function edit(scene: Scene): Promise<void> {
  const id = anyStored(scene);
  if (id === undefined) return;
  if (scene.random.chance(0.5))
    await scene.person.call('PATCH', `/api/documents/${id}`, {
      event_date: `20${scene.random.int(10, 25)}-0${scene.random.int(1, 9)}-1${scene.random.int(0, 9)}`,
    });
  else
    await scene.person.post(`/api/documents/${id}/rename`, {
      filename: `renamed ${scene.random.int(1, 1e9)}.${scene.random.pick(['pdf', 'png'])}`,
    });
}

async function reprocess(scene: Scene): Promise<void> {
  const id = anyStored(scene);
  if (id !== undefined)
    await scene.person.post(`/api/documents/${id}/reprocess`, { mode: scene.random.pick(['both', 'ocr', 'llm']) });
}

async function remove(scene: Scene): Promise<void> {
  const id = anyStored(scene);
  if (id === undefined) return;
  scene.ledger.uncertain.add(id);
  const { status, body } = await scene.person.call('DELETE', `/api/documents/${id}`);
  scene.ledger.uncertain.delete(id);
  if (status === 200) scene.ledger.deleted.set(id, body.trash_id as number);
}

async function restore({ person, ledger, random }: Scene): Promise<void> {
  const items = [...ledger.deleted].filter(([id]) => !ledger.uncertain.has(id));
  if (items.length === 0) return;
  const [id, trashId] = random.pick(items);
  ledger.uncertain.add(id);
  const { status } = await person.post(`/api/trash/${trashId}/restore`);
  if (status === 200) ledger.deleted.delete(id);
  ledger.uncertain.delete(id);
}

export interface Scene {
  person: Client;
  vault: string;
  ledger: Ledger;
  random: Random;
}

const ACTIONS = [upload, upload, upload, upload, upload, drop, edit, edit, remove, restore, reprocess];
/** More waiting than this and the household only watches, so that the end does not take hours. */
const MAX_WAITING = 30;

/** Calls everything that moves files until the core is killed. Throws for an unexpected response. */
export async function useUntilGone(scene: Scene, isGone: () => boolean): Promise<void> {
  const one = async (): Promise<void> => {
    while (!isGone()) {
      try {
        const { body } = await scene.person.get('/api/pipeline/status');
        if (body.queue_depth > MAX_WAITING) await new Promise((resolve) => setTimeout(resolve, 100));
        else await scene.random.pick(ACTIONS)(scene);
        scene.ledger.requests += 1;
      } catch (error) {
        // A broken connection is what a kill looks like from here.
        if (error instanceof TypeError || (error as NodeJS.ErrnoException).code !== undefined) return;
        throw error;
      }
    }
  };
  await Promise.all([one(), one()]);
}
