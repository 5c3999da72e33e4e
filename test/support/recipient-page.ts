import type { CDPSession, Page } from 'playwright-core';

/** Moves fingers over the screen at the same time. */
export async function drag(
  session: CDPSession,
  fingers: readonly { from: readonly [number, number]; to: readonly [number, number] }[],
): Promise<void> {
  const STEPS = 8;
  const at = (share: number) =>
    fingers.map(({ from, to }, id) => ({
      id,
      x: from[0] + (to[0] - from[0]) * share,
      y: from[1] + (to[1] - from[1]) * share,
    }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let step = 1; step <= STEPS; step += 1)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / STEPS) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Answers for a service with a model that translates, without the time that has to pass between two translations. */
export async function offerTranslation(page: Page, asked: unknown[]): Promise<void> {
  await page.route('**/api/share/me', async (route) => {
    const response = await route.fetch();
    const me = await response.json();
    const used = Math.min(asked.length, 1);
    Object.assign(me, {
      default_translation_language: 'English',
      allowed_translation_languages: ['English', 'French'],
    });
    Object.assign(me.translate_rate_limit, { used_in_last_hour: used, remaining_in_last_hour: 20 - used });
    await route.fulfill({ response, json: me });
  });
  await page.route('**/translate-region', async (route) => {
    asked.push(route.request().postDataJSON());
    await route.fulfill({ json: { status: 'queued', document_id: 1, region_id: asked.length } });
  });
  await page.route(/\/api\/share\/documents\/\d+$/, async (route) => {
    const response = await route.fetch();
    const rows = asked.map((request, index) => {
      const { target_language } = request as { target_language: string };
      return {
        id: index + 1,
        status: 'done',
        has_thumbnail: true,
        ocr_text: 'Der Text',
        translated_text: `The text in ${target_language}`,
      };
    });
    await route.fulfill({ response, json: { ...(await response.json()), region_translations: rows } });
  });
  await page.route(/\/region-translations\/\d+\/thumbnail$/, async (route) => {
    const url = route
      .request()
      .url()
      .replace(/region-translations.*/, 'pages/1/image');
    await route.fulfill({ response: await route.fetch({ url }) });
  });
}

/** Gives the browser two voices, and remembers what each says. */
export async function offerVoices(page: Page): Promise<void> {
  await page.evaluate(() => {
    const spoken: [string, string][] = [];
    const voices = [
      { name: 'of a company', lang: 'en-US', localService: false },
      { name: 'of this device', lang: 'en-GB', localService: true },
    ];
    const synthesis = Object.assign(new EventTarget(), {
      getVoices: () => voices,
      cancel: () => undefined,
      speak: ({ text, voice }: { text: string; voice: { name: string } }) => spoken.push([text, voice.name]),
    });
    class Utterance extends EventTarget {
      text: string;
      constructor(words: string) {
        super();
        this.text = words;
      }
    }
    for (const [name, value] of Object.entries({
      spoken,
      speechSynthesis: synthesis,
      SpeechSynthesisUtterance: Utterance,
    }))
      Object.defineProperty(window, name, { value });
  });
}
