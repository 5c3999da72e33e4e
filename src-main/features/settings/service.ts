import { isSecret, SETTING_NAMES, SETTINGS, type SettingName } from '../../../src-shared/contract/setting-keys.ts';
import type { SettingsPatch, SettingsView } from '../../../src-shared/contract/settings.ts';
import type { Config, ConfigKey } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { Secrets } from '../../platform/secrets/service.ts';
import { createSettingsRepository, type ViewPreferences } from './repository.ts';

export interface Settings {
  /** The configuration with saved settings; always the same object, so that every read returns current values. */
  config: Config;
  view(): SettingsView;
  /** Saves settings and applies them; returns the new view. `changed` are the names of settings with a new value. */
  save(patch: SettingsPatch): { view: SettingsView; changed: SettingName[] };
  /** Registers a listener for changes, for parts that cannot simply read the configuration again. */
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

/** Settings saved by administrators, on top of the configuration. */
export function createSettings({ db, clock, log, secrets, base }: SettingsDeps): Settings {
  const repository = createSettingsRepository(db);
  const config: Record<ConfigKey, unknown> = { ...base };
  const listeners: ((changed: SettingName[]) => void)[] = [];

  /** A saved value; undefined if it is no longer valid, which must not prevent the start. */
  function usable(name: SettingName, stored: unknown): unknown {
    const { key, schema } = SETTINGS[name];
    const value = isSecret(name) ? openSafely(key, stored) : stored;
    const parsed = schema.safeParse(value);
    if (parsed.success && value !== null) return parsed.data;
    log.warn(
      { setting: name },
      isSecret(name)
        ? 'a saved secret cannot be opened on this machine; enter it again'
        : 'a saved setting does not fit any more and is passed over',
    );
    return undefined;
  }
  function openSafely(key: string, stored: unknown): string | null {
    try {
      return secrets.open(key, stored);
    } catch (err) {
      log.warn({ err }, 'the key of the secrets cannot be read');
      return null;
    }
  }
  function putIntoForce(): void {
    const saved = new Map(repository.all().map(({ key, value }) => [key, value]));
    for (const name of SETTING_NAMES) {
      const { key } = SETTINGS[name];
      const value = saved.has(key) ? usable(name, saved.get(key)) : undefined;
      config[key] = value === undefined ? base[key] : value;
    }
  }
  function seal(key: string, text: string): string {
    try {
      return secrets.seal(key, text);
    } catch (err) {
      log.error(
        { err },
        'the key of the secrets cannot be read: move secrets.key or secrets.keychain out of the configuration ' +
          'folder to have a new one made, and enter saved secrets again',
      );
      throw fail('settings.key_unreadable', undefined, err);
    }
  }
  function store(name: SettingName, value: unknown): void {
    const { key } = SETTINGS[name];
    if (value === null) return void repository.remove([key]);
    if (isSecret(name) && value === '') return;
    repository.put(key, isSecret(name) ? seal(key, String(value)) : value, toTimestamp(clock.now()));
  }

  const view = (): SettingsView => {
    const shown = (name: SettingName) =>
      isSecret(name) ? config[SETTINGS[name].key] !== '' : config[SETTINGS[name].key];
    const flat: Record<string, unknown> = {},
      groups: Record<string, Record<string, unknown>> = {};
    for (const name of SETTING_NAMES) {
      const [group = '', inner = ''] = SETTINGS[name].key.split('.');
      const mask = isSecret(name) ? 'has_' : '';
      flat[mask + name] = (groups[group] ??= {})[mask + inner] = shown(name);
    }
    return { ...groups, ...flat, vault: { path: base['vault.path'] } } as unknown as SettingsView;
  };

  putIntoForce();
  return {
    config: config as Config,
    view,
    save(patch) {
      const before = { ...config };
      db.transaction(() => {
        for (const name of SETTING_NAMES) if (patch[name] !== undefined) store(name, patch[name]);
      });
      putIntoForce();
      const changed = SETTING_NAMES.filter(
        (name) => JSON.stringify(before[SETTINGS[name].key]) !== JSON.stringify(config[SETTINGS[name].key]),
      );
      if (changed.length > 0) log.info({ changed }, 'settings were changed');
      for (const listener of changed.length > 0 ? listeners : []) listener(changed);
      return { view: view(), changed };
    },
    onChange: (listener) => void listeners.push(listener),
    viewPreferences: (userId, viewKey) => repository.viewPreferences(userId, viewKey) ?? { visible: [], order: [] },
    saveViewPreferences(userId, viewKey, preferences) {
      repository.putViewPreferences(userId, viewKey, preferences);
      return preferences;
    },
  };
}
