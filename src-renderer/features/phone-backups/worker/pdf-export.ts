import regularUrl from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf?url';
import boldUrl from '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf?url';
import emojiUrl from '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf?url';
import symbolsUrl from '@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf?url';
import { PdfWriter } from './pdf-export/pdf-writer.ts';
import type { PdfExportReply, PdfExportRequest, RawPicture } from './pdf-export/protocol.ts';
import { shrink } from './shrink-image.ts';

/** Makes one PDF; ending the worker gives up. Fonts come with the page and nowhere else from. */
const answer = (message: PdfExportReply): void => (self as unknown as Worker).postMessage(message);
const fontOf = async (url: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(url)).arrayBuffer());
/** Bytes put together before they are handed to the browser, which may keep them on the disk. */
const PIECE = 8 * 1024 * 1024;

let writer: PdfWriter | null = null;
const pieces: Blob[] = [];
let loose: Uint8Array<ArrayBuffer>[] = [],
  length = 0;
let ended: () => void = () => {};

function keep(bytes: Uint8Array<ArrayBuffer>): void {
  loose.push(bytes);
  length += bytes.length;
  if (length >= PIECE) put();
}
function put(): void {
  pieces.push(new Blob(loose));
  loose = [];
  length = 0;
}

async function toJpeg({ bytes, isHeic }: RawPicture, longest: number): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await (await shrink(bytes, isHeic, longest)).arrayBuffer());
  } catch {
    // Not a picture, or a damaged one: the PDF shows its name instead.
    return null;
  }
}

async function act(call: PdfExportRequest): Promise<PdfExportReply> {
  if (call.step === 'begin') {
    const [regular, bold, emoji, symbols] = await Promise.all([
      fontOf(regularUrl),
      fontOf(boldUrl),
      fontOf(emojiUrl),
      fontOf(symbolsUrl),
    ]);
    writer = new PdfWriter(call.head, { regular, bold, emoji, symbols }, toJpeg, {
      onBytes: keep,
      onEnd: () => ended(),
    });
    return { step: 'ready' };
  }
  if (!writer) return { step: 'failed' };
  if (call.step === 'add') {
    for (const block of call.blocks) await writer.add(block, call.pictures);
    return { step: 'ready' };
  }
  const whole = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const missing = writer.end();
  await whole;
  put();
  return { step: 'done', file: new Blob(pieces, { type: 'application/pdf' }), missing };
}

self.addEventListener('message', ({ data }: MessageEvent<PdfExportRequest>) => {
  void act(data).then(answer, () => answer({ step: 'failed' }));
});
