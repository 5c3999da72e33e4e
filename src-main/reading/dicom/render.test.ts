import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { imageObject, ODD, smoothPixels } from '../../../test/fixtures/dicom/image-objects.ts';
import { ctHeader } from '../../../test/fixtures/dicom/sample-objects.ts';
import { writeDicom } from '../../../test/fixtures/dicom/write-dicom.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import { createLargeWork } from '../../platform/kernel/large-work.ts';
import { WorkerProcess } from '../../platform/kernel/worker-process.ts';
import { createFrameRenderer, type FrameRenderer } from './render.ts';

let folder: string, renderer: FrameRenderer;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-frames-'));
  renderer = createFrameRenderer({ clock: systemClock, largeWork: createLargeWork() });
});
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true });
});

function put(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function pixelsOf(png: Buffer) {
  const { channels } = await sharp(png).metadata();
  const image = channels === 1 ? sharp(png).toColourspace('b-w') : sharp(png);
  return image.raw().toBuffer({ resolveWithObject: true });
}

describe('A frame as PNG', () => {
  const shape = { frames: 2 } as const;
  const pixels = smoothPixels([0, 255], shape);
  const object = (): string => put('frames.dcm', writeDicom(imageObject(shape, pixels)));

  it('has one gray value for each pixel of the frame', async () => {
    const { data, info } = await pixelsOf(
      await renderer.renderFrame(object(), 1, { windowCenter: 128, windowWidth: 256 }),
    );
    expect(info).toMatchObject({ width: ODD.columns, height: ODD.rows, channels: 1 });
    expect(Array.from(data)).toEqual(pixels.slice(pixels.length / 2));
  });

  it('has three values for each pixel in color, inverted and enlarged', async () => {
    const color = { samples: 3, photometric: 'RGB' } as const;
    const path = put(
      'color.dcm',
      writeDicom(
        imageObject(
          color,
          Array(ODD.rows * ODD.columns)
            .fill([250, 5, 100])
            .flat(),
        ),
      ),
    );
    const { data, info } = await pixelsOf(await renderer.renderFrame(path, 0, { invert: true, upscale: 3 }));
    expect(info).toMatchObject({ width: 3 * ODD.columns, height: 3 * ODD.rows, channels: 3 });
    expect(Array.from(data.subarray(600, 606))).toEqual([5, 250, 155, 5, 250, 155]);
  });

  it('shows a file that was replaced by another one', async () => {
    const options = { windowCenter: 128, windowWidth: 256 };
    const before = put('replaced.dcm', writeDicom(imageObject({}, smoothPixels([0, 255]))));
    await renderer.renderFrame(before, 0, options);
    const smaller = { rows: 4, columns: 4 };
    const path = put('replaced.dcm', writeDicom(imageObject(smaller, smoothPixels([255, 0], smaller))));
    const { data } = await pixelsOf(await renderer.renderFrame(path, 0, options));
    expect(Array.from(data)).toEqual(smoothPixels([255, 0], smaller));
  });

  it('is refused with the code of what is wrong', async () => {
    const empty = put('report.dcm', writeDicom(ctHeader()));
    await expect(renderer.renderFrame(empty, 0, {})).rejects.toMatchObject({ code: 'no_pixels' });
    await expect(renderer.renderFrame(object(), 2, {})).rejects.toMatchObject({ code: 'no_frame' });
    await expect(renderer.renderFrame(join(folder, 'none.dcm'), 0, {})).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is not drawn after an abort, and the next one is', async () => {
    const path = object();
    const abort = new AbortController();
    const reason = new Error('scrolled on');
    const frames = [0, 1, 0, 1].map((frame) => renderer.renderFrame(path, frame, {}, abort.signal));
    abort.abort(reason);
    expect(await Promise.allSettled(frames)).toEqual(Array(4).fill({ status: 'rejected', reason }));
    expect((await pixelsOf(await renderer.renderFrame(path, 0, {}))).info.width).toBe(ODD.columns);
  });

  it('is decoded for nobody who has gone: not while it waits, and not after its header was read', async () => {
    const path = object();
    await renderer.readPixels(path, 0);
    const tasks = vi.spyOn(WorkerProcess.prototype, 'postMessage');
    const clients = Array.from({ length: 60 }, () => new AbortController());
    const asked = Promise.allSettled(clients.map(({ signal }, at) => renderer.readPixels(path, at % 2, signal)));
    // Each that goes lets the next one forward to the processes, which are still busy.
    for (const client of clients) {
      client.abort(new Error('gone'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await asked;
    expect(await renderer.readPixels(path, 0)).not.toHaveLength(0);
    const sent = tasks.mock.calls.map(([task]) => (task as { request: { op: string } }).request.op);
    tasks.mockRestore();
    expect(sent.filter((op) => op === 'store').length).toBeLessThanOrEqual(3);
    expect(sent.length).toBeLessThan(20);
  });
});
