/**
 * Clients of `npm run bench http`, in a process of their own: the parent sends a `Load`, this process keeps its clients
 * busy over connections that stay open, and sends back the time of each reply.
 */
import { Agent, request } from 'node:http';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';

export interface Load {
  url: string;
  path: string;
  cookie: string;
  clients: number;
  /** It ends after this time, or after this many requests. */
  ms: number;
  requests: number;
}
export interface Loaded {
  /** Time of each reply in ms. */
  times: number[];
  /** Time from the first request to the last reply in ms. */
  elapsed: number;
  /** The last reply: its bytes as sent, and its text. */
  bytes: number;
  body: string;
}

process.on('message', (load: Load) => void run(load).then((loaded) => process.send?.(loaded)));

async function run({ url, path, cookie, clients, ms, requests }: Load): Promise<Loaded> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  let last: Reply = { bytes: Buffer.alloc(0), encoding: undefined };
  let begun = 0;
  const start = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - start < ms && begun < requests) {
      begun += 1;
      const before = performance.now();
      last = await get(new URL(path, url), cookie, agent);
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = performance.now() - start;
  agent.destroy();
  return { times, elapsed, bytes: last.bytes.length, body: textOf(last) };
}

interface Reply {
  bytes: Buffer;
  encoding: string | undefined;
}

function textOf({ bytes, encoding }: Reply): string {
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/** Asks as a browser does, which accepts compressed replies. */
function get(url: URL, cookie: string, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, 'accept-encoding': 'gzip, deflate, br' };
    request(url, { agent, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => {
        const answer = { bytes: Buffer.concat(chunks), encoding: reply.headers['content-encoding'] };
        if (reply.statusCode === 200) resolve(answer);
        else reject(new Error(`${url.pathname}: ${reply.statusCode} ${textOf(answer).slice(0, 200)}`));
      });
    })
      .on('error', reject)
      .end();
  });
}
