import type { Config } from '../platform/config/config.ts';
import { openLogFile } from '../platform/config/log-file.ts';
import { createLog, type Log } from '../platform/kernel/log.ts';
import type { Keychain } from '../platform/secrets/service.ts';
import type { Flags } from './flags.ts';
import type { RunningCore } from './running-core.ts';
import { runCore } from './supervisor.ts';

interface Program {
  keychain?: Keychain | null;
  /** What each request to the core has to carry. */
  windowKey?: string | null;
  /** Called when the core cannot be started again after a restore. */
  onError: (error: unknown) => void;
}

/** The log to the place that the command line names. */
const openLog = (flags: Flags, config: Config): Log =>
  createLog(config['log.level'], flags.logToFile ? openLogFile() : undefined);

/** Runs the core as the command line says. */
export const runFlags = (
  flags: Flags,
  config: Config,
  { keychain = null, windowKey = null, onError }: Program,
): Promise<RunningCore> =>
  runCore(
    {
      ...{ config, log: openLog(flags, config), keychain, windowKey },
      isSafeMode: flags.safeMode,
      isReadOnly: flags.readOnly,
      startsWithSample: flags.demo,
    },
    onError,
  );
