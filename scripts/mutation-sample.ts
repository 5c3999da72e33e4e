import { createHash } from 'node:crypto';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** The part of a node of Babel's syntax tree that the sample reads. */
interface SyntaxPath {
  node: { start?: number | null; end?: number | null; type: string; declaration?: { type: string } | null };
  parent?: { type: string } | null;
}

/** The name under which Stryker finds the plugin. */
export const SAMPLE = 'hearth-sample';

/** Which declarations are changed: of `oneIn` equal parts, that with the number `turn`. Read by the plugin. */
export const sample = { oneIn: 1, turn: 0 };

/** A function, table or method: it is in the sample with all of its mutants, or not at all. */
const isDeclaration = ({ parent, node }: SyntaxPath): boolean =>
  ![node.type, node.declaration?.type].includes('ClassDeclaration') &&
  (parent?.type === 'Program' || parent?.type === 'ClassBody');

/** A number that is the same for the same place, and otherwise spread evenly. */
function placeNumber({ node }: SyntaxPath): number {
  const place = createHash('sha256').update(`${node.type} ${node.start} ${node.end}`).digest();
  return place.readUInt32BE(0);
}

/** Has Stryker leave out the declarations that are not in the sample. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, SAMPLE, {
    shouldIgnore(path) {
      const at = path as SyntaxPath;
      const isLeftOut = isDeclaration(at) && placeNumber(at) % sample.oneIn !== sample.turn % sample.oneIn;
      return isLeftOut ? 'not in the sample' : undefined;
    },
  }),
];
