import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { Overrides } from '../platform/config/load.ts';

/** The parsed command line; all entry programs accept the same flags. */
export interface Flags {
  config: Overrides;
  json: boolean;
  demo: boolean;
  /** Write log lines to a file instead of the terminal. */
  logToFile: boolean;
  help: boolean;
  /** Starts without reading, without the inbox and without the service for shares. */
  safeMode: boolean;
  /** Shows a vault that another program has open. */
  readOnly: boolean;
  /** Desktop: the program before this one hung and is being ended. */
  afterHang: boolean;
  patient: string | null;
  replace: boolean;
  /** vault encrypt and recovery-key: the printed recovery key need not be typed. */
  recoveryKeyNoted: boolean;
  /** import: only a preview, and a file for the report. */
  preview: boolean;
  report: string | null;
  /** ticker flash: the board's tag, the file for a backup, and whether everything else is erased. */
  board: string | null;
  keep: string | null;
  eraseAll: boolean;
  /** The command and its arguments. */
  words: string[];
}

/** The commands besides `serve`. */
export const COMMAND_NAMES = ['import', 'verify', 'backup', 'restore', 'doctor', 'vault', 'ticker', 'mcp'] as const;
export type CommandWord = (typeof COMMAND_NAMES)[number];
/** Whether a word of the command line is a command of `hearth`. */
export const isCommand = (word: string | undefined): word is CommandWord => COMMAND_NAMES.some((name) => name === word);

export const USAGE = `Usage: hearth [serve] [options]
       hearth import PATHS… --patient SLUG [--preview] [--report FILE]
       hearth verify | backup FILE-OR-FOLDER | restore FILE-OR-FOLDER | doctor
       hearth vault list | use DIR | forget DIR | move DIR
       hearth vault encrypt | decrypt | password | recovery-key | status
       hearth ticker list | flash PORT FILES… | config PORT [FILE] | log PORT
       hearth mcp       an assistant starts it to read what Settings › Assistants allows

  --vault DIR      folder of the vault (VAULT_DIR)
  --host HOST      address to listen on, 127.0.0.1 (VAULT_HOST)
  --port PORT      port, 8070; 0 picks a free one (VAULT_PORT)
  --mode MODE      core, or share: serves only shares, also beside a running core (VAULT_MODE)
  --share-port PORT          port of the service for recipients of shares, 8071 (VAULT_SHARE_PORT)
  --phone-backups DIR        folder of phone backups (PHONE_BACKUPS_BASE_PATH)
  --phone-backups-port PORT  port of the phone-backup service, 8080 (PHONE_BACKUPS_PORT)
  --demo           a temporary vault with a fictional household; user demo, password demo
  --json           print the address as JSON on the first line
  --log-to-file    write log messages to hearth.log in the configuration folder instead of the terminal
  --safe-mode      start without reading, inbox and shares, to look at what is wrong
  --preview        import: say what would be stored, and store nothing
  --report FILE    import: write what became of each item as CSV
  --read-only      show a vault that another Hearth has open, as it is now; nothing can be changed
  --recovery-key-noted  vault encrypt, recovery-key: go on without typing the recovery key that was printed
  --replace        restore: set the current vault aside and replace it
  --keep FILE      ticker flash: first read what is on the board into this file, or go on with it
  --board TAG      ticker flash: refuse images for other boards than this one
  --erase-all      ticker flash: erase everything else on the board too`;

const OPTIONS = {
  vault: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  mode: { type: 'string' },
  'share-port': { type: 'string' },
  'phone-backups': { type: 'string' },
  'phone-backups-port': { type: 'string' },
  // Deprecated option names from before phone backups and vault backups had separate ones; still accepted.
  backups: { type: 'string' },
  'backups-port': { type: 'string' },
  patient: { type: 'string' },
  demo: { type: 'boolean' },
  json: { type: 'boolean' },
  'log-to-file': { type: 'boolean' },
  'safe-mode': { type: 'boolean' },
  'read-only': { type: 'boolean' },
  'after-hang': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  replace: { type: 'boolean' },
  'recovery-key-noted': { type: 'boolean' },
  preview: { type: 'boolean' },
  report: { type: 'string' },
  board: { type: 'string' },
  keep: { type: 'string' },
  'erase-all': { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

/** Leaves out flags that are not Hearth's: Chromium and debuggers add theirs as `--name=value`. */
export const ownWords = (words: readonly string[]): string[] =>
  words.filter((word) => !word.startsWith('--') || Object.hasOwn(OPTIONS, word.slice(2).split('=')[0] ?? ''));

/** Parses flags; throws `TypeError` for unknown ones. */
export function parseFlags(args: string[]): Flags {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: OPTIONS,
  });
  const overrides = {
    'vault.path': values.vault,
    'http.host': values.host,
    'http.port': values.port,
    mode: values.mode,
    'share.port': values['share-port'],
    'phone_backups.base_path': values['phone-backups'] ?? values.backups,
    'phone_backups.port': values['phone-backups-port'] ?? values['backups-port'],
  };
  return {
    config: Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined)),
    json: values.json ?? false,
    demo: values.demo ?? false,
    logToFile: values['log-to-file'] ?? false,
    help: values.help ?? false,
    safeMode: values['safe-mode'] ?? false,
    readOnly: values['read-only'] ?? false,
    afterHang: values['after-hang'] ?? false,
    patient: values.patient ?? null,
    replace: values.replace ?? false,
    recoveryKeyNoted: values['recovery-key-noted'] ?? false,
    preview: values.preview ?? false,
    report: values.report ?? null,
    board: values.board ?? null,
    keep: values.keep ?? null,
    eraseAll: values['erase-all'] ?? false,
    words: positionals,
  };
}
