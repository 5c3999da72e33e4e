import { expect, it } from 'vitest';
import { usernameOf, withDisplayName, type SetupDraft } from './draft.ts';

const EMPTY: SetupDraft = { displayName: '', username: '', password: '', patientName: '', birth: '', sex: '' };

it('derives the user name from the first name', () =>
  expect(['Elena Keller', ' Zoë  Müller', "D'Arcy", 'Jean-Luc', ''].map(usernameOf)).toEqual([
    'elena',
    'zoe',
    'darcy',
    'jean-luc',
    '',
  ]));

it('keeps a user name that was typed', () => {
  const typed = { ...EMPTY, ...withDisplayName(EMPTY, 'Elena') };
  expect(typed.username).toBe('elena');
  expect(withDisplayName(typed, 'Elena Keller')).toEqual({ displayName: 'Elena Keller', username: 'elena' });
  expect(withDisplayName({ ...typed, username: 'el' }, 'Marco')).toEqual({ displayName: 'Marco' });
});
