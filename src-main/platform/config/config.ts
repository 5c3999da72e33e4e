import { z } from 'zod';
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../../src-shared/contract/setting-keys.ts';

/**
 * Declares a key: its schema with default, environment variable and documentation. Nothing else reads the environment.
 */
export interface Key<S extends z.ZodType = z.ZodType> {
  schema: S;
  env?: string;
  doc: string;
  /** Names of the key and its variable in the specification, where ours differ; accepted as well. */
  alias?: { key: string; env: string };
}

const key = <S extends z.ZodType>(schema: S, doc: string, env?: string, alias?: Key['alias']): Key<S> => ({
  schema,
  doc,
  ...(env && { env }),
  ...(alias && { alias }),
});

const GIB = 2 ** 30;
const port = z.coerce.number().int().min(0).max(65_535);

type SettingKeys = {
  [N in SettingName as (typeof SETTINGS)[N]['key']]: Key<z.ZodType<z.output<(typeof SETTINGS)[N]['schema']>>>;
};

/** Converts the text of an environment variable to what the schema accepts: `true`, `1`, `2.5`, `30,60`. */
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

/** Settings that an administrator can change at runtime are configuration keys as well. */
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
    return [name_, key(read, `${doc} Setting \`${name}\`.`, env ?? `VAULT_${name.toUpperCase()}`)];
  }),
) as unknown as SettingKeys;

export const KEYS = {
  'vault.path': key(z.string().min(1), 'Folder of the vault; created if it does not exist.', 'VAULT_DIR'),
  'http.host': key(z.string().default('127.0.0.1'), 'Address to listen on.', 'VAULT_HOST'),
  'http.port': key(port.default(8070), 'Port of API and user interface; 0 picks a free one.', 'VAULT_PORT'),
  'http.public_host': key(z.string().default(''), 'Additional host name that requests may use.', 'VAULT_PUBLIC_HOST'),
  'http.request_timeout': key(
    z.coerce.number().min(0.1).max(3600).default(60),
    'Seconds that a request may take to arrive; uploads of signed-in users may take an hour.',
    'VAULT_REQUEST_TIMEOUT',
  ),
  'http.max_connections': key(
    z.coerce.number().int().min(1).default(1000),
    'Maximum number of simultaneous connections to each port.',
    'VAULT_MAX_CONNECTIONS',
  ),
  mode: key(
    z.enum(['core', 'share']).default('core'),
    'What is served: everything, or only shares, beside a Hearth that serves the same vault.',
    'VAULT_MODE',
  ),
  'share.port': key(
    port.default(8071),
    'Port of the service for recipients of shares; 0 picks a free one.',
    'VAULT_SHARE_PORT',
  ),
  'ticker.firmware_folder': key(
    z.string().default(''),
    'Folder with a release of the firmware for tickers; empty for the one that comes with Hearth.',
    'VAULT_TICKER_FIRMWARE_FOLDER',
  ),
  'ticker.source_file': key(
    z.string().default(''),
    'List of prices that tickers in the home network may fetch from Hearth; empty for none.',
    'VAULT_TICKER_SOURCE_FILE',
  ),
  'ticker.source_port': key(
    port.default(8073),
    'Port on which they are fetched; 0 picks a free one.',
    'VAULT_TICKER_SOURCE_PORT',
  ),
  'ticker.source_host': key(
    z.string().default('0.0.0.0'),
    'Address on which they are fetched.',
    'VAULT_TICKER_SOURCE_HOST',
  ),
  'log.level': key(
    z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
    'Minimum severity of printed log messages.',
    'VAULT_LOG_LEVEL',
  ),
  'upload.max_bytes': key(
    z.coerce
      .number()
      .int()
      .min(1)
      .default(2 * GIB),
    'Maximum size of a file in bytes.',
    'VAULT_UPLOAD_MAX_BYTES',
  ),
  'upload.max_pages': key(
    z.coerce.number().int().min(1).default(2000),
    'Maximum number of pages of a document.',
    'VAULT_UPLOAD_MAX_PAGES',
  ),
  'upload.max_megapixels': key(
    z.coerce.number().min(1).default(200),
    'Maximum size of an image in megapixels.',
    'VAULT_UPLOAD_MAX_MEGAPIXELS',
  ),
  'archive.max_members': key(
    z.coerce.number().int().min(1).default(50_000),
    'Maximum number of entries in an archive. Imaging discs have up to 30,000.',
    'VAULT_ARCHIVE_MAX_MEMBERS',
  ),
  'archive.max_bytes': key(
    z.coerce
      .number()
      .int()
      .min(1)
      .default(20 * GIB),
    'Maximum expanded size of an archive in bytes.',
    'VAULT_ARCHIVE_MAX_BYTES',
  ),
  'archive.max_ratio': key(
    z.coerce.number().min(1).default(200),
    'Maximum ratio of expanded to compressed size.',
    'VAULT_ARCHIVE_MAX_RATIO',
  ),
  ...settingKeys,
  'models.path': key(
    z.string().default(''),
    'Folder with language models (GGUF files) that Hearth runs itself; empty means models/ in the vault.',
    'VAULT_MODELS_PATH',
  ),
  'phone_backups.base_path': key(
    z.string().default(''),
    'Folder of phone backups; empty means the default folder of Finder, Apple Devices or iTunes.',
    'PHONE_BACKUPS_BASE_PATH',
    { key: 'backup_paths.base_path', env: 'BACKUP_PATHS__BASE_PATH' },
  ),
  'phone_backups.temp_path': key(
    z.string().default(''),
    'Folder for temporary copies of files from phone backups; empty means a private temporary folder.',
    'PHONE_BACKUPS_TEMP_PATH',
    { key: 'backup_paths.temp_path', env: 'BACKUP_PATHS__TEMP_PATH' },
  ),
  'phone_backups.port': key(
    port.default(8080),
    'Port of the phone-backup service, which only this computer can reach; 0 picks a free one.',
    'PHONE_BACKUPS_PORT',
    { key: 'backups.port', env: 'BACKUPS_PORT' },
  ),
  'security.api_token': key(
    z.string().max(500).default(''),
    'Token that programs send to the phone-backup service; empty generates one and stores it beside the vault.',
    'SECURITY__API_TOKEN',
  ),
} as const satisfies Record<string, Key>;

export type ConfigKey = keyof typeof KEYS;
export type Config = { readonly [K in ConfigKey]: z.output<(typeof KEYS)[K]['schema']> };
