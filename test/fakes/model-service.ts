import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the service does with a request. */
export type Behavior =
  /** A complete answer: `text` is the JSON that the model writes. After half of it, it waits for `pause`. */
  | { does: 'answer'; text: string; pause?: Promise<void> }
  /** A vector for each text of the request. */
  | { does: 'embed'; vectors: number[][] }
  /** The answer reaches the limit of tokens. */
  | { does: 'stop_at_limit'; text: string }
  | { does: 'fail'; status: number; headers?: Record<string, string> }
  /** A stream of broken JSON. */
  | { does: 'break_json' }
  /** The connection ends in the middle of the answer. */
  | { does: 'cut'; text: string }
  /** Nothing is sent until the client gives up. */
  | { does: 'stall' };

export interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  // oxlint-disable-next-line typescript/no-explicit-any -- the body of any of these interfaces
  body: any;
  /** The request without its encoding, to search for words. */
  raw: string;
}

export interface ModelService {
  /** Without a path. */
  url: string;
  received: Received[];
  /** Requests that are being answered. */
  open(): number;
  /** Resolves when no request is being answered. */
  quiet(): Promise<void>;
  /** How many requests were open at once, at most. */
  mostOpen(): number;
  behave: (request: Received) => Behavior | Promise<Behavior>;
  close(): Promise<void>;
}

/** Words in what failing services write, which must be seen nowhere in Hearth. */
export const FOREIGN_WORDS = 'stand-in says sk-secret-of-the-service';
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * Stand-in of the HTTP interfaces of Ollama (`/api/chat`, `/api/embed`), OpenAI and vLLM (`/v1/chat/completions`,
 * `/v1/embeddings`), Anthropic (`/v1/messages`), Google Cloud Vision (`/v1/images:annotate`) and tesseract-server (`/`), as their references
 * describe them: streaming, structured answers, and errors in each one's own form.
 */
export async function startModelService(behave: ModelService['behave']): Promise<ModelService> {
  const open = new Set<ServerResponse>();
  let most = 0;
  let waiters: (() => void)[] = [];
  const server: Server = createServer((request, response) => {
    open.add(response);
    most = Math.max(most, open.size);
    response.on('close', () => {
      open.delete(response);
      if (open.size === 0) for (const wake of waiters.splice(0)) wake();
    });
    void answer(request, response).catch(() => response.destroy());
  });
  // A busy machine takes longer than the usual five seconds between two requests.
  server.keepAliveTimeout = 0;
  const service: ModelService = {
    url: '',
    received: [],
    behave,
    open: () => open.size,
    mostOpen: () => most,
    quiet: () => new Promise((resolve) => (open.size === 0 ? resolve() : waiters.push(resolve))),
    close: async () => {
      waiters = [];
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString('utf8');
    const isJson = request.headers['content-type']?.includes('json') ?? false;
    const received: Received = {
      path: request.url ?? '',
      headers: request.headers,
      body: isJson ? JSON.parse(raw) : raw,
      raw,
    };
    service.received.push(received);
    const behavior = await service.behave(received);
    const [path = ''] = received.path.split('?');
    const dialect = DIALECTS[path];
    if (!dialect) return void response.writeHead(404, JSON_TYPE).end(JSON.stringify({ error: FOREIGN_WORDS }));
    if (behavior.does === 'stall') return;
    if (behavior.does === 'fail') {
      const body = JSON.stringify(dialect.error(behavior.status));
      return void response.writeHead(behavior.status, { ...JSON_TYPE, ...behavior.headers }).end(body);
    }
    if (behavior.does === 'embed') {
      const reply = dialect.vectors?.(behavior.vectors, received);
      return void response
        .writeHead(reply ? 200 : 400, JSON_TYPE)
        .end(JSON.stringify(reply ?? { error: FOREIGN_WORDS }));
    }
    if (behavior.does === 'break_json')
      return void response.writeHead(200, { 'content-type': dialect.type }).end(dialect.broken);
    response.writeHead(200, { 'content-type': dialect.type });
    const parts = dialect.parts(behavior.text, behavior.does === 'stop_at_limit', received);
    const [half, pause] = [Math.ceil(parts.length / 2), behavior.does === 'answer' ? behavior.pause : undefined];
    if (pause) {
      response.write(parts.splice(0, half).join(''));
      await pause;
    }
    if (behavior.does !== 'cut') return void response.end(parts.join(''));
    response.write(parts.slice(0, half).join(''), () => response.destroy());
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}

interface Dialect {
  type: string;
  broken: string;
  error(status: number): unknown;
  parts(text: string, isAtLimit: boolean, request: Received): string[];
  /** The reply with vectors, of interfaces that make them. */
  vectors?(vectors: number[][], request: Received): unknown;
}

/** The text in pieces, as models write it. */
const pieces = (text: string): string[] => text.match(/[\s\S]{1,12}/g) ?? [''];
const event = (name: string | null, data: unknown): string =>
  `${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

const OPENAI: Dialect = {
  type: 'text/event-stream',
  broken: 'data: {"choices": [{"delta"\n\ndata: [DONE]\n\n',
  error: (status) => ({ error: { message: FOREIGN_WORDS, type: 'error', param: null, code: String(status) } }),
  parts(text, isAtLimit, { body }) {
    const chunk = (delta: unknown, finish_reason: string | null): string =>
      event(null, {
        ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: body.model },
        choices: [{ index: 0, delta, finish_reason, logprobs: null }],
      });
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    return [
      chunk({ role: 'assistant', content: '' }, null),
      ...pieces(text).map((content) => chunk({ content }, null)),
      chunk({}, isAtLimit ? 'length' : 'stop'),
      event(null, {
        ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: body.model, choices: [], usage },
      }),
      'data: [DONE]\n\n',
    ];
  },
};

const OLLAMA: Dialect = {
  type: 'application/x-ndjson',
  broken: '{"model":"m","message":{"role"\n',
  error: () => ({ error: FOREIGN_WORDS }),
  parts(text, isAtLimit, { body }) {
    const line = (fields: object): string =>
      `${JSON.stringify({ model: body.model, created_at: '2026-01-01T00:00:00Z', ...fields })}\n`;
    return [
      ...pieces(text).map((content) => line({ message: { role: 'assistant', content }, done: false })),
      line({
        ...{ message: { role: 'assistant', content: '' }, done: true, done_reason: isAtLimit ? 'length' : 'stop' },
        ...{ total_duration: 1, load_duration: 1, prompt_eval_count: 11, eval_count: 7, eval_duration: 1 },
      }),
    ];
  },
};

const CLAUDE: Dialect = {
  type: 'text/event-stream',
  broken: 'event: message_start\ndata: {"type": "message_start", "mess\n\n',
  error: () => ({ type: 'error', error: { type: 'api_error', message: FOREIGN_WORDS }, request_id: 'req_1' }),
  parts(text, isAtLimit, { body }) {
    const message = {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: body.model, content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 11, output_tokens: 1 } },
    };
    const [tool] = body.tools ?? [];
    const content_block = tool
      ? { type: 'tool_use', id: 'toolu_1', name: tool.name, input: {} }
      : { type: 'text', text: '', citations: null };
    const atEnd = tool ? 'tool_use' : 'end_turn';
    const deltaOf = (text: string) =>
      tool ? { type: 'input_json_delta', partial_json: text } : { type: 'text_delta', text };
    return [
      event('message_start', { type: 'message_start', message }),
      event('content_block_start', { type: 'content_block_start', index: 0, content_block }),
      ...pieces(text).map((piece) =>
        event('content_block_delta', { type: 'content_block_delta', index: 0, delta: deltaOf(piece) }),
      ),
      event('content_block_stop', { type: 'content_block_stop', index: 0 }),
      event('message_delta', {
        type: 'message_delta',
        delta: { stop_reason: isAtLimit ? 'max_tokens' : atEnd, stop_sequence: null },
        usage: { output_tokens: 7 },
      }),
      event('message_stop', { type: 'message_stop' }),
    ];
  },
};

/** Words of a line, one every 100 pixels. */
const boxOf = (index: number) => ({ x: 10 + index * 100, y: 20, w: 90, h: 30 });

const GOOGLE: Dialect = {
  type: 'application/json',
  broken: '{"responses": [',
  error: (code) => ({ error: { code, message: FOREIGN_WORDS, status: 'INTERNAL' } }),
  parts(text) {
    const words = text.split(' ').map((word, index) => {
      const { x, y, w, h } = boxOf(index);
      return {
        symbols: [...word].map((letter) => ({ text: letter, confidence: 0.98 })),
        confidence: 0.98,
        boundingBox: {
          vertices: [
            { x, y },
            { x: x + w, y },
            { x: x + w, y: y + h },
            { x, y: y + h },
          ],
        },
      };
    });
    const fullTextAnnotation = { text, pages: [{ blocks: [{ paragraphs: [{ words }] }] }] };
    return [JSON.stringify({ responses: [{ fullTextAnnotation }] })];
  },
};

const TESSERACT: Dialect = {
  type: 'application/json',
  broken: '{"data": {"stdout"',
  error: () => ({ error: FOREIGN_WORDS }),
  parts(text) {
    const heading = 'level page_num block_num par_num line_num word_num left top width height conf text';
    const rows = text.split(' ').map((word, index) => {
      const { x, y, w, h } = boxOf(index);
      return [5, 1, 1, 1, 1, index + 1, x, y, w, h, 96.5, word].join('\t');
    });
    const stdout = `${[heading.replaceAll(' ', '\t'), ...rows].join('\n')}\n`;
    return [JSON.stringify({ data: { exit: { code: 0, signal: null }, stderr: '', stdout } })];
  },
};

const OPENAI_VECTORS: Dialect = {
  ...{ type: 'application/json', broken: '{"object": "list", "data": [', error: OPENAI.error },
  parts: (text) => [text],
  vectors: (vectors, { body }) => ({
    ...{ object: 'list', model: body.model, usage: { prompt_tokens: 5, total_tokens: 5 } },
    // The order is not promised.
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).toReversed(),
  }),
};

const OLLAMA_VECTORS: Dialect = {
  ...{ type: 'application/json', broken: '{"model": "m", "embeddings": [[', error: OLLAMA.error },
  parts: (text) => [text],
  vectors: (embeddings, { body }) => ({
    ...{ model: body.model, embeddings, total_duration: 1, load_duration: 1, prompt_eval_count: 5 },
  }),
};

const DIALECTS: Partial<Record<string, Dialect>> = {
  '/v1/chat/completions': OPENAI,
  '/v1/embeddings': OPENAI_VECTORS,
  '/api/chat': OLLAMA,
  '/api/embed': OLLAMA_VECTORS,
  '/v1/messages': CLAUDE,
  '/v1/images:annotate': GOOGLE,
  '/': TESSERACT,
};
