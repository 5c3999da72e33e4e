import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

/** What every page loads, in the order in which it does: the entry, the frame around the pages. */
const STEPS: readonly [chunk: string, root: string][] = [
  ['entry', 'main.tsx'],
  ['frame', 'app/frame/shell.tsx'],
];
const pathOf = (root: string): string => fileURLToPath(new URL(`../src-renderer/${root}`, import.meta.url));

const MANY = 4;
const MAX_SHARED_BYTES = 8_000;

/** Each icon is a module of its own, which the package's index names with all others. */
const ICON = /\/lucide-react\/.*\/icons\/([a-z\d-]+)\.m?js$/;
const ICON_IMPORTS = /import \{([^}]*)\} from ['"]lucide-react['"]/g;

/**
 * Groups of modules for the chunks with which every page begins. Bundlers put each module that several pages share into
 * a chunk of its own, so that none loads what it does not need: some fifty requests before the first row of a list.
 */
const OF_EVERY_PAGE: Rolldown.CodeSplittingGroup[] = STEPS.map(([chunk, root], step) => {
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

/** Small modules that many pages share: a chunk for each of them would be a request before the first row. */
const OF_MANY_PAGES: Rolldown.CodeSplittingGroup = {
  name: 'parts',
  test: /[\\/]src-renderer[\\/](?:client|ui)[\\/]/,
  minShareCount: MANY,
  maxModuleSize: MAX_SHARED_BYTES,
  priority: 0,
};

export const FIRST_CHUNKS: Rolldown.CodeSplittingGroup[] = [...OF_EVERY_PAGE, OF_MANY_PAGES];

function staticImportsOf(root: string, context: Rolldown.ChunkingContext): Set<string> {
  const members = new Set([root]);
  const icons = new Set<string>();
  for (const id of members) {
    const { importedIds = [], code } = context.getModuleInfo(id) ?? {};
    for (const imported of importedIds) members.add(imported);
    for (const [, names = ''] of (code ?? '').matchAll(ICON_IMPORTS))
      for (const name of names.split(',')) icons.add(fileNameOf(name.trim().split(' ')[0] ?? ''));
  }
  // The entry waits for its language, which shares modules with it.
  members.delete(root);
  // It has few icons. The frame has those of all pages, which would be as many requests as there are icons.
  if (root.endsWith('main.tsx'))
    for (const id of members) {
      const icon = ICON.exec(id)?.[1]?.replaceAll('-', '');
      if (icon !== undefined && !icons.has(icon)) members.delete(id);
    }
  return members;
}

/** `CircleAlert` of `circle-alert.mjs`, both without what separates words. */
const fileNameOf = (icon: string): string => icon.toLowerCase();
