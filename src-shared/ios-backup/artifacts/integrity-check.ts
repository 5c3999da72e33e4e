import type { IntegrityCheck, IntegrityFinding as Finding } from '../../contract/phone-backups/service.ts';
import { BackupError } from '../errors.ts';
import type { IntegrityReport } from '../integrity.ts';
import type { UnlockedBackup } from '../unlocked-backup.ts';

/** Thrown into a check that is to stop. */
class Stopped extends Error {}

interface Wanted {
  fault?: Finding['fault'] | undefined;
  limit: number;
  offset: number;
}

/**
 * Compares an open backup with its manifest in the background, one check at a time; findings stay until the next check.
 */
export function createIntegrityCheck(backup: Pick<UnlockedBackup, 'integrity' | 'domains'>) {
  let status: IntegrityCheck['status'] = 'idle';
  let files = 0,
    total = 0;
  let failure: string | null = null;
  let report: IntegrityReport | null = null;
  let isStopped = false;

  async function run(): Promise<void> {
    try {
      report = await backup.integrity((count) => {
        if (isStopped) throw new Stopped();
        files = count;
      });
      files = report.files;
      status = 'done';
    } catch (cause) {
      status = cause instanceof Stopped ? 'cancelled' : 'failed';
      failure = failureOf(cause);
    }
  }

  function state(): IntegrityCheck {
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

  return {
    state,
    /** Begins, unless one is under way. */
    start(): IntegrityCheck {
      if (status === 'running') return state();
      total = backup.domains().reduce((sum, domain) => sum + domain.files, 0);
      [status, files, failure, report, isStopped] = ['running', 0, null, null, false];
      void run();
      return state();
    },
    cancel(): IntegrityCheck {
      isStopped = true;
      return state();
    },
    /** Lists the faults by file id: one kind of fault, or all. */
    findings({ fault, limit, offset }: Wanted): { items: Finding[]; total: number; limit: number; offset: number } {
      const kept = (report?.findings ?? []).filter((finding) => fault === undefined || finding.fault === fault);
      const items = kept
        .slice(offset, offset + limit)
        .map(({ fileId, domain, relativePath, expected, actual, ...finding }): Finding => ({
          fault: finding.fault,
          file_id: fileId,
          domain,
          relative_path: relativePath,
          expected_bytes: expected,
          actual_bytes: actual,
        }));
      return { items, total: kept.length, limit, offset };
    },
  };
}
export type IntegrityChecker = ReturnType<typeof createIntegrityCheck>;

/** The code of a failed check; null when a person stopped it. */
function failureOf(cause: unknown): string | null {
  if (cause instanceof Stopped) return null;
  return cause instanceof BackupError ? cause.code : 'fault';
}
