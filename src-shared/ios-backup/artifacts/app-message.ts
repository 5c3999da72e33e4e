import { isKeyedArchive, unarchive } from '../format/keyed-archive.ts';
import { readPlist } from '../format/plist.ts';
import { isDictionary, type PlistDictionary } from '../format/plist-value.ts';

/** `message.balloon_bundle_id` of a poll (iOS 26) ends with this. */
export const POLL_BUNDLE_SUFFIX = 'com.apple.messages.Polls';
/** The limit for damaged data: the phone allows twelve choices. */
const MAX_CHOICES = 100;
const MAX_VOTES = 10_000;

interface Poll {
  title: string | null;
  choices: { id: string; text: string }[];
}
interface Vote {
  choice: string;
  voter: string | null;
  isSelected: boolean;
}

type Json = { [key: string]: unknown };
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textIn = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** Reads `message.payload_data`, a keyed archive of an app's content in a message; null if it is damaged. */
export function readPayload(bytes: Uint8Array | null): PlistDictionary | null {
  if (!bytes) return null;
  try {
    const plist = readPlist(bytes);
    const root = isKeyedArchive(plist) ? unarchive(plist) : plist;
    return isDictionary(root) ? root : null;
  } catch {
    return null;
  }
}

/**
 * Returns the visible text of an app's message, line by line: its captions, otherwise its summary, otherwise the name
 * of the app.
 */
export function textOfPayload(payload: PlistDictionary): string | null {
  // What is shared from an app has its link in an `LPSharingMetadataWrapper`.
  const link = [payload.richLinkMetadata, payload.metadata].find(isDictionary);
  if (link)
    return [textIn(link.title), textIn(link.originalURL) ?? textIn(link.URL)].filter(Boolean).join('\n') || null;
  const captions = isDictionary(payload.userInfo) ? payload.userInfo : {};
  const lines = [
    'image-title',
    'image-subtitle',
    'caption',
    'subcaption',
    'secondary-subcaption',
    'tertiary-subcaption',
  ]
    .map((key) => textIn(captions[key]))
    .filter((line) => line !== null);
  return [...new Set(lines)].join('\n') || textIn(payload.ldtext) || textIn(payload.an);
}

/** Reads the JSON of a poll or vote from the payload's `data:,` URL, where it is plain or in base64. */
function readPollItem(payload: PlistDictionary): Json | null {
  const url = textIn(payload.URL);
  if (!url?.startsWith('data:,')) return null;
  try {
    const data = decodeURIComponent((url.slice('data:,'.length).split('?')[0] ?? '').trim());
    const value: unknown = JSON.parse(
      data.startsWith('{') ? data : new TextDecoder().decode(Uint8Array.from(atob(data), (char) => char.charCodeAt(0))),
    );
    if (!isObject(value)) return null;
    return isObject(value.item) ? value.item : value;
  } catch {
    return null;
  }
}

/** Reads the question and choices of a poll; null if the payload is not a poll. */
export function pollOf(payload: PlistDictionary): Poll | null {
  const item = readPollItem(payload);
  if (!item || !Array.isArray(item.orderedPollOptions)) return null;
  const choices = item.orderedPollOptions
    .slice(0, MAX_CHOICES)
    .filter(isObject)
    .map((option) => ({
      id: textIn(option.optionIdentifier) ?? '',
      text: textIn(option.text) ?? textIn(option.pollOptionText) ?? '',
    }));
  return { title: textIn(item.title), choices };
}

/** Reads the votes of a message that answers a poll. */
export function votesOf(payload: PlistDictionary): Vote[] {
  const item = readPollItem(payload);
  const votes = Array.isArray(item?.votes) ? item.votes.slice(0, MAX_VOTES).filter(isObject) : [];
  return votes.flatMap((vote) => {
    const choice = textIn(vote.voteOptionIdentifier);
    return choice === null
      ? []
      : [
          {
            choice,
            voter: textIn(vote.participantHandle),
            isSelected: !/^(de|un)select|remov/i.test(textIn(vote.eventType) ?? ''),
          },
        ];
  });
}

/** Describes a poll: its question, and a line for each choice with the people who chose it. */
export function textOfPoll({ title, choices }: Poll, votes: ReadonlyMap<string, ReadonlySet<string>>): string {
  return [
    title,
    ...choices.map(({ id, text }) => {
      const voters = [...(votes.get(id) ?? [])];
      return `• ${text}${voters.length > 0 ? ` (${voters.join(', ')})` : ''}`;
    }),
  ]
    .filter((line) => line !== null)
    .join('\n');
}
