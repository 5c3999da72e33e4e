import { parseArgs } from 'node:util';
import type { Overrides } from '../platform/config/load.ts';

/** What may stand on the command line of every entry. */
export interface Flags {
  config: Overrides;
  json: boolean;
  demo: boolean;
  help: boolean;
  patient: string | null;
  replace: boolean;
  /** Command and its arguments. */
  words: string[];
}

export const USAGE = `Usage: hearth [serve] [options]
       hearth import FILES… --patient SLUG
       hearth verify | backup FILE-OR-FOLDER | restore FILE-OR-FOLDER | doctor

  --vault DIR      folder of the vault (VAULT_DIR)
  --host HOST      address to listen on, 127.0.0.1 (VAULT_HOST)
  --port PORT      port, 8070; 0 picks a free one (VAULT_PORT)
  --backups DIR    folder of phone backups (BACKUP_PATHS__BASE_PATH)
  --backups-port PORT  port of the service for phone backups, 8080 (BACKUPS_PORT)
  --demo           a throw-away vault with a fictional household; user demo, password demo
  --json           the first line on stdout tells where it listens, as JSON
  --replace        restore: put the present vault aside and take its place`;

/** Reads flags; throws `TypeError` for what it does not know. */
export function parseFlags(args: string[]): Flags {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      vault: { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string' },
      mode: { type: 'string' },
      backups: { type: 'string' },
      'backups-port': { type: 'string' },
      patient: { type: 'string' },
      demo: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      replace: { type: 'boolean' },
    },
  });
  const given = {
    'vault.path': values.vault,
    'http.host': values.host,
    'http.port': values.port,
    mode: values.mode,
    'backups.base_path': values.backups,
    'backups.port': values['backups-port'],
  };
  return {
    config: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    json: values.json ?? false,
    demo: values.demo ?? false,
    help: values.help ?? false,
    patient: values.patient ?? null,
    replace: values.replace ?? false,
    words: positionals,
  };
}
