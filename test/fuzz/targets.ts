import type { FuzzTarget } from './target.ts';
import { messageSummaries, noteBodies, noteTables, packedNotes, typedStreams } from './targets/artifacts.ts';
import { fileRecords, keybags, mbdbManifests, sqliteHeaders } from './targets/backup.ts';
import { binaryPlists, keyedArchives, xmlPlists } from './targets/plist.ts';

/** Every reader of foreign bytes that is fuzzed. */
export const TARGETS: readonly FuzzTarget[] = [
  binaryPlists,
  xmlPlists,
  keyedArchives,
  keybags,
  fileRecords,
  sqliteHeaders,
  mbdbManifests,
  typedStreams,
  messageSummaries,
  packedNotes,
  noteBodies,
  noteTables,
];
