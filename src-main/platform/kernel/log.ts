import { Writable } from 'node:stream';
import pino from 'pino';

export interface LogLine {
  time: string;
  level: string;
  module: string;
  message: string;
}

/**
 * Structured log on stderr; recent lines are kept in memory for the settings page. Never log the text of a document, a
 * person's name or a path below a patient; use ids.
 */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
  child(module: string): Log;
  recent(): LogLine[];
}

const REDACTED = [
  'password',
  '*.password',
  'api_key',
  '*.api_key',
  'cookie',
  '*.cookie',
  'headers',
  'token',
  '*.token',
  'filename',
  '*.filename',
  'path',
  '*.path',
  'text',
  '*.text',
];
const KEPT_LINES = 2000;

/**
 * `level` is the minimum severity that is printed; `silent` prints nothing. Lines from `info` on are always kept in
 * memory.
 */
export function createLog(level: string, keep: number = KEPT_LINES): Log {
  const lines: LogLine[] = [];
  const memory = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const line = JSON.parse(chunk.toString()) as { time: string; level: number; module?: string; msg?: string };
      lines.push({
        time: line.time,
        level: pino.levels.labels[line.level] ?? 'info',
        module: line.module ?? 'core',
        message: line.msg ?? '',
      });
      if (lines.length > keep) lines.splice(0, lines.length - keep);
      done();
    },
  });
  const streams: pino.StreamEntry[] = [{ stream: memory, level: 'info' }];
  if (level !== 'silent')
    streams.push({ stream: pino.destination({ dest: 2, sync: false }), level: level as pino.Level });
  const root = pino(
    {
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString().slice(0, 19)}"`,
      level: level === 'debug' ? 'debug' : 'info',
      redact: { paths: REDACTED, censor: '…' },
      // A stack trace can quote data; the class and code of an error say what failed.
      serializers: {
        err: (error: NodeJS.ErrnoException) => ({
          name: error?.name,
          code: error?.code,
          at: error?.stack
            ?.split('\n')[1]
            ?.trim()
            .replace(/\(?(file:\/\/)?\/.*\/(src-\w+\/.*?)\)?$/, '$2'),
        }),
      },
    },
    pino.multistream(streams),
  );
  const wrap = (logger: pino.Logger): Log => ({
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (module) => wrap(logger.child({ module })),
    recent: () => [...lines],
  });
  return wrap(root);
}
