import { z } from 'zod';
import { isReserved, SETTING_NAMES, SETTINGS, type SettingName } from '../../../src-shared/contract/setting-keys.ts';

/** One declaration per key: schema with default, environment variable, sentence of documentation. Nothing else reads the environment. */
export interface Key<S extends z.ZodType = z.ZodType> {
  schema: S;
  env?: string;
  doc: string;
  /** Accepted because the specification demands it, but nothing reads it yet: it is not documented. */
  reserved?: true;
}

const key = <S extends z.ZodType>(schema: S, doc: string, env?: string): Key<S> => ({
  schema,
  doc,
  ...(env && { env }),
});

const GIB = 2 ** 30;
const port = z.coerce.number().int().min(0).max(65_535);

type SettingKeys = {
  [N in SettingName as (typeof SETTINGS)[N]['key']]: Key<z.ZodType<z.output<(typeof SETTINGS)[N]['schema']>>>;
};

/** What an environment variable may say for a value that is not a text: `true`, `1`, `2.5`, `30,60`. */
function fromText(schema: z.ZodType, raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  const readings = [
    raw,
    { true: true, false: false }[raw],
    { 1: true, 0: false }[raw],
    Number(raw),
    raw.split(',').map(Number),
  ];
  return readings.find((reading) => schema.safeParse(reading).success) ?? raw;
}

/** Settings that can be changed while Hearth runs are keys of the configuration as well. */
const settingKeys = Object.fromEntries(
  SETTING_NAMES.map((name) => {
    const {
      key: name_,
      schema,
      fallback,
      doc,
      env,
    } = SETTINGS[name] as (typeof SETTINGS)[SettingName] & { env?: string };
    const read = z.preprocess((raw) => fromText(schema, raw), schema as z.ZodType).default(() => fallback);
    const declared = key(read, `${doc} Setting \`${name}\`.`, env ?? `VAULT_${name.toUpperCase()}`);
    return [name_, isReserved(name) ? { ...declared, reserved: true } : declared];
  }),
) as unknown as SettingKeys;

export const KEYS = {
  'vault.path': key(z.string().min(1), 'Folder of the vault; created when absent.', 'VAULT_DIR'),
  'http.host': key(z.string().default('127.0.0.1'), 'Address to listen on.', 'VAULT_HOST'),
  'http.port': key(port.default(8070), 'Port of API and user interface; 0 picks a free one.', 'VAULT_PORT'),
  'http.public_host': key(
    z.string().default(''),
    'Further host name under which the service may be addressed.',
    'VAULT_PUBLIC_HOST',
  ),
  mode: {
    ...key(z.enum(['core', 'share']).default('core'), 'What is served: everything, or only shares.', 'VAULT_MODE'),
    reserved: true as const,
  },
  'log.level': key(
    z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
    'Least severe level that is printed.',
    'VAULT_LOG_LEVEL',
  ),
  'upload.max_bytes': key(
    z.coerce
      .number()
      .int()
      .min(1)
      .default(2 * GIB),
    'Largest file that is accepted.',
    'VAULT_UPLOAD_MAX_BYTES',
  ),
  'upload.max_pages': key(
    z.coerce.number().int().min(1).default(2000),
    'Most pages that a document may have.',
    'VAULT_UPLOAD_MAX_PAGES',
  ),
  'upload.max_megapixels': key(
    z.coerce.number().min(1).default(200),
    'Largest image that is accepted.',
    'VAULT_UPLOAD_MAX_MEGAPIXELS',
  ),
  'archive.max_members': key(
    z.coerce.number().int().min(1).default(20_000),
    'Most entries of an archive.',
    'VAULT_ARCHIVE_MAX_MEMBERS',
  ),
  'archive.max_bytes': key(
    z.coerce
      .number()
      .int()
      .min(1)
      .default(20 * GIB),
    'Largest expanded size of an archive.',
    'VAULT_ARCHIVE_MAX_BYTES',
  ),
  'archive.max_ratio': key(
    z.coerce.number().min(1).default(200),
    'Largest expansion of an archive.',
    'VAULT_ARCHIVE_MAX_RATIO',
  ),
  ...settingKeys,
  'backups.base_path': key(
    z.string().default(''),
    'Folder of phone backups; empty means the one of the operating system.',
    'BACKUP_PATHS__BASE_PATH',
  ),
  'backups.temp_path': key(
    z.string().default(''),
    'Folder for files of phone backups while they are sent; empty means a private one among the temporary files.',
    'BACKUP_PATHS__TEMP_PATH',
  ),
  'backups.port': key(
    port.default(8080),
    'Port of the service for phone backups, on this computer only; 0 picks a free one.',
    'BACKUPS_PORT',
  ),
  'security.api_token': key(
    z.string().max(500).default(''),
    'Token that programs send to the service for phone backups; empty means one that is made and kept beside the vault.',
    'SECURITY__API_TOKEN',
  ),
} as const satisfies Record<string, Key>;

export type ConfigKey = keyof typeof KEYS;
export type Config = { readonly [K in ConfigKey]: z.output<(typeof KEYS)[K]['schema']> };
