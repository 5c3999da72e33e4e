import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { heic, TILE_SIDE, type HeicOptions } from '../../../../test/support/heic-files.ts';
import { countRefusedGrowths, limitWasmMemory } from '../../../platform/kernel/web-assembly.ts';
import { useHeic } from './heic.ts';

// A photo of 6 megapixels takes about 50 MB.
limitWasmMemory(80 * 2 ** 20);

const folder = mkdtempSync(join(tmpdir(), 'hearth-heic-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function photo(name: string, options: HeicOptions): string {
  const path = join(folder, name);
  writeFileSync(path, heic(options));
  return path;
}

test('decodes the tiles of a photo to RGB', async () => {
  const path = photo('small.heic', { columns: 2, rows: 1, width: 900, height: 500 });
  await useHeic(path, async (open) => {
    expect(open).toMatchObject({ width: 900, height: 500 });
    const { width, height, channels, data } = await open.decode();
    expect({ width, height, channels }).toEqual({ width: 900, height: 500, channels: 3 });
    expect(data).toHaveLength(900 * 500 * 3);
    // x265 encoded #b0c0d0 with few bits.
    const [red = 0, green = 0, blue = 0] = data.subarray(-3);
    expect(Math.abs(red - 0xb0) + Math.abs(green - 0xc0) + Math.abs(blue - 0xd0)).toBeLessThan(24);
  });
});

test('frees the memory of each photo, also after an error', async () => {
  const path = photo('photo.heic', { columns: 6, rows: 4 });
  for (let round = 0; round < 4; round += 1) {
    const pixels = await useHeic(path, async (open) => (await open.decode()).data.length);
    expect(pixels).toBe(24 * TILE_SIDE ** 2 * 3);
    await expect(
      useHeic(path, async (open) => {
        await open.decode();
        throw new Error('resized no further');
      }),
    ).rejects.toThrow('resized no further');
  }
  expect(countRefusedGrowths()).toBe(0);
});

test('counts that the decoder was refused memory, which it reports as an error of the file', async () => {
  const path = photo('large.heic', { columns: 16, rows: 12 });
  await expect(useHeic(path, (open) => open.decode())).rejects.toThrow(/libheif|memory/);
  expect(countRefusedGrowths()).toBeGreaterThan(0);
});

test('rejects a file without an image', async () => {
  const path = join(folder, 'empty.heic');
  writeFileSync(path, Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic'));
  await expect(useHeic(path, () => true)).rejects.toMatchObject({ code: 'upload.damaged' });
});
