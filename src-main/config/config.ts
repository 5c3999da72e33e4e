import { z } from 'zod';

/** One declaration per key: schema with default, environment variable, sentence of documentation. Nothing else reads the environment. */
export interface Key<S extends z.ZodType = z.ZodType> {
  schema: S;
  env?: string;
  doc: string;
}

const key = <S extends z.ZodType>(schema: S, doc: string, env?: string): Key<S> => ({ schema, doc, ...(env && { env }) });

const GIB = 2 ** 30;
const port = z.coerce.number().int().min(0).max(65_535);
const onOff = z.union([z.boolean(), z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')]);

export const KEYS = {
  'vault.path': key(z.string().min(1), 'Folder of the vault; created when absent.', 'VAULT_DIR'),
  'http.host': key(z.string().default('127.0.0.1'), 'Address to listen on.', 'VAULT_HOST'),
  'http.port': key(port.default(8070), 'Port of API and user interface; 0 picks a free one.', 'VAULT_PORT'),
  'http.public_host': key(z.string().default(''), 'Further host name under which the service may be addressed.', 'VAULT_PUBLIC_HOST'),
  'mode': key(z.enum(['core', 'share']).default('core'), 'What is served: everything, or only shares.', 'VAULT_MODE'),
  'log.level': key(z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'), 'Least severe level that is printed.', 'VAULT_LOG_LEVEL'),
  'auth.session_ttl_hours': key(z.coerce.number().min(1).max(8760).default(720), 'How long a sign-in lasts.', 'VAULT_SESSION_TTL_HOURS'),
  'upload.max_bytes': key(z.coerce.number().int().min(1).default(2 * GIB), 'Largest file that is accepted.', 'VAULT_UPLOAD_MAX_BYTES'),
  'upload.max_pages': key(z.coerce.number().int().min(1).default(2000), 'Most pages that a document may have.', 'VAULT_UPLOAD_MAX_PAGES'),
  'upload.max_megapixels': key(z.coerce.number().min(1).default(200), 'Largest image that is accepted.', 'VAULT_UPLOAD_MAX_MEGAPIXELS'),
  'archive.max_members': key(z.coerce.number().int().min(1).default(20_000), 'Most entries of an archive.', 'VAULT_ARCHIVE_MAX_MEMBERS'),
  'archive.max_bytes': key(z.coerce.number().int().min(1).default(20 * GIB), 'Largest expanded size of an archive.', 'VAULT_ARCHIVE_MAX_BYTES'),
  'archive.max_ratio': key(z.coerce.number().min(1).default(200), 'Largest expansion of an archive.', 'VAULT_ARCHIVE_MAX_RATIO'),
  'pipeline.watch_enabled': key(onOff.default(true), 'Takes in files that are put into inbox/.', 'VAULT_PIPELINE_WATCH'),
  'pipeline.poll_interval': key(z.coerce.number().min(0.2).max(3600).default(5), 'Seconds between two looks at inbox/.', 'VAULT_PIPELINE_POLL_INTERVAL'),
  'pipeline.retry_interval': key(z.coerce.number().min(1).max(86_400).default(300), 'Seconds before a failed provider is tried again.', 'VAULT_PIPELINE_RETRY_INTERVAL'),
  'pipeline.max_retries': key(z.coerce.number().int().min(0).max(20).default(3), 'Tries after the first failure.', 'VAULT_PIPELINE_MAX_RETRIES'),
  'ocr.engine': key(z.enum(['auto', 'builtin', 'tesseract_cli']).default('auto'), 'Which engine reads scanned pages; auto takes the tesseract program where it is installed.', 'VAULT_OCR_ENGINE'),
  'backups.base_path': key(z.string().default(''), 'Folder of phone backups; empty means the one of the operating system.', 'BACKUP_PATHS__BASE_PATH'),
} as const satisfies Record<string, Key>;

export type ConfigKey = keyof typeof KEYS;
export type Config = { readonly [K in ConfigKey]: z.output<(typeof KEYS)[K]['schema']> };
