/** What the files of a link hold. */
export const FHIR_TYPE = 'application/fhir+json';

/** What is counted and decided for a link, as it is stored. */
export interface LinkState {
  isRevoked: boolean;
  /** Milliseconds since the epoch; null if it does not expire. */
  expiresAt: number | null;
  /** How often it may still be opened; null if there is no limit. */
  usesLeft: number | null;
  /** Wrong passcodes that are still allowed, in the life-time of the link; null without a passcode. */
  triesLeft: number | null;
}

/**
 * A reply to the request for a manifest. 401 tells the reader how many tries are left; whatever is wrong with a link
 * itself, it is 404.
 * @see HL7 SMART Health Cards and Links STU 1, "SMART Health Link Manifest Request"
 */
export type LinkReply = { status: 200 } | { status: 401; body: { remainingAttempts: number } } | { status: 404 };

/** What happens to a request, and the state to store before the reply is sent. */
export interface LinkDecision {
  reply: LinkReply;
  next: LinkState;
}

/** Whether a link can be opened at all: it is not revoked, expired, used up or locked by wrong passcodes. */
export const isLive = ({ isRevoked, expiresAt, usesLeft, triesLeft }: LinkState, now: number): boolean =>
  !isRevoked && (expiresAt === null || now < expiresAt) && usesLeft !== 0 && triesLeft !== 0;

/**
 * The state to store before a passcode is compared, which takes time: simultaneous guesses then count one by one. A
 * link without a passcode stays as it is.
 */
export const takeTry = (link: LinkState): LinkState =>
  link.triesLeft === null ? link : { ...link, triesLeft: Math.max(0, link.triesLeft - 1) };

/**
 * Decides about a request for the manifest.
 * @param link as it was before; `takeTry` may have been stored meanwhile
 * @param passcode how the passcode of the request compares; a request without one is not a guess
 */
export function decideRequest(link: LinkState, now: number, passcode: 'right' | 'wrong' | 'missing'): LinkDecision {
  if (!isLive(link, now)) return { reply: { status: 404 }, next: link };
  if (link.triesLeft !== null && passcode !== 'right') {
    const next = passcode === 'wrong' ? takeTry(link) : link;
    return { reply: { status: 401, body: { remainingAttempts: next.triesLeft ?? 0 } }, next };
  }
  const usesLeft = link.usesLeft === null ? null : link.usesLeft - 1;
  return { reply: { status: 200 }, next: { ...link, usesLeft } };
}

/** An encrypted file of a link. */
export interface LinkFile {
  /** In characters, which are ASCII. */
  size: number;
  /** Where it can be fetched for at most an hour, once the manifest was given out. */
  location: string;
  /** ISO 8601 with zone. */
  lastUpdated: string;
}

/** The list of the files of a link. It is final, because only whoever has the link could encrypt other ones. */
export interface Manifest {
  status: 'finalized';
  files: ({ contentType: string; lastUpdated: string } & ({ embedded: string } | { location: string }))[];
}

/** Larger files are fetched one by one, unless the reader wants another limit. */
const MAX_EMBEDDED = 2 ** 20;
/** Of all files in a manifest together, whatever the reader wants. */
const MAX_EMBEDDED_TOGETHER = 4 * 2 ** 20;

/**
 * The manifest: small files inside it, the others by their location.
 * @param read returns the file with this index
 */
export async function writeManifest(
  files: readonly LinkFile[],
  {
    embeddedLengthMax = MAX_EMBEDDED,
    read,
  }: { embeddedLengthMax?: number | undefined; read: (index: number) => Promise<string> },
): Promise<Manifest> {
  let room = MAX_EMBEDDED_TOGETHER;
  const places = files.map(({ size }) => {
    const isEmbedded = size <= Math.min(embeddedLengthMax, room);
    if (isEmbedded) room -= size;
    return isEmbedded;
  });
  return {
    status: 'finalized',
    files: await Promise.all(
      files.map(async ({ location, lastUpdated }, index) => ({
        contentType: FHIR_TYPE,
        lastUpdated,
        ...(places[index] ? { embedded: await read(index) } : { location }),
      })),
    ),
  };
}
