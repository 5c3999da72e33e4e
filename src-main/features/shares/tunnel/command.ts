import { createContext, Script } from 'node:vm';
import { toPublicUrl } from './public-url.ts';
import type { TunnelNews, TunnelProgram } from './tunnel-program.ts';

/** A pattern that takes longer for a line never ends: `(a+)+$` takes twice as long for each further letter. */
const MATCH_MS = 250;

/** Searches lines for a pattern; the returned function throws if that takes too long. */
function searchFor(pattern: RegExp): (line: string) => RegExpExecArray | null {
  const match = new Script('pattern.exec(line)');
  const search = createContext({ pattern, line: '' });
  return (line) => {
    search['line'] = line;
    return match.runInContext(search, { timeout: MATCH_MS }) as RegExpExecArray | null;
  };
}

/** A program of the user's: the first line with an address that `pattern` finds says that the tunnel is open. */
export function commandTunnel(
  [program = '', ...args]: readonly string[],
  pattern: RegExp,
  port: number,
): TunnelProgram {
  const search = searchFor(pattern);
  return {
    command: program,
    args: args.map((argument) => argument.replaceAll('{port}', String(port))),
    read(line): TunnelNews | null {
      let match: RegExpExecArray | null;
      try {
        match = search(line);
      } catch {
        return { error: { code: 'tunnel.invalid_setting', params: { field: 'pattern' } }, isFinal: true };
      }
      const address = match && toPublicUrl(match[1] ?? match[0]);
      return address ? { address } : null;
    },
  };
}
