/** What `npm run mutate` changes, area by area, and the tests that have to notice. The core runs in the process of the tests. */
export const MUTATION_AREAS = {
  formats: {
    mutate: ['src-shared/ios-backup/format/**/*.ts'],
    tests: [
      'src-shared/ios-backup/**/*.test.ts',
      'test/phone-backups/{engine,formats,odd-backups,stored-tables,vectors}.test.ts',
    ],
  },
  vault: {
    mutate: ['src-main/platform/vault/**/*.ts'],
    // No API tests: each starts the core, which reaches nearly every file of the vault, so that each surviving mutant
    // would run all of them, for hours. Mutants that only they would notice lack a test beside the code.
    tests: ['src-main/platform/vault/**/*.test.ts', 'src-main/features/vault-files/folder-move.test.ts'],
  },
  labs: {
    mutate: ['src-main/features/labs/**/*.ts'],
    tests: ['src-main/features/labs/**/*.test.ts', 'test/api/{labs,lab-*}.test.ts'],
  },
  names: {
    mutate: ['src-main/features/names/**/*.ts'],
    tests: ['src-main/features/names/**/*.test.ts', 'test/api/{names,names-*,name-merges}.test.ts'],
  },
} satisfies Record<string, { mutate: string[]; tests: string[] }>;

export type MutationArea = keyof typeof MUTATION_AREAS;
