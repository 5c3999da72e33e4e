import { z } from 'zod';
import type { FirmwarePart } from './check-images.ts';
import type { ChipFacts } from './chips.ts';
import { TickerError } from './ticker-error.ts';

/** A manifest of ESP Web Tools, as far as the bench needs it. */
const manifest = z.object({
  builds: z
    .array(
      z.object({
        chipFamily: z.string(),
        parts: z.array(z.object({ path: z.string(), offset: z.number().int().nonnegative() })).max(32),
      }),
    )
    .max(32),
});

/** A manifest of ESP Web Tools for one board with one image, as the firmware's release has them. */
export const releaseManifest = z.object({
  name: z.string().max(100),
  version: z.string().max(31),
  builds: z.tuple([
    z.object({
      chipFamily: z.string().max(31),
      parts: z.tuple([z.object({ path: z.string().max(100), offset: z.literal(0) })]),
    }),
  ]),
});

/** A file that the user selected. */
export interface SelectedFile {
  name: string;
  bytes: Uint8Array;
}

const nameOf = (path: string): string => path.split('/').at(-1)!;

/**
 * Turns selected files into parts: by the manifest among them, if there is one; otherwise each image goes to 0x0 or to
 * the address that its name ends with, as in `app-0x10000.bin`.
 */
export function planParts(files: readonly SelectedFile[], chip: ChipFacts): FirmwarePart[] {
  const description = files.find(({ name }) => name.endsWith('.json'));
  if (description === undefined) return files.map((file) => ({ ...file, address: addressOf(file.name) }));
  const { builds } = readManifest(description);
  const build = builds.find(({ chipFamily }) => chipFamily === chip.label);
  if (build === undefined) {
    const image = builds.map(({ chipFamily }) => chipFamily).join(', ') || '?';
    throw new TickerError('ticker.wrong_chip', { name: description.name, image, chip: chip.label });
  }
  return build.parts.map(({ path, offset }) => {
    const file = files.find(({ name }) => name === nameOf(path));
    if (file === undefined) throw new TickerError('ticker.file_missing', { name: nameOf(path) });
    return { ...file, address: offset };
  });
}

function addressOf(name: string): number {
  return Number.parseInt(/0x([0-9a-f]{1,8})\.bin$/i.exec(name)?.[1] ?? '0', 16);
}

function readManifest({ name, bytes }: SelectedFile): z.output<typeof manifest> {
  try {
    return manifest.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    throw new TickerError('ticker.not_an_image', { name });
  }
}
