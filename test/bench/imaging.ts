/**
 * Imaging beside the programs of dcmtk and OpenJPEG:
 * `npm run bench:imaging [-- --frames 30 --objects 1000 --at-once 4]`. A frame of 512 × 512 pixels of 16 bits as PNG is
 * compared with one process of `dcmj2pnm` for each frame, one after the other, which reads no JPEG 2000: there the peer
 * is `opj_decompress`. Hearth is asked for several frames at once, as its viewer does; `--at-once 1` asks one by one.
 * Taking in a disc is compared with one process of `dcmdump` for each header. Last, a CT of 300 images is
 * opened and scrolled in the built page, which is built if it is missing; `--only viewer` does only that. Exits 1 if a
 * bar is missed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import dcmjsCodecs from 'dcmjs-codecs';
import PQueue from 'p-queue';
import { systemClock } from '../../src-main/platform/kernel/clock.ts';
import { createLargeWork } from '../../src-main/platform/kernel/large-work.ts';
import { createFrameRenderer } from '../../src-main/reading/dicom/render.ts';
import { slice } from '../fixtures/dicom/disc.ts';
import { imageObject, smoothPixels, type ImageShape } from '../fixtures/dicom/image-objects.ts';
import { withAttributes } from '../fixtures/dicom/sample-objects.ts';
import { writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { zip } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { serve } from '../support/serve.ts';
import { benchScrolling } from './imaging-scroll.ts';

const { NativeCodecs, Context } = dcmjsCodecs;
const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '30' },
    objects: { type: 'string', default: '1000' },
    'at-once': { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});
const FRAMES = Number(values.frames);
const OBJECTS = Number(values.objects);
const AT_ONCE = Number(values['at-once']);
const SHAPE: ImageShape = { rows: 512, columns: 512, allocated: 16, stored: 16 };
/** Frames that are shown first, by two processes. */
const WARMING = 10;
const JPEG_2000 = '1.2.840.10008.1.2.4.90';
const MIN_FRAME_RATIO = 2;
const MIN_INTAKE_RATIO = 5;
/** From the click to the first picture, and pictures in a second while frames are loaded. */
const MAX_OPENING_MS = 500;
const MIN_PICTURES = 10;
/** Headers that dcmdump reads; the time for all is in proportion. */
const DUMPED = 200;

let missed = 0;
function report(what: string, ours: number, theirs: number, peer: string, bar: number): void {
  const ratio = theirs / ours;
  if (ratio < bar) missed += 1;
  const figures = `${ours.toFixed(1).padStart(8)} ms  ${peer.padEnd(15)} ${theirs.toFixed(1).padStart(8)} ms`;
  process.stdout.write(
    `${what.padEnd(28)} ${figures}  ${ratio.toFixed(1)} times as fast, bar ${bar}${ratio < bar ? '  MISSED' : ''}\n`,
  );
}

function run(program: string, ...args: string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: 'ignore' });
  if (error) throw new Error(`${program} is not installed: apt install dcmtk libopenjp2-tools`);
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const pixelsOf = (seed: number): number[] => smoothPixels([seed, 60_000 + seed], SHAPE);

/** Files of the same pictures in each coding; those of the last one also as bare codestreams. */
async function makeFiles(
  folder: string,
): Promise<Record<'uncompressed' | 'RLE' | 'JPEG lossless' | 'JPEG 2000', string[]>> {
  await NativeCodecs.initializeAsync();
  const files = { uncompressed: [], RLE: [], 'JPEG lossless': [], 'JPEG 2000': [] } as Record<string, string[]>;
  for (let n = 0; n < FRAMES; n += 1) {
    const pixels = pixelsOf(n);
    const path = (name: string): string => join(folder, `${n}-${name}`);
    writeFileSync(path('native.dcm'), writeDicom(imageObject(SHAPE, pixels)));
    run('dcmcrle', path('native.dcm'), path('rle.dcm'));
    run('dcmcjpeg', '+e1', path('native.dcm'), path('jpeg.dcm'));
    const context = new Context({
      ...{ width: 512, height: 512, bitsAllocated: 16, bitsStored: 16, samplesPerPixel: 1, pixelRepresentation: 0 },
      ...{ planarConfiguration: 0, photometricInterpretation: 'MONOCHROME2' },
      decodedBuffer: new Uint8Array(Uint16Array.from(pixels).buffer),
    });
    const coded = NativeCodecs.encodeJpeg2000(context, { lossy: false }).getEncodedBuffer()!;
    writeFileSync(path('bare.j2k'), coded);
    const fragments = { tag: 0x7fe0_0010, vr: 'OB', value: { fragments: [coded] } };
    writeFileSync(
      path('j2k.dcm'),
      writeDicom(withAttributes(imageObject(SHAPE, pixels), fragments), { syntax: JPEG_2000 }),
    );
    files['uncompressed']!.push(path('native.dcm'));
    files['RLE']!.push(path('rle.dcm'));
    files['JPEG lossless']!.push(path('jpeg.dcm'));
    files['JPEG 2000']!.push(path('j2k.dcm'));
  }
  return files;
}

async function benchFrames(folder: string): Promise<void> {
  const files = await makeFiles(folder);
  const renderer = createFrameRenderer({ clock: systemClock, largeWork: createLargeWork() });
  for (const [name, paths] of Object.entries(files)) {
    const asked = new PQueue({ concurrency: AT_ONCE });
    // The processes start once, not for each frame, and V8 compiles a decoder better once it has been used a few times.
    const warming = Array.from({ length: WARMING }, (_, n) => paths[n % paths.length]!);
    await asked.addAll(warming.map((path) => () => renderer.renderFrame(path, 0, {})));
    const ours = await timed(() => asked.addAll(paths.map((path) => () => renderer.renderFrame(path, 0, {}))));
    const isJ2k = name === 'JPEG 2000';
    const theirs = await timed(() => {
      for (const path of paths)
        if (isJ2k) run('opj_decompress', '-i', path.replace('j2k.dcm', 'bare.j2k'), '-o', join(folder, 'peer.png'));
        else run('dcmj2pnm', '+on', '+Wm', path, join(folder, 'peer.png'));
    });
    report(`frame, ${name}`, ours / FRAMES, theirs / FRAMES, isJ2k ? 'opj_decompress' : 'dcmj2pnm', MIN_FRAME_RATIO);
  }
  await renderer.close();
}

async function benchIntake(folder: string): Promise<void> {
  const objects = Array.from({ length: OBJECTS }, (_, n) => slice({ study: '1.2.7', number: n + 1, position: n }));
  const disc = zip(objects.map((content, n) => ({ name: `IMG/${n}`, content })));
  const served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  try {
    const person = new Client(served.url);
    await person.setup();
    const ours = await timed(async () => {
      const { status, body } = await person.upload(disc, 'disc.zip');
      if (status !== 201 || body.studies[0].images !== OBJECTS) throw new Error('the disc was not taken in');
    });
    const headers = objects.slice(0, DUMPED).map((content, n) => {
      const path = join(folder, `header-${n}.dcm`);
      writeFileSync(path, content);
      return path;
    });
    const dumped = await timed(() => headers.forEach((path) => run('dcmdump', '-q', path)));
    report(`${OBJECTS} objects taken in`, ours, (dumped / headers.length) * OBJECTS, 'dcmdump', MIN_INTAKE_RATIO);
  } finally {
    await served.remove();
  }
}

async function benchViewer(): Promise<void> {
  const { first, second, addressMs, firstPass, again } = await benchScrolling();
  const isMissed = first.drawn > MAX_OPENING_MS || firstPass < MIN_PICTURES;
  if (isMissed) missed += 1;
  process.stdout.write(
    `study opened in the list        ${first.drawn.toFixed(0)} ms, bar ${MAX_OPENING_MS}; once more ${second.drawn.toFixed(0)} ms; ` +
      `by its address ${addressMs.toFixed(0)} ms\n  ${first.split}\n` +
      `scrolling by the processor     ${firstPass.toFixed(0)} pictures a second, bar ${MIN_PICTURES}; ` +
      `${again.toFixed(0)} from memory${isMissed ? '  MISSED' : ''}\n`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-imaging-'));
try {
  if (values.only !== 'viewer') {
    await benchFrames(folder);
    await benchIntake(folder);
  }
  await benchViewer();
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = missed > 0 ? 1 : 0;
