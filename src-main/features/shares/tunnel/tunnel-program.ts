import type { ErrorReference } from '../../../../src-shared/contract/errors.ts';

/** How a share gets a public address. */
export type TunnelSettings =
  | {
      kind: 'cloudflared';
      /** Name or absolute path of the program; `cloudflared` by default. */
      program?: string;
    }
  | {
      kind: 'ssh';
      host: string;
      port: number;
      user: string;
      /** Absolute path of a private key without a passphrase; null uses the keys of this user. */
      keyFile: string | null;
      /** Absolute path of a file in the format of sshd(8), SSH_KNOWN_HOSTS; null uses the file of this user. */
      knownHostsFile: string | null;
      /** The port that the server opens; 0 lets it choose one. */
      remotePort: number;
      /** The address on which the server listens; null leaves it to the server, mostly its loopback. */
      remoteAddress: string | null;
      /** Where recipients reach that port; null is `http://HOST:PORT`. */
      publicUrl: string | null;
    }
  | {
      kind: 'command';
      /** The program and its arguments; `{port}` is replaced by the port of the share listener. */
      command: readonly string[];
      /** A regular expression for the line with the address: its first group, or all that it matches. */
      pattern: string;
    }
  | { kind: 'fixed'; publicUrl: string };

/** What a line of a tunnel's program means. */
export interface TunnelNews {
  /** The public address is open (a string) or can't be reached at the moment (null). */
  address?: string | null;
  /** Why the program is about to end. */
  error?: ErrorReference;
  /** Trying again would not help. */
  isFinal?: boolean;
}

/** A program that opens a tunnel. */
export interface TunnelProgram {
  /** Name or path. */
  command: string;
  args: readonly string[];
  /** Reads the next line of its output; lines arrive in order. */
  read(line: string): TunnelNews | null;
}
