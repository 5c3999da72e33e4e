import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './build.ts';
import { packed, sceneVectors, type Scene } from './scenes.ts';

const PICTURE_BYTES = 240 * 240 * 4;

/** Draws each scene with the host's `render`; 240 × 240 pixels of red, green, blue and alpha. */
export function pictures(place: string, folder: string, list: readonly Scene[]): { name: string; rgba: Buffer }[] {
  return [undefined, 'seen' as const].flatMap((look) => {
    const part = list.filter((scene) => scene.look === look);
    const pack = join(folder, `${look ?? 'panel'}.pack`);
    writeFileSync(pack, packed(sceneVectors(part)));
    const bytes = run(join(place, 'render'), ['pictures', pack, ...(look ? [look] : [])]);
    return part.map(({ name }, at) => ({ name, rgba: bytes.subarray(at * PICTURE_BYTES, (at + 1) * PICTURE_BYTES) }));
  });
}
