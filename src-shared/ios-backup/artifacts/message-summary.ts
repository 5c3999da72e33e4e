import { readPlistDictionary } from '../format/plist.ts';
import { isDictionary, type PlistValue } from '../format/plist-value.ts';
import { textOfTypedStream } from './typedstream.ts';
import { appleTime } from './column-values.ts';

export interface MessageSummary {
  /** The earlier versions of all edited parts, oldest first, with the time of the edit that replaced each. */
  edits: { text: string | null; edited_at: string | null }[];
  /** The current text, if the edits contain it. */
  current: string | null;
  /** Whether the sender unsent the message or all of its parts. */
  isUnsent: boolean;
}

const EMPTY_SUMMARY: MessageSummary = { edits: [], current: null, isUnsent: false };
/** The limit for damaged data: the phone allows five edits. */
const MAX_EDITS = 200;

/**
 * Reads edits and unsent parts from `message.message_summary_info` (iOS 16 and later): `ec` has the versions by part,
 * with `d` (seconds since 2001) and `t` (typed stream), `rp` the unsent parts, `otr` all parts. A damaged summary is
 * read as an empty one.
 * Source: https://github.com/ReagentX/imessage-exporter, `message_types/edited.rs`.
 */
export function readMessageSummary(bytes: Uint8Array | null): MessageSummary {
  if (!bytes) return EMPTY_SUMMARY;
  let root: Record<string, PlistValue>;
  try {
    root = readPlistDictionary(bytes);
  } catch {
    return EMPTY_SUMMARY;
  }
  const parts = isDictionary(root.otr) ? Object.keys(root.otr).length : 0;
  const retracted = Array.isArray(root.rp) ? new Set(root.rp.map(String)).size : 0;
  const histories = isDictionary(root.ec)
    ? Object.keys(root.ec)
        .sort((a, b) => Number(a) - Number(b))
        .map((part) => versionsOf((root.ec as Record<string, PlistValue>)[part]))
    : [];
  const edits = histories.flatMap(earlierVersions).slice(0, MAX_EDITS);
  const current = histories.map((history) => history.at(-1)?.text ?? null).filter((text) => text !== null);
  return {
    edits,
    current: current.length > 0 && (parts <= 1 || current.length >= parts) ? current.join('\n') : null,
    isUnsent: retracted > 0 && retracted >= Math.max(1, parts),
  };
}

interface Version {
  text: string | null;
  /** When this version was written: that is the time of the edit that replaced the previous one. */
  writtenAt: string | null;
}

/** Returns all versions of a part but its last, the current one. */
const earlierVersions = (history: readonly Version[]): MessageSummary['edits'] =>
  history.slice(0, -1).map(({ text }, i) => ({ text, edited_at: history[i + 1]?.writtenAt ?? null }));

/** Returns all versions of a part of the message. */
function versionsOf(history: PlistValue | undefined): Version[] {
  if (!Array.isArray(history)) return [];
  return history
    .slice(0, MAX_EDITS)
    .filter(isDictionary)
    .map((event) => ({
      text: event.t instanceof Uint8Array ? textOfTypedStream(event.t) : null,
      writtenAt: editTimeOf(event.d),
    }));
}

/** The time of an edit: a number of Apple's clock, or a date of the property list. */
function editTimeOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return appleTime(value);
  return value instanceof Date ? value.toISOString().slice(0, 19) : null;
}
