import { expect, test } from 'vitest';
import type { AccessRules } from './access.ts';
import type { UserCaller } from '../kernel/caller.ts';
import type { VaultRepository } from '../vault/repository.ts';
import { belongingOfDocument, createRights } from './rights.ts';

const USER = { kind: 'user', userId: 5 } as UserCaller;

/** Rights of a user who may read records of patient 1 and write those of patient 2 or user 5. */
function rightsWithCalls() {
  const asked: string[] = [];
  const slugs: string[] = [];
  const access = {
    may(
      user: UserCaller,
      need: string,
      { patientId, uploaderId }: { patientId: number | null; uploaderId: number | null },
    ) {
      asked.push(`${user.userId} ${need} ${patientId} ${uploaderId}`);
      if (patientId !== null) return patientId === 2 || (patientId === 1 && need === 'read');
      return uploaderId === user.userId;
    },
  } as unknown as AccessRules;
  const repository = {
    patientBySlug(slug: string) {
      slugs.push(slug);
      return { elena: 1, jonas: 2 }[slug];
    },
  } as unknown as VaultRepository;
  return { rights: createRights({ access, repository }, USER), asked, slugs };
}

test('a document belongs to its patient and its uploader', () => {
  expect(belongingOfDocument({ patient_id: 3, uploaded_by_user_id: 4 })).toEqual({ patientId: 3, uploaderId: 4 });
});

test('a folder belongs to the patient or the user of its name', () => {
  const { rights } = rightsWithCalls();
  expect(
    [
      'patients/elena/2025',
      'inbox/jonas/a.pdf',
      'patients/gone/a.pdf',
      'unclassified/user-5/a.pdf',
      'inbox',
      'trash/1',
    ].map(rights.belongingOfPlace),
  ).toEqual([
    { patientId: 1, uploaderId: null },
    { patientId: 2, uploaderId: null },
    { patientId: null, uploaderId: null },
    { patientId: null, uploaderId: 5 },
    { patientId: null, uploaderId: null },
    { patientId: null, uploaderId: null },
  ]);
});

test('a folder may be read or written by the rules of access', () => {
  const { rights } = rightsWithCalls();
  const both = (path: string): boolean[] => [rights.mayPlace('read', path), rights.mayPlace('write', path)];
  expect(both('patients/elena/2025')).toEqual([true, false]);
  expect(both('patients/jonas/2025')).toEqual([true, true]);
  expect(both('inbox/user-5/a.pdf')).toEqual([true, true]);
  expect(both('inbox/user-6/a.pdf')).toEqual([false, false]);
});

test('each right and each patient is looked up once', () => {
  const { rights, asked, slugs } = rightsWithCalls();
  for (const path of ['patients/elena/a', 'patients/elena/b', 'patients/gone/a', 'patients/gone/b'])
    for (let i = 0; i < 2; i += 1) rights.mayPlace('read', path);
  expect(slugs).toEqual(['elena', 'gone']);
  expect(asked).toEqual(['5 read 1 null', '5 read null null']);
});

test('with a patient, the uploader does not matter; without one, only the uploader does', () => {
  const { rights, asked } = rightsWithCalls();
  rights.may('read', { patientId: 1, uploaderId: 7 });
  rights.may('read', { patientId: 1, uploaderId: 8 });
  expect(rights.may('read', { patientId: null, uploaderId: 5 })).toBe(true);
  expect(rights.may('read', { patientId: null, uploaderId: 6 })).toBe(false);
  expect(asked).toEqual(['5 read 1 7', '5 read null 5', '5 read null 6']);
});

test('writing fails as forbidden without read access, and as read-only with it', () => {
  const { rights } = rightsWithCalls();
  const require = (patientId: number) => () => rights.requireWrite({ patientId, uploaderId: null });
  expect(require(2)).not.toThrow();
  expect(require(1)).toThrow(expect.objectContaining({ code: 'auth.read_only' }));
  expect(require(3)).toThrow(expect.objectContaining({ code: 'auth.forbidden' }));
});
