import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { patternText } from './field-errors.ts';
import { isSecret, SETTING_NAMES, SETTINGS, type Setting, type SettingName } from './setting-keys.ts';

type SecretSetting = { [N in SettingName]: (typeof SETTINGS)[N] extends { secret: true } ? N : never }[SettingName];
type PlainSetting = Exclude<SettingName, SecretSetting>;
type SchemaOf<N extends SettingName> = (typeof SETTINGS)[N]['schema'];

/** Settings as returned: the value, or for a secret only whether it is set. */
type SettingsShape = { [N in PlainSetting]: SchemaOf<N> } & { [N in SecretSetting as `has_${N}`]: z.ZodBoolean };
/** Settings as sent. Null resets to the configured value; an empty secret does not change the saved one. */
type PatchShape = { [N in SettingName]: z.ZodOptional<z.ZodNullable<SchemaOf<N>>> };

const mapSettings = <T>(toEntry: (name: SettingName, setting: Setting) => [string, T]): Record<string, T> =>
  Object.fromEntries(SETTING_NAMES.map((name) => toEntry(name, SETTINGS[name])));

const flat = mapSettings<z.ZodType>((name, setting) =>
  isSecret(name) ? [`has_${name}`, z.boolean()] : [name, setting.schema],
);

/**
 * The settings by group, under the second part of the key: `pipeline: {poll_interval: 5}`, `oidc: {has_client_secret:
 * true}`.
 */
const groups = Object.fromEntries(
  Object.entries(Object.groupBy(SETTING_NAMES, (name) => SETTINGS[name].key.split('.')[0] ?? '')).map(
    ([group, names]) => [
      group,
      z.object(
        Object.fromEntries(
          (names ?? []).map((name): [string, z.ZodType] => {
            const inner = SETTINGS[name].key.slice(group.length + 1);
            return isSecret(name) ? [`has_${inner}`, z.boolean()] : [inner, SETTINGS[name].schema];
          }),
        ),
      ),
    ],
  ),
);

const settingsView = z.object({
  ...groups,
  vault: z.object({ path: z.string() }),
  ...flat,
} as unknown as SettingsShape & {
  vault: z.ZodObject<{ path: z.ZodString }>;
});
export type SettingsView = z.output<typeof settingsView>;

const settingsPatch = z.strictObject(
  mapSettings((name, setting) => [name, setting.schema.nullish()]) as unknown as PatchShape,
);
export type SettingsPatch = z.output<typeof settingsPatch>;

const viewKey = z.object({ view_key: patternText(/^[a-z0-9_.-]{1,64}$/, 'field.not_a_view_key') });
const columns = z.array(patternText(/^[\w.-]{1,64}$/, 'field.not_a_column_name')).max(200);
const viewPreferences = z.strictObject({ visible: columns, order: columns });

export const settings = {
  get: endpoint({
    method: 'GET',
    path: '/api/settings',
    access: 'admin',
    reply: settingsView,
    summary:
      'Returns all settings, in groups and flat under the names that PATCH takes. Secrets are returned only as ' +
      'whether one is set.',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/settings',
    access: 'admin',
    audit: 'settings.update',
    body: settingsPatch,
    reply: settingsView.extend({ status: z.literal('saved'), changes: z.array(z.string()) }),
    errors: ['settings.key_unreadable', 'settings.only_here', 'settings.no_vision_model'],
    summary:
      'Changes settings, effective immediately; `changes` are the names of those with a new value. Null resets to the ' +
      'configured value; an empty secret keeps the saved one.',
  }),
  viewPreferences: endpoint({
    method: 'GET',
    path: '/api/settings/view-prefs/{view_key}',
    access: 'session',
    params: viewKey,
    reply: viewPreferences,
    summary: 'Returns the visible columns of a list and their order; both empty without preferences.',
  }),
  saveViewPreferences: endpoint({
    method: 'PUT',
    path: '/api/settings/view-prefs/{view_key}',
    access: 'session',
    params: viewKey,
    body: viewPreferences,
    reply: viewPreferences,
    summary: 'Saves the column preferences of the caller.',
  }),
} as const;
