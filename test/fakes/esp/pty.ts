import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import type { Board } from './board.ts';

const BRIDGE = fileURLToPath(new URL('pty-bridge.py', import.meta.url));
/** A client that reopens the port to change its speed must find the loader where it left it. */
const RESET_AFTER_CLOSED_MS = 1500;

/** A board on a pseudo-terminal. */
export interface Pty {
  path: string;
  /** A socket that takes lines: `dtr 0`, `dtr 1`, `rts 0`, `rts 1`, `reset`, `boot`, `hang-up`; each is answered by `ok`. */
  control: string;
  stop(): Promise<void>;
}

/**
 * Puts a board on a pseudo-terminal, for programs. Such a terminal has no lines for reset: the board goes into its loader
 * when the port is opened after a pause, and `control` moves the lines.
 */
export async function openPty(board: Board): Promise<Pty> {
  const child = spawn('python3', [BRIDGE], { stdio: ['pipe', 'pipe', 'inherit'] });
  const control = await openControl(board, () => say('H'));
  let baud = 115_200;
  let closedAt = -Infinity;

  function say(letter: string, payload: Uint8Array = new Uint8Array(0)): void {
    const head = Buffer.alloc(5);
    head.write(letter);
    head.writeUInt32BE(payload.length, 1);
    child.stdin.write(Buffer.concat([head, payload]));
  }

  const path = await new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`The bridge ended with ${code}.`)));
    readMessages(child.stdout, (letter, payload) => {
      if (letter === 'P') resolve(payload.toString());
      else if (letter === 'D') board.receive(payload, baud);
      else if (letter === 'C') closedAt = performance.now();
      else if (letter === 'S') {
        baud = Number(payload.toString());
        board.setHostBaud(baud);
      } else if (performance.now() - closedAt >= RESET_AFTER_CLOSED_MS) board.reset(true);
    });
  });
  child.stdin.on('error', () => undefined);
  board.on('bytes', (bytes) => say('D', bytes));
  board.on('hang-up', () => say('H'));
  return {
    path,
    control: control.path,
    async stop() {
      control.close();
      if (child.exitCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill();
        await ended;
      }
    },
  };
}

function readMessages(stream: NodeJS.ReadableStream, take: (letter: string, payload: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  stream.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5) {
      const end = 5 + rest.readUInt32BE(1);
      if (rest.length < end) return;
      take(rest.toString('latin1', 0, 1), rest.subarray(5, end));
      rest = rest.subarray(end);
    }
  });
}

async function openControl(board: Board, hangUp: () => void): Promise<{ path: string; close(): void }> {
  const path = join(tmpdir(), `esp-${randomUUID()}.sock`);
  const actions: Record<string, () => void> = {
    'dtr 0': () => board.setLines({ dtr: false }),
    'dtr 1': () => board.setLines({ dtr: true }),
    'rts 0': () => board.setLines({ rts: false }),
    'rts 1': () => board.setLines({ rts: true }),
    reset: () => board.reset(false),
    boot: () => board.reset(true),
    'hang-up': hangUp,
  };
  const server = createServer((socket) => {
    // The reader of lines passes on the errors of its socket: who leaves without reading the answers resets it.
    const lines = createInterface(socket);
    for (const emitter of [socket, lines]) emitter.on('error', () => undefined);
    lines.on('line', (line) => {
      actions[line]?.();
      socket.write(line in actions ? 'ok\n' : 'unknown\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { path, close: () => void server.close() };
}
