import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { itWith } from '../support/requirements.ts';
import { decodeAmr, type DecodedSound } from '../../src-renderer/features/phone-backups/worker/amr/decode-amr.ts';
import { readAmr } from '../../src-renderer/features/phone-backups/worker/amr/frames.ts';

/**
 * The recordings were made by Debian's ffmpeg 5.1.9 with libavcodec-extra: half a second of one tone, half a second of
 * another.
 * ffmpeg -f lavfi -i "aevalsrc=0.4*sin(2*PI*if(lt(t\,0.5)\,440\,1200)*t):d=1:s=8000" -c:a libopencore_amrnb -b:a 12.2k
 * tones.amr
 * ffmpeg -f lavfi -i "aevalsrc=0.4*sin(2*PI*if(lt(t\,0.5)\,440\,5000)*t):d=1:s=16000" -c:a libvo_amrwbenc -b:a 23.85k
 * -f amr wide-tones.amr
 */
const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/ios-backup/media/${name}`, import.meta.url));
const media = (name: string): Uint8Array => new Uint8Array(readFileSync(pathOf(name)));
const samplesOf = ({ wave }: DecodedSound): Int16Array => new Int16Array(wave.buffer, 44);
const decoded = async (bytes: Uint8Array, most?: number): Promise<DecodedSound> => {
  const sound = await decodeAmr(bytes, decoders, most);
  if (sound === null) throw new Error('There was nothing to hear.');
  return sound;
};

let decoders: WebAssembly.Module;
beforeAll(async () => {
  decoders = await WebAssembly.compile(readFileSync(new URL('../../resources/sound/amr.wasm', import.meta.url)));
});

/** How much of the energy of samples is in a tone (Goertzel). */
function shareOf(tone: number, samples: Int16Array, rate: number): number {
  const step = 2 * Math.cos((2 * Math.PI * tone) / rate);
  let one = 0,
    two = 0,
    energy = 0;
  for (const sample of samples) {
    [one, two] = [sample + step * one - two, one];
    energy += sample * sample;
  }
  return (2 * (one * one + two * two - step * one * two)) / (samples.length * energy);
}
const rootMeanSquare = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
/** Decibels of `theirs` over the difference of both. */
function similarity(ours: Int16Array, theirs: Int16Array): number {
  let signal = 0,
    noise = 0;
  for (const [at, sample] of theirs.entries()) {
    signal += sample * sample;
    noise += (sample - (ours[at] ?? 0)) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

describe.each([
  ['tones.amr', 8000, 51, 1200],
  ['wide-tones.amr', 16_000, 50, 5000],
])('%s', (name, rate, frames, second) => {
  it('has the recorded tones at their times and as loud as recorded', async () => {
    const sound = await decoded(media(name)),
      samples = samplesOf(sound);
    expect(sound).toMatchObject({ seconds: frames / 50, totalSeconds: frames / 50, isDamaged: false });
    expect([
      Buffer.from(sound.wave.subarray(0, 4)).toString(),
      new DataView(sound.wave.buffer).getUint32(24, true),
      samples.length,
    ]).toEqual(['RIFF', rate, (frames * rate) / 50]);
    const first = samples.subarray(0.1 * rate, 0.4 * rate),
      last = samples.subarray(0.6 * rate, 0.9 * rate);
    expect([shareOf(440, first, rate) > 0.9, shareOf(second, last, rate) > 0.9]).toEqual([true, true]);
    expect(Math.abs(rootMeanSquare(first) / ((32_767 * 0.4) / Math.SQRT2) - 1)).toBeLessThan(0.15);
  });

  itWith({ programs: ['ffmpeg'] }, 'sounds as ffmpeg decodes it with decoders of its own', async () => {
    const { stdout } = spawnSync('ffmpeg', ['-v', 'error', '-i', pathOf(name), '-f', 's16le', '-']);
    const theirs = new Int16Array(new Uint8Array(stdout).buffer),
      ours = samplesOf(await decoded(media(name)));
    expect(ours.length).toBe(theirs.length);
    expect(similarity(ours, theirs)).toBeGreaterThan(12);
  });

  it('is decoded up to where it is cut off or overwritten', async () => {
    const whole = media(name),
      size = (whole.length - (rate === 8000 ? 6 : 9)) / frames,
      at = whole.length - 10 * size,
      ours = samplesOf(await decoded(whole));
    const cut = await decoded(whole.slice(0, at + 3));
    expect(cut).toMatchObject({ totalSeconds: (frames - 10) / 50, isDamaged: true });
    expect(samplesOf(cut)).toEqual(ours.slice(0, samplesOf(cut).length));
    // A frame type that AMR does not define.
    const overwritten = await decoded(whole.map((byte, index) => (index === at ? 0x5c : byte)));
    expect(overwritten.wave).toEqual(cut.wave);
    expect(await decodeAmr(whole.slice(0, 20), decoders)).toBeNull();
  });

  it('is decoded only up to the given size', async () => {
    const sound = await decoded(media(name), (rate / 25) * 20 + 7);
    expect(sound).toMatchObject({ seconds: 0.4, totalSeconds: frames / 50, isDamaged: false });
    expect(sound.wave.length).toBe(44 + (rate / 25) * 20);
  });

  it('is decoded safely with any frame in it', async () => {
    const head = media(name).subarray(0, rate === 8000 ? 6 : 9);
    let seed = 7;
    const random = (): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 16;
    };
    for (let turn = 0; turn < 300; turn++) {
      const bytes = new Uint8Array([...head, ...Array.from({ length: 10 + (random() % 300) }, () => random() & 255)]),
        file = readAmr(bytes);
      expect((await decodeAmr(bytes, decoders))?.totalSeconds ?? 0).toBe((file?.frameCount ?? 0) / 50);
    }
  });
});

it('the AMR decoder needs no imports', () => expect(WebAssembly.Module.imports(decoders)).toEqual([]));
