/** Under what the passcode of a link is hashed, so that its hash fits no other link and no code. */
export const passcodeScope = (linkId: string): string => `health link ${linkId}`;

/** Keyboards write the same letter in several ways. */
export const normalPasscode = (passcode: string): string => passcode.normalize('NFC');
