import { BadAnswer } from '../models/model.ts';
import type { AskOcr } from './google-vision.ts';
import { MODELS } from './ocr-words.ts';
import { toPng } from './page-picture.ts';
import { parseTsv } from './tsv.ts';

/**
 * Tesseract in a container of the household, by the interface of tesseract-server: the page and the options of the
 * program as a form, its output in JSON. The output is the table of words.
 */
export const askTesseractRemote: AskOcr = async ({ baseUrl, apiKey }, image, { languages }, { fetch, signal }) => {
  const form = new FormData();
  const options = {
    languages: languages.map((language) => MODELS[language]),
    dpi: 300,
    pageSegmentationMethod: 3,
    configParams: { tessedit_create_tsv: '1' },
  };
  form.set('options', JSON.stringify(options));
  form.set('file', new Blob([new Uint8Array(await toPng(image))], { type: 'image/png' }), 'page.png');
  const reply = await fetch(`${baseUrl.replace(/\/$/, '')}/`, {
    method: 'POST',
    body: form,
    signal,
    ...(apiKey !== '' && { headers: { authorization: `Bearer ${apiKey}` } }),
  });
  const body = (await reply.json()) as { data?: Output } | Output | null;
  const output = body && 'data' in body && body.data ? body.data : (body as Output | null);
  const { stdout, exit } = output ?? {};
  if (typeof stdout !== 'string' || exit?.code !== 0 || !stdout.startsWith('level\t')) throw new BadAnswer();
  return parseTsv(stdout, image);
};

interface Output {
  exit?: { code?: number | null };
  stdout?: unknown;
}
