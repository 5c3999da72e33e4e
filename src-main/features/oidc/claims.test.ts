import { describe, expect, it } from 'vitest';
import { readClaims, type ClaimRules } from './claims.ts';

const RULES: ClaimRules = {
  usernameClaim: 'preferred_username',
  displayNameClaim: 'name',
  roleClaim: 'groups',
  adminGroup: 'hearth-admin',
  editorGroup: 'hearth-editor',
};
const read = (claims: Record<string, unknown>, rules: Partial<ClaimRules> = {}) =>
  readClaims(claims, { ...RULES, ...rules });

describe('claims', () => {
  it.each([
    ['ada', 'ada'],
    ['ada@example.org', 'ada@example.org'],
    ['  Zoë Müller+x ', 'Zoë-Müller-x'],
    ['<script>', 'script'],
    ['../../etc', '..-..-etc'],
    ['', null],
    ['   ', null],
    ['+++', null],
    [7, null],
    [null, null],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('the user name %j becomes %j', (claim, expected) => {
    expect(read({ preferred_username: claim }).username).toBe(expected);
  });

  it('removes invisible characters from display names', () => {
    expect(read({ name: ' Ada\u0000 Lovelace\n' }).displayName).toBe('Ada Lovelace');
    expect(read({ name: 5 }).displayName).toBeUndefined();
  });

  it.each([
    [['hearth-admin', 'hearth-editor'], 'admin'],
    [['hearth-editor'], 'editor'],
    [['family'], 'viewer'],
    [[], 'viewer'],
    ['hearth-editor family', 'editor'],
    [undefined, undefined],
    [{ 'hearth-admin': true }, undefined],
  ])('the groups %j make the role %j', (groups, role) => {
    expect(read({ groups }).role).toBe(role);
  });

  it('keeps the role without a claim, and grants no role for an empty group', () => {
    expect(read({ groups: ['hearth-admin'] }, { roleClaim: '' }).role).toBeUndefined();
    expect(read({ groups: [''] }, { adminGroup: '', editorGroup: '' }).role).toBe('viewer');
  });

  it('finds claims by path and by address, but no inherited properties', () => {
    expect(read({ realm_access: { roles: ['hearth-admin'] } }, { roleClaim: 'realm_access.roles' }).role).toBe('admin');
    expect(
      read({ 'https://id.example/groups': ['hearth-editor'] }, { roleClaim: 'https://id.example/groups' }).role,
    ).toBe('editor');
    expect(read({}, { usernameClaim: 'constructor.name' }).username).toBeNull();
  });
});
