import { expect } from 'vitest';
import { letter } from '../../support/sample-documents.ts';
import { Program, type Answer, type Sending } from './program.ts';
import { lacks, type Shape } from './shape.ts';

export const TOKEN = 'a token for programs';
export const PASSWORD = 'correct horse battery';
export const PHONE = 'my-phone',
  OTHER_PHONE = 'other-phone';

/** On a busy machine. */
const LONGEST_READING_MS = 240_000;

interface Call extends Sending {
  /** Values for the braces of the path. */
  at?: Record<string, string | number>;
  query?: string;
  /** The promised status; 200 if it is not given. */
  status?: number;
  shape?: Shape | readonly Shape[];
  as?: Program;
}

/** A walk over the endpoints; later steps use what earlier ones made. */
export interface Walk {
  url: string;
  backupsUrl: string;
  /** Endpoints that were called. */
  walked: Set<string>;
  ids: { patient: number; second: number; report: number; letter: number; event: number; user: number };
  /** Calls an endpoint, and checks status and fields of the answer. */
  ask(route: string, call?: Call): Promise<Answer>;
  /** Waits until nothing is being read. */
  idle(): Promise<void>;
  upload(form: FormData, query?: string, status?: number): Promise<Answer>;
}
export type Step = readonly [title: string, take: (walk: Walk) => Promise<void>];

export const addressOf = (route: string, at: Record<string, string | number> = {}): [method: string, path: string] => {
  const [method = '', path = ''] = route.split(' ');
  return [method, path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(at[name] ?? 1)))];
};

/** A letter of a page that says nothing of medicine. */
export const page = (text: string): Promise<Uint8Array> =>
  letter([
    Array.from({ length: 12 }, (_, line) => ({ text: `${text}, and this is line ${line} of it.`, y: 80 + line * 20 })),
  ]);

export function startWalk(url: string, backupsUrl: string): Walk {
  const vault = new Program(url);
  const backups = new Program(backupsUrl, { 'X-API-Token': TOKEN });
  const walked = new Set<string>();
  const ask: Walk['ask'] = async (route, { at, query = '', status = 200, shape, as, ...sending } = {}) => {
    walked.add(route);
    const [method, path] = addressOf(route, at);
    const program = as ?? (path.startsWith('/api') || path === '/health' ? vault : backups);
    const answer = await program.send(method, path + query, sending);
    expect([answer.status, answer.status === status ? '' : answer.body], route).toEqual([status, '']);
    if (shape) expect(lacks(shape, answer.body), route).toEqual([]);
    return answer;
  };
  const job = async (): Promise<unknown> => {
    const { body } = await ask('GET /api/pipeline/status');
    return [body.queue_depth, body.current_job];
  };
  return {
    url,
    backupsUrl,
    walked,
    ids: { patient: 0, second: 0, report: 0, letter: 0, event: 0, user: 0 },
    ask,
    idle: () => expect.poll(job, { timeout: LONGEST_READING_MS }).toEqual([0, null]),
    upload: (form, query = '', status = 201) =>
      ask('POST /api/documents/upload', { form, query, status, shape: { filename: 'string', status: 'string' } }),
  };
}
