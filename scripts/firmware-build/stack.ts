import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The deepest chain of calls: its bytes and the functions in it with their own frames, the outermost first. */
export type Depth = { bytes: number; path: string[] };
export type StackReport = { deepest: Depth; recursive: string[]; unbounded: string[]; functions: number };

type Fn = { label: string; frame: number; bounded: boolean; calls: Set<string>; indirect: boolean };

const INDIRECT = '__indirect_call';

/**
 * Walks GCC's call graphs (-fcallgraph-info=su, one `.ci` a source) below `folder`. A call through a pointer may reach
 * each of `virtuals`
 * (functions in vtables), and from there another one, but none twice: sinks write into sinks, but none into itself.
 * What no graph knows
 * (ports of the board, arithmetic of the compiler's library) counts nothing.
 */
export function stackOf(folder: string, virtuals: ReadonlySet<string>): StackReport {
  const functions = readGraphs(folder);
  const recursive = new Set<string>();
  const direct = deepest(functions, recursive, () => NOTHING);
  const toPointer = deepest(functions, recursive, (fn) => (fn.indirect ? NOTHING : null));
  const targets = [...functions.keys()].filter((name) => virtuals.has(name));
  const behindPointer = (used: readonly string[]): Depth =>
    targets
      .filter((name) => !used.includes(name))
      .reduce((best, name) => {
        const way = toPointer(name);
        const through = way ? joined(way, behindPointer([...used, name])) : NOTHING;
        return deeper(best, deeper(direct(name) ?? NOTHING, through));
      }, NOTHING);
  const pointer = behindPointer([]);
  const all = [...functions.keys()].map((name) => {
    const way = toPointer(name);
    return deeper(direct(name) ?? NOTHING, way ? joined(way, pointer) : NOTHING);
  });
  return {
    deepest: all.reduce(deeper, NOTHING),
    recursive: [...recursive],
    unbounded: [...functions.values()].filter(({ bounded }) => !bounded).map(({ label }) => label),
    functions: functions.size,
  };
}

const NOTHING: Depth = { bytes: 0, path: [] };
const deeper = (a: Depth, b: Depth): Depth => (b.bytes > a.bytes ? b : a);
const joined = (a: Depth, b: Depth): Depth => ({ bytes: a.bytes + b.bytes, path: [...a.path, ...b.path] });

/**
 * The deepest way from a function to one whose `ending` is not null, over direct calls alone; null when there is none.
 */
function deepest(
  functions: ReadonlyMap<string, Fn>,
  recursive: Set<string>,
  ending: (fn: Fn) => Depth | null,
): (name: string) => Depth | null {
  const known = new Map<string, Depth | null>();
  const walk = (name: string, way: ReadonlySet<string>): Depth | null => {
    const fn = functions.get(name);
    if (!fn) return null;
    if (way.has(name)) {
      recursive.add(fn.label);
      return null;
    }
    const before = known.get(name);
    if (before !== undefined) return before;
    const inner = new Set(way).add(name);
    let below = ending(fn);
    for (const target of fn.calls) {
      const there = walk(target, inner);
      if (there) below = below ? deeper(below, there) : there;
    }
    const depth = below && { bytes: fn.frame + below.bytes, path: [`${fn.frame} ${fn.label}`, ...below.path] };
    known.set(name, depth);
    return depth;
  };
  return (name) => walk(name, new Set());
}

function readGraphs(folder: string): Map<string, Fn> {
  const functions = new Map<string, Fn>();
  const edges: [from: string, to: string][] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ci'),
  )) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      // node: { title: "_ZN6hearth6Screen4drawE…" label: "void hearth::Screen::draw(…)\n/…/screen.cpp:21:6\n352 bytes
      // (static)" }
      const node = /^node: \{ title: "([^"]+)" label: "(.*?)\\n.*?\\n(\d+) bytes \((\w+)[^)]*\)/.exec(line);
      if (node?.[1])
        functions.set(node[1], {
          label: node[2] ?? '',
          frame: Number(node[3]),
          bounded: node[4] === 'static',
          calls: new Set(),
          indirect: false,
        });
      // edge: { sourcename: "_ZN…" targetname: "__indirect_call" label: "/…/screen.cpp:55:15" }
      const edge = /^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"/.exec(line);
      if (edge?.[1] && edge[2]) edges.push([edge[1], edge[2]]);
    }
  }
  for (const [from, to] of edges) {
    const fn = functions.get(from);
    if (!fn) continue;
    if (to === INDIRECT) fn.indirect = true;
    else fn.calls.add(to);
  }
  return functions;
}
