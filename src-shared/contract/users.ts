import { z } from 'zod';
import { newPassword, username } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { freeText, grantRole, id, idParams, idText, nameText, role, timestamp } from './wire.ts';

const user = z.object({
  id,
  username: z.string(),
  display_name: z.string(),
  role,
  created_at: timestamp,
  /** Ways to sign in: a Hearth password, the OpenID Connect provider, or both. */
  has_password: z.boolean(),
  has_oidc: z.boolean(),
  last_active_at: timestamp.nullable(),
});
export type User = z.output<typeof user>;

const grant = z.object({ id, slug: z.string(), display_name: z.string(), role: grantRole });
const accessParams = z.object({ id: idText, patient_id: idText });

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/users',
    access: 'admin',
    reply: z.array(user),
    summary: 'Lists all accounts, by name.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/settings/users',
    access: 'admin',
    audit: 'user.create',
    status: 201,
    body: z.strictObject({
      username,
      password: newPassword,
      display_name: freeText(200).nullish(),
      role: role.default('editor'),
    }),
    reply: user,
    errors: ['user.name_taken', 'password.weak'],
    summary: 'Creates an account. It has no access to patients until it is granted.',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/settings/users/{id}',
    access: 'admin-or-self',
    audit: 'user.update',
    params: idParams,
    body: z.strictObject({
      display_name: nameText.optional(),
      password: newPassword.optional(),
      role: role.optional(),
      current_password: z.string().max(1000).optional(),
    }),
    reply: user,
    errors: ['user.not_found', 'user.last_admin', 'password.weak', 'password.incorrect', 'auth.rate_limited'],
    summary:
      'Changes display name, password or role. Users other than administrators can change only their own account, ' +
      'never the role. A new password of one’s own needs `current_password`, also from administrators, and ends all ' +
      'other sessions. One of somebody else ends all their sessions and removes their passkeys.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/users/{id}',
    access: 'admin',
    audit: 'user.delete',
    params: idParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: ['user.not_found', 'user.cannot_delete_self', 'user.last_admin'],
    summary: 'Deletes an account with its sessions and grants. Documents that it added are kept.',
  }),
  matrix: endpoint({
    method: 'GET',
    path: '/api/settings/access',
    access: 'admin',
    reply: z.object({
      users: z.array(user),
      patients: z.array(z.object({ id, slug: z.string(), display_name: z.string() })),
      grants: z.array(z.object({ user_id: id, patient_id: id, role: grantRole })),
    }),
    summary: 'Lists all accounts, all patients and the grants between them.',
  }),
  access: endpoint({
    method: 'GET',
    path: '/api/settings/users/{id}/access',
    access: 'admin',
    params: idParams,
    reply: z.array(grant),
    errors: ['user.not_found'],
    summary: 'Lists the patients that a user may see.',
  }),
  grant: endpoint({
    method: 'POST',
    path: '/api/settings/users/{id}/access',
    access: 'admin',
    audit: 'access.grant',
    params: idParams,
    body: z.strictObject({ patient_id: id, role: grantRole.default('viewer') }),
    reply: z.array(grant),
    errors: ['user.not_found', 'patient.not_found'],
    summary:
      'Grants a user access to a patient, or changes it; the default role is `viewer`. Returns all grants of the user.',
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/settings/users/{id}/access/{patient_id}',
    access: 'admin',
    audit: 'access.revoke',
    params: accessParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: ['user.not_found', 'access.not_found'],
    summary: 'Revokes a user’s access to a patient.',
  }),
} as const;
