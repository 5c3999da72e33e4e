import type { IntegrityCheck, IntegrityFinding as Finding } from '../../contract/phone-backups/service.ts';
import { BackupError } from '../errors.ts';
import type { IntegrityReport } from '../integrity.ts';
import type { UnlockedBackup } from '../unlocked-backup.ts';

/** Thrown inside a check to cancel it. */
class CancelledError extends Error {}

interface FindingsQuery {
  fault?: Finding['fault'] | undefined;
  limit: number;
  offset: number;
}
interface FindingsPage {
  items: Finding[];
  total: number;
  limit: number;
  offset: number;
}
type CheckedBackup = Pick<UnlockedBackup, 'integrity' | 'domains'>;

/** The state of the last check of one backup. */
interface CheckState {
  status: IntegrityCheck['status'];
  files: number;
  total: number;
  /** Error code of a failed check. */
  failure: string | null;
  report: IntegrityReport | null;
  isCancelled: boolean;
}

export interface IntegrityChecker {
  state(): IntegrityCheck;
  /** Starts a check unless one is running. */
  start(): IntegrityCheck;
  cancel(): IntegrityCheck;
  /** A page of the findings by file id, for one kind of fault or all of them. */
  findings(query: FindingsQuery): FindingsPage;
}

/**
 * Compares an open backup with its manifest in the background, one check at a time. Findings remain until the next
 * check.
 */
export function createIntegrityCheck(backup: CheckedBackup): IntegrityChecker {
  const check: CheckState = { status: 'idle', files: 0, total: 0, failure: null, report: null, isCancelled: false };
  return {
    state: () => replyOf(check),
    start() {
      if (check.status !== 'running') startCheck(backup, check);
      return replyOf(check);
    },
    cancel() {
      check.isCancelled = true;
      return replyOf(check);
    },
    findings: (query) => findingsPage(check.report, query),
  };
}

function startCheck(backup: CheckedBackup, check: CheckState): void {
  const total = backup.domains().reduce((sum, domain) => sum + domain.files, 0);
  Object.assign(check, { status: 'running', files: 0, total, failure: null, report: null, isCancelled: false });
  void runCheck(backup, check);
}

async function runCheck(backup: CheckedBackup, check: CheckState): Promise<void> {
  try {
    check.report = await backup.integrity((count) => {
      if (check.isCancelled) throw new CancelledError();
      check.files = count;
    });
    check.files = check.report.files;
    check.status = 'done';
  } catch (cause) {
    check.status = cause instanceof CancelledError ? 'cancelled' : 'failed';
    check.failure = failureOf(cause);
  }
}

function replyOf({ status, files, total, failure, report }: CheckState): IntegrityCheck {
  return {
    status,
    files,
    total_files: total,
    failure,
    report: report && {
      files: report.files,
      bytes: report.bytes,
      unlisted: report.unlisted,
      counts: report.counts,
      listed: report.findings.length,
    },
  };
}

function findingsPage(report: IntegrityReport | null, { fault, limit, offset }: FindingsQuery): FindingsPage {
  const matching = (report?.findings ?? []).filter((finding) => fault === undefined || finding.fault === fault);
  const items = matching
    .slice(offset, offset + limit)
    .map(({ fileId, domain, relativePath, expected, actual, ...finding }): Finding => ({
      fault: finding.fault,
      file_id: fileId,
      domain,
      relative_path: relativePath,
      expected_bytes: expected,
      actual_bytes: actual,
    }));
  return { items, total: matching.length, limit, offset };
}

/** The error code of a failed check; null if it was canceled. */
function failureOf(cause: unknown): string | null {
  if (cause instanceof CancelledError) return null;
  return cause instanceof BackupError ? cause.code : 'fault';
}
