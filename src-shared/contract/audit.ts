import { z } from 'zod';
import { AUDIT_ACTIONS, endpoint } from './endpoint.ts';
import { civilDate, id, idText, timestamp, wholeText } from './wire.ts';

const entry = z.object({
  id,
  user_id: id.nullable(),
  username: z.string().nullable(),
  action: z.string(),
  resource_type: z.string().nullable(),
  resource_id: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
  ip_address: z.string().nullable(),
  created_at: timestamp,
});
export type AuditEntry = z.output<typeof entry>;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
const level = z.enum(LOG_LEVELS);

export const audit = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/audit-log',
    access: 'admin',
    query: z.object({
      limit: wholeText(1, 500).default(100),
      offset: wholeText(0, 10_000_000).default(0),
      action: z
        .string()
        .max(1000)
        .transform((text) =>
          text
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== ''),
        )
        .optional(),
      user_id: idText.optional(),
      date_from: civilDate.optional(),
      date_to: civilDate.optional(),
    }),
    reply: z.object({ items: z.array(entry), total: z.int() }),
    summary:
      `Lists audited actions with user and address, newest first. \`action\` takes several of the ` +
      `${AUDIT_ACTIONS.length} actions, separated by commas.`,
  }),
  logs: endpoint({
    method: 'GET',
    path: '/api/settings/logs',
    access: 'admin',
    query: z.object({
      limit: wholeText(1, 2000).default(200),
      module: z.string().max(50).optional(),
      level: z
        .string()
        .max(100)
        .toLowerCase()
        .transform((text) =>
          text
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== ''),
        )
        .pipe(z.array(level))
        .optional(),
    }),
    reply: z.object({
      logs: z.array(z.object({ time: timestamp, level, module: z.string(), message: z.string() })),
      total: z.int(),
      modules: z.array(z.string()),
    }),
    summary:
      'Returns the last log lines since the start of the program, oldest first. `level` takes several levels, ' +
      'separated by commas.',
  }),
} as const;
