import { z } from 'zod';
import { patternText, refusal } from './field-errors.ts';
import { LANGUAGES, type LanguageCode } from './language-names.ts';
import { language } from './languages.ts';
import { hasPath, isSecureAddress, isServiceAddress } from './service-address.ts';
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
  /**
   * Runs a program: it can be changed only on the computer where Hearth runs or in its configuration, is sealed at
   * rest, and is in no backup.
   */
  onlyHere?: true;
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

const onlyHere = <const S extends object>(declared: S) => ({ ...declared, onlyHere: true as const });

const isAddress = (text: string, allowed: (url: URL) => boolean): boolean =>
  text === '' || (URL.canParse(text) && allowed(new URL(text)));
const serviceAddress = z
  .string()
  .trim()
  .max(500)
  .refine((text) => isAddress(text, isServiceAddress), refusal('field.not_service_address'));
/** The service for recipients is at the root of its address. */
const publicAddress = serviceAddress.refine((text) => !hasPath(text), refusal('field.not_public_address'));
/** The address of a provider that uses TLS or runs on this computer (OpenID Connect Discovery 1.0, 4). */
const safeAddress = z
  .string()
  .trim()
  .max(500)
  .refine((text) => isAddress(text, isSecureAddress), refusal('field.not_secure_address'));
/** Addresses of IPv4 or IPv6, separated by commas. */
const ipAddresses = z
  .string()
  .max(500)
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join(','),
  )
  .refine(
    (text) => text === '' || text.split(',').every((part) => z.union([z.ipv4(), z.ipv6()]).safeParse(part).success),
    refusal('field.not_ip_addresses'),
  );
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
const longText = freeText(2000).transform((text) => text.trim());
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

/** How the connection to the mail server is encrypted. */
export const MAIL_ENCRYPTIONS = ['starttls', 'tls', 'none'] as const;
/** How recipients of shares reach the service for them: at an address of its own, or through a program. */
export const TUNNEL_KINDS = ['fixed', 'cloudflared', 'ssh', 'command'] as const;
export type TunnelKind = (typeof TUNNEL_KINDS)[number];
/** When the service for recipients runs. */
export const SHARE_LISTEN_CHOICES = ['while_open', 'always', 'never'] as const;

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
/** Also accepted: `tesseract` means `auto`; the services need their address and key in other settings. */
const OCR_ENGINE_ALIASES = ['tesseract', 'tesseract_remote', 'google_vision', 'llm_vision'] as const;

/**
 * All settings by the name that `PATCH /api/settings` takes. Configuration, response, reference and form derive from
 * this table.
 */
export const SETTINGS = {
  extraction_timeout: setting(
    'llm.extraction_timeout',
    seconds(1, 7200),
    300,
    'Seconds that a model may take for one document.',
  ),
  llm_max_concurrent_requests: setting(
    'llm.max_concurrent_requests',
    integer(1, 64),
    2,
    'Maximum number of simultaneous requests to language models.',
  ),
  llm_max_retries: setting(
    'llm.max_retries',
    integer(0, 20),
    3,
    'Retries after the first failed request to a language model.',
  ),
  llm_retry_backoff_seconds: setting(
    'llm.retry_backoff_seconds',
    delays,
    [30, 60, 120],
    'Seconds to wait before each retry; the last value applies to all further retries.',
  ),
  canonical_language: setting('llm.canonical_language', language, 'en', 'Language of summaries and names.'),

  translation_target_language: setting(
    'llm.translation_target_language',
    language,
    'en',
    'Language into which parts of pages are translated.',
  ),
  translation_allowed_languages: setting(
    'llm.translation_allowed_languages',
    z.array(language).min(1).max(20),
    Object.keys(LANGUAGES) as LanguageCode[],
    'Languages that are offered for translations, also to recipients of shares.',
  ),

  ocr_engine: setting(
    'ocr.engine',
    z.enum([...OCR_ENGINE_CHOICES, ...OCR_ENGINE_ALIASES]),
    'auto',
    'OCR engine for scanned pages; auto uses the tesseract program if it is installed.',
  ),
  ocr_language: setting('ocr.language', readingLanguages, 'auto', 'Languages of scanned pages; auto detects them.'),
  ocr_confidence_threshold: setting(
    'ocr.confidence_threshold',
    percentage,
    60,
    'Confidence in percent below which another engine, if one is set up, reads the page again.',
  ),
  cloud_ocr_enabled: setting('ocr.cloud_ocr_enabled', z.boolean(), false, 'Allows OCR outside this computer.'),
  ocr_remote_url: setting('ocr.remote_url', serviceAddress, '', 'Address of your own OCR service.'),
  ocr_remote_api_key: secret('ocr.remote_api_key', 'Key for that service.'),
  llm_vision_provider: setting(
    'ocr.llm_vision_provider',
    shortText,
    '',
    'Vision model that recognizes text with the engine llm_vision: an id or a type of the vision models; without it, ' +
      'the first one.',
  ),
  llm_vision_model: setting('ocr.llm_vision_model', shortText, '', 'Name of that model; without it, the name there.'),
  llm_vision_ollama_url: setting(
    'ocr.llm_vision_ollama_url',
    serviceAddress,
    '',
    'Address of Ollama with that model; without it, the address of the vision model.',
  ),
  google_vision_key: secret('ocr.google_vision_key', 'Key for Google Vision.'),

  vision_extraction_timeout: setting(
    'vision.extraction_timeout',
    seconds(1, 7200),
    600,
    'Seconds that a vision model may take per document.',
  ),
  vision_max_concurrent_requests: setting(
    'vision.max_concurrent_requests',
    integer(1, 64),
    1,
    'Maximum number of simultaneous requests to vision models.',
  ),
  vision_max_retries: setting(
    'vision.max_retries',
    integer(0, 20),
    3,
    'Retries after the first failed request to a vision model.',
  ),
  vision_retry_backoff_seconds: setting(
    'vision.retry_backoff_seconds',
    delays,
    [30, 60, 120],
    'Seconds to wait before each of these retries.',
  ),

  nothing_leaves: setting(
    'privacy.nothing_leaves',
    z.boolean(),
    false,
    'Uses only engines and models on this computer: what is in documents goes nowhere else.',
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
  pipeline_default_flow: setting(
    'pipeline.default_flow',
    z.enum(['ocr_llm', 'vision_llm']),
    'ocr_llm',
    'How new documents are read: with OCR first, or by a vision model, as long as one can be used.',
  ),

  session_ttl_hours: setting(
    'auth.session_ttl_hours',
    z.number().min(1).max(8760),
    720,
    'Lifetime of a session, in hours.',
  ),
  lock_after_minutes: setting(
    'lock.after_minutes',
    integer(0, 1440),
    0,
    'Minutes without a person at a window after which an encrypted vault is locked; 0 for never.',
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

  smtp_host: setting('smtp.host', shortText, '', 'Mail server that sends codes of shares; empty sends none.'),
  smtp_port: setting('smtp.port', integer(1, 65_535), 587, 'Port of the mail server.'),
  smtp_encryption: setting(
    'smtp.encryption',
    z.enum(MAIL_ENCRYPTIONS),
    'starttls',
    'Encryption of the connection to the mail server; none is for a server on this computer only.',
  ),
  smtp_user: setting('smtp.user', shortText, '', 'User name at the mail server; empty if it needs no sign-in.'),
  smtp_password: secret('smtp.password', 'Password at the mail server.'),
  smtp_from_name: setting('smtp.from_name', shortText, '', 'Name of the sender in e-mails.'),
  smtp_from_address: setting('smtp.from_address', shortText, '', 'E-mail address of the sender.'),

  share_public_base_url: setting(
    'share.public_base_url',
    publicAddress,
    '',
    'Address under which recipients of shares reach the service for them; empty means this computer only.',
    'VAULT_SHARE_PUBLIC_URL',
  ),
  share_listen: setting(
    'share.listen',
    z.enum(SHARE_LISTEN_CHOICES),
    'while_open',
    'When the service for recipients of shares runs: while a share is open, always or never.',
  ),
  share_trusted_proxy: setting(
    'share.trusted_proxy',
    ipAddresses,
    '',
    'Addresses of the proxy in front of that service, whose X-Forwarded-For is believed; of others it never is.',
  ),
  share_tunnel: setting(
    'share.tunnel',
    z.enum(TUNNEL_KINDS),
    'fixed',
    'How recipients reach that service: at the fixed address above, or through a tunnel that is open as long as the ' +
      'service runs. Share mode always has the fixed address.',
  ),
  share_ssh_host: setting('share.ssh_host', shortText, '', 'Server of a tunnel with ssh.'),
  share_ssh_port: setting('share.ssh_port', integer(1, 65_535), 22, 'Port of SSH on that server.'),
  share_ssh_user: setting('share.ssh_user', shortText, '', 'User name on that server.'),
  share_ssh_key_file: setting(
    'share.ssh_key_file',
    longText,
    '',
    'Absolute path of a private key without a passphrase; empty means the keys of this user.',
  ),
  share_ssh_known_hosts: setting(
    'share.ssh_known_hosts',
    longText,
    '',
    'Absolute path of the file with the key of that server; empty means the file of this user.',
  ),
  share_ssh_remote_port: setting(
    'share.ssh_remote_port',
    integer(0, 65_535),
    8071,
    'Port that the server opens for recipients; 0 lets it choose one.',
  ),
  share_ssh_remote_address: setting(
    'share.ssh_remote_address',
    shortText,
    '',
    'Address on which the server opens that port; empty leaves it to the server, which mostly takes its loopback.',
  ),
  share_tunnel_command: onlyHere(
    setting(
      'share.tunnel_command',
      longText,
      '',
      'Program that opens a tunnel, and its arguments, one in a line or separated by blanks; {port} is replaced by the ' +
        'port of the service.',
    ),
  ),
  share_tunnel_pattern: setting(
    'share.tunnel_pattern',
    freeText(300),
    'https?://[^ "]+',
    'Regular expression that finds the public address in a line of its output: the first group, or all that matches.',
  ),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
export const isSecret = (name: SettingName): boolean => 'secret' in SETTINGS[name];
export const isOnlyHere = (name: SettingName): boolean => 'onlyHere' in SETTINGS[name];
