import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, visitorKeys, type Node } from 'oxc-parser';
import { expect, it } from 'vitest';
import { messages } from '../../src-renderer/locales/en.ts';
import { ROOT } from '../support/lint.ts';

type AnyNode = Node & Record<string, unknown>;
const isNode = (value: unknown): value is AnyNode => typeof (value as AnyNode | null)?.type === 'string';

function* nodesOf(node: AnyNode): Generator<AnyNode> {
  yield node;
  for (const key of visitorKeys[node.type] ?? [])
    for (const child of [node[key]].flat()) if (isNode(child)) yield* nodesOf(child);
}

/** Texts of the source that may be keys of messages, and the two ends of those that are put together. */
function collectKeys(): { texts: Set<string>; ends: [head: string, tail: string][] } {
  const texts = new Set<string>();
  const ends: [string, string][] = [];
  const withoutNamespace = (key: string): string => key.replace(/^[a-z_]+:/, '');
  for (const file of globSync('src-{renderer,shared}/**/*.{ts,tsx}', { cwd: ROOT })) {
    const name = file.replaceAll('\\', '/');
    if (/\.test\.tsx?$|\/locales\//.test(name)) continue;
    for (const node of nodesOf(parseSync(name, readFileSync(join(ROOT, file), 'utf8')).program as unknown as AnyNode)) {
      if (node.type === 'Literal' && typeof node['value'] === 'string') texts.add(withoutNamespace(node['value']));
      if (node.type !== 'TemplateLiteral') continue;
      const parts = node.quasis.map(({ value }) => value.cooked ?? '');
      // With a shorter text, nearly every key would be one of them.
      const [head, tail] = [withoutNamespace(parts[0]!), parts.at(-1)!];
      if (parts.length > 1 && Math.max(head.length, tail.length) > 2) ends.push([head, tail]);
    }
  }
  return { texts, ends };
}

function* pathsOf(tree: object, path = ''): Generator<string> {
  for (const [key, value] of Object.entries(tree) as [string, string | object][]) {
    const at = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'string') yield at;
    else yield* pathsOf(value, at);
  }
}

it('every message is read', () => {
  const { texts, ends } = collectKeys();
  const isRead = (key: string): boolean =>
    texts.has(key) ||
    ends.some(([head, tail]) => key.startsWith(head) && key.endsWith(tail) && key.length > head.length + tail.length);
  const unread = Object.entries(messages).flatMap(([namespace, tree]) => {
    // Errors are worded by the code of a reply, and the shell of the desktop is sent all its texts at once.
    if (namespace === 'errors') return [];
    return [...pathsOf(tree)]
      .filter((key) => !key.startsWith('menu.'))
      .filter((key) => ![key, key.replace(/_(?:one|other)$/, '')].some(isRead))
      .map((key) => `${namespace}:${key}`);
  });
  // The two directions of a link: `${outward ? 'link_to' : 'link_from'}_${type}`.
  expect(unread.filter((key) => !key.startsWith('document:link_from_'))).toEqual([]);
});
