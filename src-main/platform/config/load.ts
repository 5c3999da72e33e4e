import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { KEYS, type Config, type ConfigKey } from './config.ts';
import { createFolder } from '../vault/atomic.ts';

/** All faults of a configuration at once. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`The configuration has faults:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

export type Overrides = Partial<Record<ConfigKey, unknown>>;

/** Defaults < file < environment < flags. The file is `config.json` in the configuration folder: an object by key. */
export function loadConfig(flags: Overrides, environment: NodeJS.ProcessEnv = process.env): Config {
  const file = readConfigFile(join(configFolder(environment), 'config.json'));
  const faults: string[] = [];
  for (const name of Object.keys(file)) if (!(name in KEYS)) faults.push(`config.json: there is no key “${name}”`);
  const config: Record<string, unknown> = {};
  for (const [name, key] of Object.entries(KEYS) as [ConfigKey, (typeof KEYS)[ConfigKey]][]) {
    const fromEnv = 'env' in key && key.env ? environment[key.env] : undefined;
    const raw =
      flags[name] ??
      (fromEnv === '' ? undefined : fromEnv) ??
      file[name] ??
      (name === 'vault.path' ? defaultVaultPath(environment) : undefined);
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

/** Where the operating system wants the configuration of a program (XDG, Application Support, AppData). */
export function configFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === 'win32')
    return join(environment['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Hearth');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Hearth');
  return join(environment['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'hearth');
}

function defaultVaultPath(environment: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32' || process.platform === 'darwin') return join(configFolder(environment), 'Vault');
  return join(environment['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'hearth', 'vault');
}

/** Creates a folder that only its owner may enter. */
export function ensurePrivateFolder(path: string): void {
  createFolder(path);
}
