import type { AccountRole } from '../../platform/kernel/caller.ts';

export interface ClaimRules {
  usernameClaim: string;
  displayNameClaim: string;
  roleClaim: string;
  adminGroup: string;
  editorGroup: string;
}
export interface UserClaims {
  username: string | null;
  displayName: string | undefined;
  role: AccountRole | undefined;
}

const MAX_USERNAME_LENGTH = 64;
const MAX_NAME_BYTES = 200;

/** A claim by its name, which may be a URL, or by a path: `realm_access.roles`. */
function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? (value as Record<string, unknown>)[part]
          : undefined,
      claims,
    );
}

const textAt = (claims: Record<string, unknown>, name: string): string => {
  const value = claimAt(claims, name);
  return typeof value === 'string'
    ? value
        .normalize('NFKC')
        .replace(/[\u0000-\u0020\u007f]+/g, ' ')
        .trim()
    : '';
};

/** `Zoë Müller+x` → `Zoë-Müller-x`: replaces characters that usernames can't contain. */
const asUsername = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}._@-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_USERNAME_LENGTH);

function roleOf(
  claims: Record<string, unknown>,
  { roleClaim, adminGroup, editorGroup }: ClaimRules,
): AccountRole | undefined {
  const value = roleClaim === '' ? undefined : claimAt(claims, roleClaim);
  // A missing claim leaves the role unchanged; an empty one removes all rights.
  if (typeof value !== 'string' && !Array.isArray(value)) return undefined;
  const groups: unknown[] = Array.isArray(value) ? value : value.split(/[\s,]+/);
  if (adminGroup !== '' && groups.includes(adminGroup)) return 'admin';
  return editorGroup !== '' && groups.includes(editorGroup) ? 'editor' : 'viewer';
}

/** Maps claims to a user. `username` is null if none was usable. */
export function readClaims(claims: Record<string, unknown>, rules: ClaimRules): UserClaims {
  return {
    username: asUsername(textAt(claims, rules.usernameClaim)) || null,
    displayName: textAt(claims, rules.displayNameClaim).slice(0, MAX_NAME_BYTES) || undefined,
    role: roleOf(claims, rules),
  };
}
