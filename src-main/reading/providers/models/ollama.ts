import { BadAnswer, type AskModel } from './model.ts';

/** Letters of a token, at least, in the languages of documents; for the size of the context. */
const LETTERS_PER_TOKEN = 3;
const IMAGE_TOKENS = 2000;
/** Ollama's own context is small, and it cuts what is longer without a word. */
const MIN_CONTEXT = 4096;
const CONTEXT_STEP = 2048;

/** Ollama's chat; `format` holds the answer to the schema by a grammar. */
export const askOllama: AskModel = async ({ baseUrl, apiKey, model }, request, { fetch }) => {
  const { Ollama } = await import('ollama');
  const client = new Ollama({
    host: baseUrl,
    fetch: async (...request) => withWholeLines(await fetch(...request)),
    ...(apiKey !== '' && { headers: { authorization: `Bearer ${apiKey}` } }),
  });
  const { system, user, images = [], maxTokens } = request;
  const needed =
    Math.ceil((system.length + user.length) / LETTERS_PER_TOKEN) + images.length * IMAGE_TOKENS + maxTokens;
  const stream = await client.chat({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user, ...(images.length > 0 && { images: [...images] }) },
    ],
    ...(request.schema && { format: request.schema }),
    stream: true,
    options: {
      temperature: 0,
      num_predict: maxTokens,
      num_ctx: Math.max(MIN_CONTEXT, Math.ceil(needed / CONTEXT_STEP) * CONTEXT_STEP),
    },
  });
  const answer = { text: '', isCut: false, tokensIn: 0, tokensOut: 0 };
  // The client itself fails when the stream ends without its last message.
  for await (const part of stream) {
    answer.text += part.message.content;
    request.onText?.(answer.text);
    if (!part.done) continue;
    answer.isCut = part.done_reason === 'length';
    answer.tokensIn = part.prompt_eval_count ?? 0;
    answer.tokensOut = part.eval_count ?? 0;
  }
  return answer;
};

/** Checks each line before the client, which prints broken lines to the console. */
function withWholeLines(reply: Response): Response {
  if (reply.body === null) return reply;
  let rest = '';
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const check = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!isJson(line)) return controller.error(new BadAnswer());
        controller.enqueue(encoder.encode(`${line}\n`));
      }
    },
    flush(controller) {
      if (rest.trim() === '') return;
      if (isJson(rest)) controller.enqueue(encoder.encode(`${rest}\n`));
      else controller.error(new BadAnswer());
    },
  });
  const { status, statusText, headers } = reply;
  return new Response(reply.body.pipeThrough(check), { status, statusText, headers });
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return line.trim() === '';
  }
}
