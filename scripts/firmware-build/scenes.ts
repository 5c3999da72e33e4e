import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIRMWARE } from './build.ts';

/**
 * One golden picture: `view` is a `TickerView` of src-shared/ticker/screen.ts. `look` = seen: as a person sees it,
 * dimmed; otherwise what leaves to the panel.
 */
export type Scene = { name: string; look?: 'seen'; settings: unknown; view: unknown };

export const scenes = (): Scene[] =>
  JSON.parse(readFileSync(join(FIRMWARE, 'test/golden/scenes.json'), 'utf8')) as Scene[];

/** What `firmware/test/vectors/run.cpp` plays: its kind and its text. */
export type Vector = { kind: keyof typeof KINDS; text: string };
const KINDS = {
  json: 'j',
  number: 'n',
  answer: 'a',
  schedule: 's',
  settings: 'c',
  reply: 'r',
  zone: 'z',
  scene: 'v',
} as const;

export const vectors = (): Vector[] =>
  JSON.parse(readFileSync(join(FIRMWARE, 'test/vectors/vectors.json'), 'utf8')) as Vector[];

export const sceneVectors = (list: readonly Scene[]): Vector[] =>
  list.map(({ settings, view }) => ({ kind: 'scene', text: `${JSON.stringify(settings)}\n${JSON.stringify(view)}` }));

/** The vectors as `firmware/render/pack.h` reads them: kind, length, text. */
export function packed(list: readonly Vector[]): Buffer {
  return Buffer.concat(
    list.flatMap(({ kind, text }) => {
      const bytes = Buffer.from(text);
      const head = Buffer.alloc(5);
      head.write(KINDS[kind], 'latin1');
      head.writeUInt32LE(bytes.length, 1);
      return [head, bytes];
    }),
  );
}
