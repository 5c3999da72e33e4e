import { readFileSync } from 'node:fs';
import { fileTypeFromBuffer } from 'file-type';
import { describe, expect, it } from 'vitest';
import { kindOf } from '../../src-renderer/features/phone-backups/preview/file-kind.ts';
import { playableOf } from '../../src-renderer/features/phone-backups/preview/playable.ts';
import { textEncodingOf } from '../../src-renderer/features/phone-backups/preview/text-encoding.ts';

const media = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../fixtures/ios-backup/media/${name}`, import.meta.url)));

describe('playableOf', () => {
  it('plays CAF/Opus as Ogg and CAF samples as WAVE', async () => {
    const opus = playableOf(media('voice.caf')),
      samples = playableOf(media('samples.caf'));
    expect(opus && 'type' in opus && [opus.type, (await fileTypeFromBuffer(opus.bytes))?.mime]).toEqual([
      'audio/ogg',
      'audio/ogg; codecs=opus',
    ]);
    expect(samples && 'type' in samples && [samples.type, (await fileTypeFromBuffer(samples.bytes))?.ext]).toEqual([
      'audio/wav',
      'wav',
    ]);
  });

  it('reports unknown codecs and leaves files alone that a browser can play', () => {
    expect(playableOf(new TextEncoder().encode('#!AMR_MC1.0\n'))).toEqual({ codec: 'AMR' });
    expect([playableOf(media('tones.amr')), playableOf(media('wide-tones.amr')), kindOf(media('tones.amr'))]).toEqual([
      { isSpeech: true },
      { isSpeech: true },
      'audio',
    ]);
    expect(playableOf(media('memo.m4a'))).toBeNull();
    expect([kindOf(media('memo.m4a')), kindOf(media('voice.caf')), kindOf(media('picture.heic'))]).toEqual([
      'audio',
      'audio',
      'heic',
    ]);
  });

  it('converts a truncated or overwritten file to a small sound file, or reports its codec', async () => {
    for (const name of ['voice.caf', 'samples.caf']) {
      const whole = media(name);
      const cut = Array.from({ length: Math.min(whole.length, 400) }, (_, length) => whole.slice(0, length));
      const overwritten = Array.from({ length: Math.min(whole.length, 160) }, (_, at) =>
        whole.map((byte, index) => (index === at ? 255 : byte)),
      );
      for (const bytes of [...cut, ...overwritten]) await expectPreviewOrRefusal(bytes);
    }
  });
});

/** The largest converted file: the samples of the original and some headers. */
const MAX_OVERHEAD_BYTES = 64 * 1024;

async function expectPreviewOrRefusal(bytes: Uint8Array): Promise<void> {
  const playable = playableOf(bytes);
  if (playable === null || 'isSpeech' in playable) return;
  if ('codec' in playable) return expect(playable.codec).toBeTypeOf('string');
  expect(['audio/ogg', 'audio/wav']).toContain(playable.type);
  expect(playable.bytes.length).toBeLessThan(2 * bytes.length + MAX_OVERHEAD_BYTES);
  expect((await fileTypeFromBuffer(playable.bytes))?.ext).toBe(playable.type === 'audio/wav' ? 'wav' : 'opus');
}

describe('textEncodingOf', () => {
  it('detects the encoding of a text by its first bytes', () => {
    const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le'));
    expect(textEncodingOf(new TextEncoder().encode('Grüße 👍').subarray(0, -2))).toBe('utf-8');
    expect([
      textEncodingOf(utf16('\uFEFFGrüße')),
      textEncodingOf(utf16('Befund für Elena')),
      textEncodingOf(utf16('Befund für Elena').slice().reverse()),
    ]).toEqual(['utf-16le', 'utf-16le', 'utf-16be']);
    expect(textEncodingOf(new Uint8Array(Buffer.from('Größe: 172 cm', 'latin1')))).toBe('windows-1252');
    expect(
      [
        [0, 1, 2],
        [0xff, 0xd8, 0xff, 0xe0],
        [0x90, 0x41, 0x42],
        Array.from({ length: 64 }, (_, index) => 0xc0 + index),
      ].map((bytes) => textEncodingOf(new Uint8Array(bytes))),
    ).toEqual([null, null, null, null]);
  });
});
