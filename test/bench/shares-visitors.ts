/**
 * Recipients of `npm run bench shares`, in a process of their own: the parent sends `Visitors`, this process lets each of
 * them read or wait, and sends back the time of each reply.
 */
import { Agent, request } from 'node:http';

/** Somebody at the door: with the cookie of a seat, or of a place in the queue. */
export interface Visit {
  kind: 'reader' | 'waiter';
  cookie: string;
}
export interface Visitors {
  door: string;
  visits: Visit[];
  /** How long a page is looked at, on average; from half of it to one and a half. */
  pageSeconds: number;
  seconds: number;
}
/** Times of replies in ms. */
export interface Read {
  pages: number[];
  checks: number[];
  claims: number[];
  /** Of all pages. */
  bytes: number;
  /** What failed, by status and code, with how often. */
  failures: Record<string, number>;
  /** Connections that had ended when they were used again. */
  stale: number;
}

/** As the page of recipients does. */
const [KEEP_MS, CLAIM_MS] = [30_000, 5_000];

process.on('message', (visitors: Visitors) => void run(visitors).then((read) => process.send?.(read)));

interface Reply {
  status: number;
  body: Buffer;
}

/** Sends a request on a connection of this visitor's own. */
function send(agent: Agent, method: string, url: string, cookie: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, method, headers: { cookie, 'X-Requested-With': 'XMLHttpRequest' } }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    call
      .on('error', (error: NodeJS.ErrnoException) => {
        // The service ended an idle connection just when it was used again: browsers ask anew (RFC 9112, 9.3.1).
        if (call.reusedSocket && error.code === 'ECONNRESET') reject(new StaleConnection());
        else reject(error);
      })
      .end();
  });
}

class StaleConnection extends Error {}

/** What a refusal says, or the error of a connection. */
function reasonOf(reply: Reply | NodeJS.ErrnoException): string {
  if (!('status' in reply)) return reply.code ?? reply.name;
  const text = reply.body.toString('utf8').slice(0, 200);
  return `${reply.status} ${/"code":"([\w.]+)"/.exec(text)?.[1] ?? ''}`.trim();
}

async function run({ door, visits, pageSeconds, seconds }: Visitors): Promise<Read> {
  const read: Read = { pages: [], checks: [], claims: [], bytes: 0, failures: {}, stale: 0 };
  const end = Date.now() + seconds * 1000;
  const isOver = (): boolean => Date.now() >= end;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(ms, end - Date.now()))));
  /** Notes how long a reply took; null for a refusal. */
  const timed = async (times: number[], ...call: Parameters<typeof send>): Promise<Buffer | null> => {
    const start = performance.now();
    const reply = await send(...call)
      .catch((error: unknown) => {
        if (!(error instanceof StaleConnection)) throw error;
        read.stale += 1;
        return send(...call);
      })
      .catch((error: NodeJS.ErrnoException) => error);
    times.push(performance.now() - start);
    if ('status' in reply && reply.status >= 200 && reply.status < 300) return reply.body;
    const reason = reasonOf(reply);
    read.failures[reason] = (read.failures[reason] ?? 0) + 1;
    return null;
  };

  /** Repeats something from a moment of its own on, so that not all ask at once. */
  const every = async (ms: number, act: () => Promise<unknown>): Promise<void> => {
    await pause(Math.random() * ms);
    while (!isOver()) {
      await act();
      await pause(ms);
    }
  };
  const readPages = async (agent: Agent, cookie: string): Promise<void> => {
    const me = await timed(read.checks, agent, 'GET', `${door}/api/share/me`, cookie);
    const { documents } = JSON.parse(me?.toString() ?? '{"documents":[]}') as {
      documents: { id: number; page_count: number | null }[];
    };
    const pages = documents.flatMap(({ id, page_count }) =>
      Array.from({ length: page_count ?? 1 }, (_, n) => `/documents/${id}/pages/${n + 1}/image`),
    );
    await pause(Math.random() * pageSeconds * 1000);
    for (let at = 0; !isOver(); at += 1) {
      const page = await timed(read.pages, agent, 'GET', `${door}/api/share${pages[at % pages.length]}`, cookie);
      read.bytes += page?.length ?? 0;
      await pause((0.5 + Math.random()) * pageSeconds * 1000);
    }
  };

  await Promise.all(
    visits.map(async ({ kind, cookie }) => {
      const agent = new Agent({ keepAlive: true });
      if (kind === 'waiter')
        await every(CLAIM_MS, () => timed(read.claims, agent, 'POST', `${door}/api/share/claim`, cookie));
      else
        await Promise.all([
          readPages(agent, cookie),
          every(KEEP_MS, () => timed(read.checks, agent, 'GET', `${door}/api/share/me`, cookie)),
        ]);
      agent.destroy();
    }),
  );
  return read;
}
