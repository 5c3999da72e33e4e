import { toPublicUrl } from './public-url.ts';
import type { TunnelNews, TunnelProgram } from './tunnel-program.ts';

/** A program of the user's: the first line with an address that `pattern` finds says that the tunnel is open. */
export function commandTunnel(
  [program = '', ...args]: readonly string[],
  pattern: RegExp,
  port: number,
): TunnelProgram {
  return {
    command: program,
    args: args.map((argument) => argument.replaceAll('{port}', String(port))),
    read(line): TunnelNews | null {
      const match = pattern.exec(line);
      const address = match && toPublicUrl(match[1] ?? match[0]);
      return address ? { address } : null;
    },
  };
}
