import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { KEYS, type Config, type ConfigKey, type Key } from './config.ts';
import { createFolder } from '../vault/atomic.ts';
import { readVaultList } from './vault-list.ts';

/** Lists every invalid key of a configuration. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`The configuration is invalid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

export type Overrides = Partial<Record<ConfigKey, unknown>>;

/**
 * Reads flags, then environment, then `config.json` in the configuration folder, then defaults; the first value wins.
 */
export function loadConfig(flags: Overrides, environment: NodeJS.ProcessEnv = process.env): Config {
  const file = readConfigFile(join(configFolder(environment), 'config.json'));
  const keys = Object.entries(KEYS) as [ConfigKey, Key][];
  const known = new Set(keys.flatMap(([name, { alias }]) => (alias ? [name, alias.key] : [name])));
  const faults = Object.keys(file)
    .filter((name) => !known.has(name))
    .map((name) => `config.json: unknown key “${name}”`);
  const config: Record<string, unknown> = {};
  for (const [name, key] of keys) {
    const { env = '', alias = { key: '', env: '' } } = key;
    // An empty variable counts as not set.
    const fromEnvironment = environment[env] || environment[alias.env] || undefined;
    const fromFile = file[name] ?? file[alias.key];
    const fallback = name === 'vault.path' ? chosenVaultPath(environment) : undefined;
    const raw = flags[name] ?? fromEnvironment ?? fromFile ?? fallback;
    const parsed = key.schema.safeParse(raw);
    if (parsed.success) config[name] = parsed.data;
    else faults.push(`${name}: ${parsed.error.issues.map((issue) => issue.message).join(', ')}`);
  }
  if (faults.length) throw new ConfigError(faults);
  return config as Config;
}

function readConfigFile(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  } catch {
    throw new ConfigError(['config.json is not valid JSON']);
  }
}

/** The file with the password of an encrypted vault; null if none is named. An empty variable counts as not set. */
export const vaultPasswordFile = (environment: NodeJS.ProcessEnv = process.env): string | null =>
  environment['HEARTH_VAULT_PASSWORD_FILE'] || null;

/** The configuration folder of the operating system (XDG, Application Support, AppData). */
export function configFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === 'win32')
    return join(environment['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Hearth');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Hearth');
  return join(environment['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'hearth');
}

/** The vault that was chosen last in the program, or that of the operating system's folder for data. */
const chosenVaultPath = (environment: NodeJS.ProcessEnv): string =>
  readVaultList(configFolder(environment)).current ?? defaultVaultPath(environment);

function defaultVaultPath(environment: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32' || process.platform === 'darwin') return join(configFolder(environment), 'Vault');
  return join(environment['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'hearth', 'vault');
}

/** Creates a folder that only its owner can open. */
export function ensurePrivateFolder(path: string): void {
  createFolder(path);
}
