import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

/** What every page loads, in the order in which it does: the entry, the frame around the pages. */
const STEPS: readonly [chunk: string, root: string][] = [
  ['entry', 'main.tsx'],
  ['frame', 'app/frame/shell.tsx'],
];
const pathOf = (root: string): string => fileURLToPath(new URL(`../src-renderer/${root}`, import.meta.url));

/**
 * Groups of modules for the chunks with which every page begins. Bundlers put each module that several pages share into
 * a chunk of its own, so that none loads what it does not need: some fifty requests before the first row of a list.
 */
export const FIRST_CHUNKS: Rolldown.CodeSplittingGroup[] = STEPS.map(([chunk, root], step) => {
  let members: Set<string> | null = null;
  return {
    debugName: chunk,
    name: (id, context) => {
      members ??= staticImportsOf(pathOf(root), context);
      return members.has(id) ? chunk : null;
    },
    // What the entry has is not in the frame.
    priority: STEPS.length - step,
  };
});

function staticImportsOf(root: string, context: Rolldown.ChunkingContext): Set<string> {
  const members = new Set([root]);
  for (const id of members) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) members.add(imported);
  // The entry waits for its language, which shares modules with it.
  members.delete(root);
  return members;
}
