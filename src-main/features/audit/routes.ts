import type { z } from 'zod';
import type { audit } from '../../../src-shared/contract/audit.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { Log, LogLine } from '../../platform/kernel/log.ts';
import { listAudit } from './list.repository.ts';

type LogsQuery = z.output<typeof audit.logs.query>;

/** The last `limit` lines that fit, oldest first. */
function tail(lines: LogLine[], { limit, level, module }: LogsQuery) {
  const fitting = lines.filter(
    (line) =>
      (!level?.length || level.some((wanted) => wanted === line.level)) &&
      (module === undefined || line.module === module),
  );
  return {
    logs: fitting.slice(-limit) as {
      level: NonNullable<LogsQuery['level']>[number];
      time: string;
      module: string;
      message: string;
    }[],
    total: fitting.length,
    modules: [...new Set(lines.map((line) => line.module))].sort(),
  };
}

export const auditRoutes = ({ db, log }: { db: Database; log: Log }): Handlers<typeof audit> => ({
  list: ({ query }) => listAudit(db, query),
  logs: ({ query }) => tail(log.recent(), query),
});
