import type { DataSet, NumberVr, Tag } from './data-set.ts';

const SHARED_GROUPS: Tag = 'x52009229';
const PER_FRAME_GROUPS: Tag = 'x52009230';

/** Elements that say something of one frame: where a multi-frame object has them, and where all others do. */
export interface FrameData {
  /** The item with an attribute of a macro: of the frame, of all frames, or the object itself. */
  find(macro: Tag, attribute: Tag): DataSet | null;
  numbers(macro: Tag, attribute: Tag, vr: NumberVr): number[];
}

/**
 * The attributes of a frame, 0-based. Enhanced objects have them in macros of functional groups (PS3.3, C.7.6.16).
 */
export function frameData(data: DataSet, frame: number): FrameData {
  const groups = [data.item(PER_FRAME_GROUPS, frame), data.item(SHARED_GROUPS)];
  const find = (macro: Tag, attribute: Tag): DataSet | null => {
    for (const group of groups) {
      const item = group?.item(macro);
      if (item?.has(attribute)) return item;
    }
    return data.has(attribute) ? data : null;
  };
  return { find, numbers: (macro, attribute, vr) => find(macro, attribute)?.numbers(attribute, vr) ?? [] };
}
