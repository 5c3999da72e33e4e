import { useEffect, useState } from 'react';
import { door, DoorError, type RegionRequest, type RegionTranslation } from './door.ts';

const POLL_MS = 1500;
/** Two minutes. */
const MAX_POLLS = 80;
/** Whoever asks too soon after the last translation waits so long at most; a longer time is the limit of the hour. */
const MAX_PAUSE_S = 60;

/** A translation that has to wait, is in progress, done, or failed. */
export type Translation =
  | { state: 'waiting'; seconds: number }
  | { state: 'working' }
  | { state: 'done'; row: RegionTranslation }
  | { state: 'failed'; error: DoorError };

const WORKING: Translation = { state: 'working' };

const wait = (ms: number): Promise<void> => new Promise((passed) => setTimeout(passed, ms));

/** Asks for a translation, as soon as there may be another one. */
async function request(documentId: number, region: RegionRequest, onWait: (seconds: number) => void): Promise<number> {
  try {
    return (await door.translateRegion(documentId, region)).region_id;
  } catch (error) {
    const seconds = error instanceof DoorError ? error.seconds : null;
    if (seconds === null || seconds > MAX_PAUSE_S) throw error;
    onWait(seconds);
    await wait(seconds * 1000);
    return -1;
  }
}

/** Translates a part of a page and waits for the result. */
async function translate(
  documentId: number,
  region: RegionRequest,
  { signal, onWait, onStart }: { signal: AbortSignal; onWait: (seconds: number) => void; onStart: () => void },
): Promise<RegionTranslation> {
  let region_id = -1;
  while (region_id < 0 && !signal.aborted) region_id = await request(documentId, region, onWait);
  onStart();
  for (let poll = 0; poll < MAX_POLLS && !signal.aborted; poll += 1) {
    const row = (await door.translations(documentId)).find(({ id }) => id === region_id);
    if (row?.translated_text) return row;
    if (!row || row.status === 'failed' || row.status === 'cancelled') break;
    await wait(POLL_MS);
  }
  throw new DoorError('share.translation_failed');
}

/** The translation of a part of a page; another part or language begins another one. */
export function useTranslationOf(
  documentId: number,
  { page, bbox, target_language }: RegionRequest,
  onUsed: () => Promise<void>,
): Translation {
  const [translation, setTranslation] = useState<Translation>(WORKING);
  const { x, y, w, h } = bbox;
  useEffect(() => {
    const left = new AbortController();
    const run = async (): Promise<void> => {
      const show = (state: Translation): void => {
        if (!left.signal.aborted) setTranslation(state);
      };
      const next = await translate(
        documentId,
        { page, bbox: { x, y, w, h }, target_language },
        {
          signal: left.signal,
          onWait: (seconds) => show({ state: 'waiting', seconds }),
          onStart: () => show(WORKING),
        },
      ).then(
        (row): Translation => ({ state: 'done', row }),
        (error: unknown): Translation => ({
          state: 'failed',
          error: error instanceof DoorError ? error : new DoorError('offline'),
        }),
      );
      if (left.signal.aborted) return;
      setTranslation(next);
      await onUsed();
    };
    void run();
    return () => {
      left.abort();
      setTranslation(WORKING);
    };
  }, [documentId, page, x, y, w, h, target_language, onUsed]);
  return translation;
}
