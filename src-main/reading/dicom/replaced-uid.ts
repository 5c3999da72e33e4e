import { createHmac } from 'node:crypto';

/** The UID in the place of another one (PS3.5, annex B.2). */
export function replacedUid({ secret }: { secret: string }, uid: string): string {
  const hash = createHmac('sha256', secret).update(`uid ${uid}`).digest('hex').slice(0, 32);
  return `2.25.${BigInt(`0x${hash}`)}`;
}
