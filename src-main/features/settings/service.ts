import {
  isOnlyHere,
  isSecret,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../../../src-shared/contract/setting-keys.ts';
import type { SettingsPatch, SettingsView } from '../../../src-shared/contract/settings.ts';
import type { Config, ConfigKey } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { Secrets } from '../../platform/secrets/service.ts';
import { createSettingsRepository, type SettingsRepository, type ViewPreferences } from './repository.ts';

export interface Settings {
  /** The configuration with saved settings; always the same object, so that every read returns current values. */
  config: Config;
  view(): SettingsView;
  /** Saves settings and applies them; returns the new view. `changed` are the names of settings with a new value. */
  save(patch: SettingsPatch): { view: SettingsView; changed: SettingName[] };
  /** Registers a listener for changes, for modules that can't simply read the configuration again. */
  onChange(listener: (changed: SettingName[]) => void): void;
  viewPreferences(userId: number, viewKey: string): ViewPreferences;
  saveViewPreferences(userId: number, viewKey: string, preferences: ViewPreferences): ViewPreferences;
}

export interface SettingsDeps {
  db: Database;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  /** Defaults, file, environment and flags. */
  base: Config;
}

interface Deps extends SettingsDeps {
  repository: SettingsRepository;
  /** Changed in place, so that other modules always read current values. */
  config: Record<ConfigKey, unknown>;
}

/** Settings saved by administrators, on top of the configuration. */
export function createSettings(dependencies: SettingsDeps): Settings {
  const repository = createSettingsRepository(dependencies.db);
  const deps: Deps = { ...dependencies, repository, config: { ...dependencies.base } };
  const listeners: ((changed: SettingName[]) => void)[] = [];
  applySettings(deps);
  return {
    config: deps.config as Config,
    view: () => settingsView(deps),
    save(patch) {
      const changed = saveSettings(deps, patch);
      for (const listener of changed.length > 0 ? listeners : []) listener(changed);
      return { view: settingsView(deps), changed };
    },
    onChange: (listener) => void listeners.push(listener),
    viewPreferences: (userId, viewKey) => repository.viewPreferences(userId, viewKey) ?? { visible: [], order: [] },
    saveViewPreferences(userId, viewKey, preferences) {
      repository.putViewPreferences(userId, viewKey, preferences);
      return preferences;
    },
  };
}

/** Sealed with a key outside of the vault: secrets, and programs, which whoever can write to the vault must not choose. */
const isSealed = (name: SettingName): boolean => isSecret(name) || isOnlyHere(name);

/** Copies saved values, or otherwise those of the configuration, to the settings in use. */
function applySettings(deps: Deps): void {
  const { repository, config, base } = deps;
  const saved = new Map(repository.all().map(({ key, value }) => [key, value]));
  for (const name of SETTING_NAMES) {
    const { key } = SETTINGS[name];
    const value = saved.has(key) ? validValue(deps, name, saved.get(key)) : undefined;
    config[key] = value === undefined ? base[key] : value;
  }
}

/** A saved value; undefined if it is no longer valid, because it must not prevent startup. */
function validValue(deps: Deps, name: SettingName, stored: unknown): unknown {
  const { key, schema } = SETTINGS[name];
  const value = isSealed(name) ? openSecret(deps, key, stored) : stored;
  const parsed = schema.safeParse(value);
  if (parsed.success && value !== null) return parsed.data;
  deps.log.warn(
    { setting: name },
    isSealed(name)
      ? 'a saved secret cannot be decrypted on this machine; enter it again'
      : 'a saved setting is no longer valid and is ignored',
  );
  return undefined;
}

function openSecret({ secrets, log }: Deps, key: string, stored: unknown): string | null {
  try {
    return secrets.open(key, stored);
  } catch (err) {
    log.warn({ err }, 'the key of the secrets cannot be read');
    return null;
  }
}

/** @throws `settings.key_unreadable` */
function sealSecret({ secrets, log }: Deps, key: string, text: string): string {
  try {
    return secrets.seal(key, text);
  } catch (err) {
    log.error(
      { err },
      'the key of the secrets cannot be read: move secrets.key or secrets.keychain out of the configuration ' +
        'folder to create a new one, and enter saved secrets again',
    );
    throw fail('settings.key_unreadable', undefined, err);
  }
}

/** Saves and applies settings; returns the names of those with a new value. */
function saveSettings(deps: Deps, patch: SettingsPatch): SettingName[] {
  const { db, log, config } = deps;
  const before = { ...config };
  db.transaction(() => {
    for (const name of SETTING_NAMES) if (patch[name] !== undefined) storeSetting(deps, name, patch[name]);
  });
  applySettings(deps);
  const changed = SETTING_NAMES.filter(
    (name) => JSON.stringify(before[SETTINGS[name].key]) !== JSON.stringify(config[SETTINGS[name].key]),
  );
  if (changed.length > 0) log.info({ changed }, 'settings were changed');
  return changed;
}

function storeSetting(deps: Deps, name: SettingName, value: unknown): void {
  const { repository, clock } = deps;
  const { key } = SETTINGS[name];
  if (value === null) return void repository.remove([key]);
  if (isSecret(name) && value === '') return;
  repository.put(key, isSealed(name) ? sealSecret(deps, key, String(value)) : value, toTimestamp(clock.now()));
}

/** All settings, flat and by group. For a secret, only whether it is set. */
function settingsView({ config, base }: Deps): SettingsView {
  const flat: Record<string, unknown> = {};
  const groups: Record<string, Record<string, unknown>> = {};
  for (const name of SETTING_NAMES) {
    const { key } = SETTINGS[name];
    const [group = '', nameInGroup = ''] = key.split('.');
    const mask = isSecret(name) ? 'has_' : '';
    const value = isSecret(name) ? config[key] !== '' : config[key];
    flat[mask + name] = (groups[group] ??= {})[mask + nameInGroup] = value;
  }
  return { ...groups, ...flat, vault: { path: base['vault.path'] } } as unknown as SettingsView;
}
