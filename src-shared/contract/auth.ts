import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { civilDate, freeText, grantRole, id, nameText } from './wire.ts';

export const sex = z.enum(['M', 'F', 'O']);
/** Usual spellings of a sex. Nobody's sex is guessed: words for an unknown one mean null. */
const SEX_SPELLINGS: Readonly<Record<string, z.output<typeof sex> | null>> = {
  ...Object.fromEntries(
    ['m', 'male', 'man', 'boy', 'mann', 'männlich', 'maschio', 'uomo', 'masculin', 'homme', 'masculino', 'hombre'].map(
      (spelling) => [spelling, 'M' as const],
    ),
  ),
  ...Object.fromEntries(
    ['f', 'female', 'woman', 'girl', 'w', 'frau', 'weiblich', 'femmina', 'donna', 'féminin', 'femme', 'femenino'].map(
      (spelling) => [spelling, 'F' as const],
    ),
  ),
  ...Object.fromEntries(
    ['o', 'other', 'd', 'diverse', 'divers', 'x', 'altro', 'autre', 'otro', 'nonbinary', 'non-binary'].map(
      (spelling) => [spelling, 'O' as const],
    ),
  ),
  '': null,
  u: null,
  unknown: null,
};
/** A sex in a request, in any usual spelling; another text is refused. */
export const sexText = z
  .string()
  .max(20)
  .transform((text) => {
    const spelling = text.trim().toLowerCase();
    return Object.hasOwn(SEX_SPELLINGS, spelling) ? (SEX_SPELLINGS[spelling] ?? null) : text;
  })
  .pipe(sex.nullable());
export const username = freeText(64)
  .transform((text) => text.trim())
  .refine((text) => /^[\p{L}\p{N}._@-]+$/u.test(text), 'may contain letters, digits, dots, dashes, underscores and @');
/** The service checks whether the password is easy to guess (NIST SP 800-63B, ASVS 6.2). */
export const newPassword = z.string().min(12, 'must have at least 12 characters').max(256);

/** The user who just signed in. */
export const me = z.object({ id, username: z.string(), display_name: z.string() });

export const auth = {
  health: endpoint({
    method: 'GET',
    path: '/health',
    access: 'public',
    inShareMode: true,
    reply: z.object({ status: z.string(), mode: z.enum(['core', 'share']) }),
    summary: 'Reports that the service is running, and its mode.',
  }),
  setupStatus: endpoint({
    method: 'GET',
    path: '/api/setup/status',
    access: 'public',
    reply: z.object({ needs_setup: z.boolean(), vault_path: z.string().optional(), free_bytes: z.int().optional() }),
    summary:
      'Reports whether the first user still has to be created; if so, with the path of the vault and its free space.',
  }),
  setupComplete: endpoint({
    method: 'POST',
    path: '/api/setup/complete',
    access: 'public',
    csrfExempt: true,
    audit: 'setup.complete',
    body: z.strictObject({
      username,
      password: newPassword,
      display_name: freeText(200).nullish(),
      patient_name: nameText,
      patient_date_of_birth: civilDate.nullish(),
      patient_sex: sexText.nullish(),
    }),
    reply: me.extend({
      ok: z.literal(true),
      patient: z.object({ id, slug: z.string(), display_name: z.string() }),
      /** The same as `id` and `patient.id`. */
      user_id: id,
      patient_id: id,
    }),
    errors: ['setup.already_completed', 'password.weak'],
    summary: 'Creates the first administrator and the first patient, and signs in.',
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    csrfExempt: true,
    audit: 'login',
    body: z.strictObject({ username: z.string().max(200), password: z.string().max(1000) }),
    reply: me,
    errors: ['auth.invalid_credentials', 'auth.rate_limited'],
    summary: 'Signs in and sets the session cookie.',
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    access: 'session',
    audit: 'logout',
    reply: z.object({ ok: z.literal(true) }),
    summary: 'Revokes the session on the server and clears the cookie.',
  }),
  me: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    access: 'session',
    reply: me.extend({
      role: z.enum(['admin', 'editor', 'viewer']),
      has_password: z.boolean(),
      has_oidc: z.boolean(),
      patients: z.array(
        z.object({
          id,
          slug: z.string(),
          display_name: z.string(),
          date_of_birth: civilDate.nullable(),
          role: grantRole,
        }),
      ),
    }),
    summary: 'Returns the signed-in user and the patients that they may see.',
  }),
} as const;
