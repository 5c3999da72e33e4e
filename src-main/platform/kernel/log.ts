import { Writable } from 'node:stream';
import pino from 'pino';
import { Failure } from './errors.ts';

export interface LogLine {
  time: string;
  level: string;
  module: string;
  message: string;
}

/**
 * Structured log on stderr; recent lines stay in memory for the settings page. Never log the text of a document, a
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
const MAX_RECENT_LINES = 2000;

/** Class, code, place and safe parameters of an error. A message or stack trace can quote data. */
const summarizeError = (error: NodeJS.ErrnoException | undefined) => ({
  name: error?.name,
  code: error?.code,
  ...(error instanceof Failure && error.loggableParams),
  at: error?.stack
    ?.split('\n')[1]
    ?.trim()
    .replace(/\(?(file:\/\/)?\/.*\/(src-\w+\/.*?)\)?$/, '$2'),
});

/**
 * `level` is the minimum severity that is printed; `silent` prints nothing. Lines go to standard error, or to the end of
 * `file`. The memory holds lines of severity `info` and above.
 */
export function createLog(level: string, file?: string): Log {
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
      if (lines.length > MAX_RECENT_LINES) lines.splice(0, lines.length - MAX_RECENT_LINES);
      done();
    },
  });
  const streams: pino.StreamEntry[] = [{ stream: memory, level: 'info' }];
  if (level !== 'silent')
    streams.push({
      stream: pino.destination(file === undefined ? { dest: 2, sync: false } : { dest: file, sync: true }),
      level: level as pino.Level,
    });
  const root = pino(
    {
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString().slice(0, 19)}"`,
      level: level === 'debug' ? 'debug' : 'info',
      redact: { paths: REDACTED, censor: '…' },
      serializers: { err: summarizeError },
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
