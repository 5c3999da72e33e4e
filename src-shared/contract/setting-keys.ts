import { z } from 'zod';
import { patternText, refusal } from './field-errors.ts';
import { isSecureAddress, isServiceAddress } from './service-address.ts';
import { freeText } from './wire.ts';

/** A setting that an administrator can change while Hearth runs. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  /** Name in the configuration, `group.name`; responses use the same group. */
  key: `${string}.${string}`;
  schema: S;
  fallback: z.output<S>;
  doc: string;
  /** Environment variable; the default is `VAULT_` and the name in capitals. */
  env?: string;
  /** Encrypted at rest and never returned, only whether one is set. */
  secret?: true;
  /** Required by the specification but not in use yet: accepted, and neither shown nor documented. */
  reserved?: true;
}

const setting = <const K extends Setting['key'], S extends z.ZodType>(
  key: K,
  schema: S,
  fallback: NoInfer<z.output<S>>,
  doc: string,
  env?: string,
) => ({ key, schema, fallback, doc, ...(env !== undefined && { env }) });
const secret = <const K extends Setting['key']>(key: K, doc: string) => ({
  key,
  schema: freeText(4000),
  fallback: '',
  doc,
  secret: true as const,
});

const reserved = <const S extends object>(declared: S) => ({ ...declared, reserved: true as const });

const isAddress = (text: string, allowed: (url: URL) => boolean): boolean =>
  text === '' || (URL.canParse(text) && allowed(new URL(text)));
const serviceAddress = z
  .string()
  .trim()
  .max(500)
  .refine((text) => isAddress(text, isServiceAddress), refusal('field.not_service_address'));
/** The address of a provider that uses TLS or runs on this computer (OpenID Connect Discovery 1.0, 4). */
const safeAddress = z
  .string()
  .trim()
  .max(500)
  .refine((text) => isAddress(text, isSecureAddress), refusal('field.not_secure_address'));
const seconds = (min: number, max: number) => z.number().min(min).max(max);
const integer = (min: number, max: number) => z.int().min(min).max(max);
const delays = z.union([z.array(seconds(0, 86_400)).min(1).max(10), seconds(0, 86_400).transform((delay) => [delay])]);
/** Percent. A value up to 1 is a share: 0.7 means 70 %. */
const percentage = z
  .number()
  .min(0)
  .max(100)
  .transform((value) => (value <= 1 ? Math.round(value * 10_000) / 100 : value))
  .pipe(z.number().min(0).max(100));
const shortText = freeText(200).transform((text) => text.trim());
const claim = freeText(200)
  .transform((text) => text.trim())
  .refine((text) => /^[\w.:/-]*$/.test(text), refusal('field.not_claim_name'));
/** RFC 6749, 3.3: printable ASCII without quotes and backslashes, separated by spaces. */
const scopes = z
  .string()
  .trim()
  .max(500)
  .refine((text) => /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text), refusal('field.not_scopes'))
  .refine((text) => text.split(' ').includes('openid'), refusal('field.openid_scope_missing'));

export const LANGUAGES = {
  en: 'English',
  it: 'Italian',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  ru: 'Russian',
} as const;
export type LanguageCode = keyof typeof LANGUAGES;
const codes = Object.keys(LANGUAGES) as LanguageCode[];
/** A code, or the English name of the language. */
const language = z
  .string()
  .transform(
    (text) =>
      codes.find((code) => code === text.toLowerCase() || LANGUAGES[code].toLowerCase() === text.toLowerCase()) ?? text,
  )
  .pipe(z.enum(codes));
/** `auto`, or codes of two or three letters joined by `+` or commas: `de+en`, `deu,eng`. */
const readingLanguages = patternText(
  /^(auto|[a-z]{2,3}([+,] ?[a-z]{2,3})*)$/,
  'field.not_language_codes',
  z.string().trim().max(100),
);

/** Available OCR engines, in the order of the settings page; the provider registry implements each. */
export const OCR_ENGINES = ['builtin', 'tesseract_cli'] as const;
export type OcrEngine = (typeof OCR_ENGINES)[number];
/** Choices on the settings page. */
export const OCR_ENGINE_CHOICES = ['auto', ...OCR_ENGINES] as const;
/**
 * Names of the specification that are accepted but not offered: `tesseract` means `auto`, the others read with
 * `builtin`.
 */
const OCR_ENGINE_ALIASES = ['tesseract', 'tesseract_remote', 'llm_vision', 'google_vision'] as const;

/**
 * All settings by the name that `PATCH /api/settings` takes. Configuration, response, reference and form derive from
 * this table.
 */
export const SETTINGS = {
  extraction_timeout: reserved(
    setting('llm.extraction_timeout', seconds(1, 7200), 300, 'Seconds that a model may take for one document.'),
  ),
  llm_max_concurrent_requests: reserved(
    setting(
      'llm.max_concurrent_requests',
      integer(1, 64),
      2,
      'Maximum number of simultaneous requests to language models.',
    ),
  ),
  llm_max_retries: reserved(
    setting('llm.max_retries', integer(0, 20), 3, 'Retries after the first failed request to a language model.'),
  ),
  llm_retry_backoff_seconds: reserved(
    setting(
      'llm.retry_backoff_seconds',
      delays,
      [30, 60, 120],
      'Seconds to wait before each retry; the last value applies to all further retries.',
    ),
  ),
  canonical_language: setting('llm.canonical_language', language, 'en', 'Language of summaries and names.'),

  ocr_engine: setting(
    'ocr.engine',
    z.enum([...OCR_ENGINE_CHOICES, ...OCR_ENGINE_ALIASES]),
    'auto',
    'OCR engine for scanned pages; auto uses the tesseract program if it is installed.',
  ),
  ocr_language: setting('ocr.language', readingLanguages, 'auto', 'Languages of scanned pages; auto detects them.'),
  ocr_confidence_threshold: reserved(
    setting(
      'ocr.confidence_threshold',
      percentage,
      60,
      'Confidence in percent below which another engine, if one is set up, reads the page again.',
    ),
  ),
  cloud_ocr_enabled: reserved(
    setting('ocr.cloud_ocr_enabled', z.boolean(), false, 'Allows OCR outside this computer.'),
  ),
  ocr_remote_url: reserved(setting('ocr.remote_url', serviceAddress, '', 'Address of your own OCR service.')),
  ocr_remote_api_key: reserved(secret('ocr.remote_api_key', 'Key for that service.')),
  llm_vision_provider: reserved(
    setting('ocr.llm_vision_provider', shortText, '', 'Provider of the vision model for reading pages.'),
  ),
  llm_vision_model: reserved(setting('ocr.llm_vision_model', shortText, '', 'Name of that model.')),
  llm_vision_ollama_url: reserved(
    setting('ocr.llm_vision_ollama_url', serviceAddress, '', 'Address of Ollama for that model.'),
  ),
  google_vision_key: reserved(secret('ocr.google_vision_key', 'Key for Google Vision.')),

  vision_extraction_timeout: reserved(
    setting('vision.extraction_timeout', seconds(1, 7200), 600, 'Seconds that a vision model may take per document.'),
  ),
  vision_max_concurrent_requests: reserved(
    setting(
      'vision.max_concurrent_requests',
      integer(1, 64),
      1,
      'Maximum number of simultaneous requests to vision models.',
    ),
  ),
  vision_max_retries: reserved(
    setting('vision.max_retries', integer(0, 20), 3, 'Retries after the first failed request to a vision model.'),
  ),
  vision_retry_backoff_seconds: reserved(
    setting('vision.retry_backoff_seconds', delays, [30, 60, 120], 'Seconds to wait before each of these retries.'),
  ),

  pipeline_watch_enabled: setting(
    'pipeline.watch_enabled',
    z.boolean(),
    true,
    'Whether files put into inbox/ are imported.',
    'VAULT_PIPELINE_WATCH',
  ),
  pipeline_poll_interval: setting(
    'pipeline.poll_interval',
    seconds(0.2, 3600),
    5,
    'Seconds between two scans of inbox/.',
  ),
  pipeline_retry_interval: setting(
    'pipeline.retry_interval',
    seconds(1, 86_400),
    300,
    'Seconds before a failed provider is retried.',
  ),
  pipeline_max_retries: setting('pipeline.max_retries', integer(0, 20), 3, 'Retries after the first failure.'),
  pipeline_default_flow: reserved(
    setting(
      'pipeline.default_flow',
      z.enum(['ocr_llm', 'vision_llm']),
      'ocr_llm',
      'How new documents are read: with OCR first, or directly with a vision model.',
    ),
  ),

  session_ttl_hours: setting(
    'auth.session_ttl_hours',
    z.number().min(1).max(8760),
    720,
    'Lifetime of a session, in hours.',
  ),

  oidc_enabled: setting(
    'oidc.enabled',
    z.boolean(),
    false,
    'Whether users can sign in with an OpenID Connect provider.',
  ),
  oidc_provider_url: setting('oidc.provider_url', safeAddress, '', 'Issuer URL of the provider.'),
  oidc_client_id: setting('oidc.client_id', shortText, '', 'Client ID of Hearth at the provider.'),
  oidc_client_secret: secret(
    'oidc.client_secret',
    'Client secret of Hearth at the provider; empty for a public client.',
  ),
  oidc_scopes: setting('oidc.scopes', scopes, 'openid profile email', 'Scopes to request.'),
  oidc_auto_create_user: setting(
    'oidc.auto_create_user',
    z.boolean(),
    true,
    'Whether everyone who signs in with the provider gets an account; it has no access to patients until access ' +
      'is granted.',
  ),
  oidc_username_claim: setting(
    'oidc.username_claim',
    claim,
    'preferred_username',
    'Claim with the username of a new account.',
  ),
  oidc_display_name_claim: setting(
    'oidc.display_name_claim',
    claim,
    'name',
    'Claim with the display name, updated at every sign-in.',
  ),
  oidc_role_claim: setting(
    'oidc.role_claim',
    claim,
    '',
    'Claim with the groups of a user; if set, roles are updated from it at every sign-in.',
  ),
  oidc_admin_group: setting('oidc.admin_group', shortText, 'hearth-admin', 'Group whose members are administrators.'),
  oidc_editor_group: setting(
    'oidc.editor_group',
    shortText,
    'hearth-editor',
    'Group whose members are editors; everyone else is a viewer.',
  ),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
/** Settings that are in use: only these are shown and documented. */
export type ShownSetting = {
  [N in SettingName]: (typeof SETTINGS)[N] extends { reserved: true } ? never : N;
}[SettingName];
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
export const isSecret = (name: SettingName): boolean => 'secret' in SETTINGS[name];
export const isReserved = (name: SettingName): boolean => 'reserved' in SETTINGS[name];
