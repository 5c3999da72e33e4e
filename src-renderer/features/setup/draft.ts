export interface SetupDraft {
  displayName: string;
  username: string;
  password: string;
  patientName: string;
  birth: string;
  sex: string;
}

/** The usual user name of a person: the first name in lower-case letters without accents, "zoë" as "zoe". */
export const usernameOf = (displayName: string): string =>
  (displayName.trim().split(/\s+/)[0] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._-]/gu, '');

/** The name, with the user name derived from it until the user types another one. */
export const withDisplayName = (draft: SetupDraft, displayName: string): Partial<SetupDraft> => ({
  displayName,
  ...(draft.username === usernameOf(draft.displayName) && { username: usernameOf(displayName) }),
});
