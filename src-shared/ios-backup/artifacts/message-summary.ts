import { readPlistDictionary } from '../format/plist.ts';
import { isDictionary, type PlistValue } from '../format/plist-value.ts';
import { textOfTypedStream } from './typedstream.ts';
import { appleTime } from './column-values.ts';

export interface MessageSummary {
  /** Wordings of all edited parts, oldest first; the last of each part is the present one. */
  edits: { text: string | null; edited_at: string | null }[];
  /** The current wording, if an edit has it. */
  current: string | null;
  /** The message, or all of its parts, were taken back. */
  unsent: boolean;
}

const NOTHING: MessageSummary = { edits: [], current: null, unsent: false };
/** A limit for damaged data: the phone allows five edits. */
const MAX_EDITS = 200;

/**
 * What `message.message_summary_info` says of edits and of taking back (iOS 16 and later): `ec` by part the wordings with `d` (seconds
 * since 2001) and `t` (typed stream), `rp` the parts that were taken back, `otr` all parts.
 * Source: https://github.com/ReagentX/imessage-exporter, `message_types/edited.rs`. Damaged ones say nothing.
 */
export function readMessageSummary(bytes: Uint8Array | null): MessageSummary {
  if (!bytes) return NOTHING;
  let root: Record<string, PlistValue>;
  try {
    root = readPlistDictionary(bytes);
  } catch {
    return NOTHING;
  }
  const parts = isDictionary(root.otr) ? Object.keys(root.otr).length : 0;
  const retracted = Array.isArray(root.rp) ? new Set(root.rp.map(String)).size : 0;
  const histories = isDictionary(root.ec)
    ? Object.keys(root.ec)
        .sort((a, b) => Number(a) - Number(b))
        .map((part) => wordings((root.ec as Record<string, PlistValue>)[part]))
    : [];
  const edits = histories.flat().slice(0, MAX_EDITS);
  const current = histories.map((history) => history.at(-1)?.text ?? null).filter((text) => text !== null);
  return {
    edits,
    current: current.length > 0 && (parts <= 1 || current.length >= parts) ? current.join('\n') : null,
    unsent: retracted > 0 && retracted >= Math.max(1, parts),
  };
}

function wordings(history: PlistValue | undefined): MessageSummary['edits'] {
  if (!Array.isArray(history)) return [];
  return history
    .slice(0, MAX_EDITS)
    .filter(isDictionary)
    .map((event) => ({
      text: event.t instanceof Uint8Array ? textOfTypedStream(event.t) : null,
      edited_at: editTimeOf(event.d),
    }));
}

/** The time of an edit: a number of Apple's clock, or a date of the property list. */
function editTimeOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return appleTime(value);
  return value instanceof Date ? value.toISOString().slice(0, 19) : null;
}
