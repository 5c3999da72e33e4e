import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Opens an artifact in the navigation of a backup and waits for its heading. */
export async function openArtifact(page: Page, name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Contents of the backup' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click();
  await page
    .locator('.phone-main')
    .getByRole('heading', { level: 2, name: new RegExp(`^${name}`) })
    .waitFor();
}

/** Expects the voicemail `tones.amr` to play from its middle to its end: 440 Hz, then 1200 Hz. */
export async function expectSpeechToPlay(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('audio')?.duration === 1.02);
  const heard = await page.locator('audio').evaluate(async (audio: HTMLAudioElement) => {
    const ended = new Promise((resolve) => {
      audio.addEventListener('ended', resolve, { once: true });
    });
    audio.currentTime = 0.6;
    await audio.play();
    const from = audio.currentTime;
    await ended;
    return { from, to: audio.currentTime };
  });
  expect([heard.from >= 0.6, heard.to]).toEqual([true, 1.02]);
}

/**
 * Expects the viewer to show a HEIC picture, sounds that browsers can play, sounds that Hearth converts for them, damaged
 * sounds, and texts of other encodings.
 */
export async function expectMediaToPlay(page: Page, openFile: (path: string) => Promise<void>): Promise<void> {
  const close = (): Promise<void> => page.getByRole('button', { name: 'Close' }).click();
  await openFile('picture.heic');
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('img.phone-picture')?.naturalWidth === 320);
  await close();
  for (const name of ['memo.m4a', 'voice.caf', 'samples.caf']) {
    await openFile(name);
    await page.waitForFunction(() => {
      const length = document.querySelector('audio')?.duration ?? 0;
      return length > 0.4 && length < 0.7;
    });
    await close();
  }
  await openFile('Voicemail/7.amr');
  await expectSpeechToPlay(page);
  await close();
  await openFile('wide-tones.amr');
  await page.waitForFunction(() => document.querySelector('audio')?.duration === 1);
  await close();
  await openFile('cut.amr');
  await page.getByText('The file is damaged after 0:01. It plays up to that point.').waitFor();
  await page.waitForFunction(() => document.querySelector('audio')?.duration === 0.62);
  await close();
  await openFile('blank.amr');
  await page.getByText('This recording is empty or damaged').waitFor();
  await close();
  await openFile('latin.txt');
  await page.getByText('Größe: 172 cm, Erhöhung').waitFor();
  await close();
  await openFile('wide.txt');
  await page.getByText('Befund für Elena').waitFor();
  await close();
}
