import type { IpcMain, WebFrameMain } from 'electron';
import type { z } from 'zod';
import { BRIDGE_CHANNELS } from '../../../src-shared/contract/bridge-names.ts';
import {
  BRIDGE_ERRORS,
  bridgeCalls,
  type BridgeAnswer,
  type BridgeCall,
  type BridgeCalls,
  type BridgeErrorCode,
} from '../../../src-shared/contract/bridge.ts';
import type { BackupFiles } from '../../../src-shared/ios-backup/index.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { closePort, serveFiles, type Port } from './file-port.ts';

/** What answers each call of the table; an expected failure is the name of its error. */
export type BridgeHandlers = {
  [K in BridgeCall]: (args: z.output<BridgeCalls[K]['args']>) => Answered<z.output<BridgeCalls[K]['reply']>>;
};
type Answered<R> = R | BridgeErrorCode | Promise<R | BridgeErrorCode>;

/** Who sent a message: the frame as Electron names it, null when it is gone. */
export type Sender = Pick<WebFrameMain, 'origin' | 'parent'> | null;

export interface BridgeDeps {
  /** The only address whose page is listened to. */
  origin: string;
  /** Whether the person who is signed in at the window may look at the backups of this computer. */
  mayUse(): Promise<boolean>;
  handlers: BridgeHandlers;
  filesOf(key: string): BackupFiles | null;
  log: Pick<Log, 'warn'>;
}

export interface Bridge {
  answer(sender: Sender, name: unknown, args: unknown): Promise<BridgeAnswer>;
  /** Serves the files of a folder at this port; closes it where that is not permitted, or the key unknown. */
  connect(sender: Sender, key: unknown, port: Port): Promise<void>;
  /** Closes every port: who wants to read on has to ask again. */
  forget(): void;
}

/** The shell's end of the bridge: asks who sends, parses arguments and answers by the table, and never tells more than a code. */
export function createBridge({ origin, mayUse, handlers, filesOf, log }: BridgeDeps): Bridge {
  const open = new Set<() => void>();
  let forgotten = 0;
  const isPermitted = async (sender: Sender): Promise<boolean> =>
    sender !== null && sender.parent === null && sender.origin === origin && mayUse();
  return {
    async answer(sender, name, args) {
      if (!(await isPermitted(sender))) return { error: 'forbidden' };
      if (!isCall(name)) return { error: 'malformed' };
      const parsed = bridgeCalls[name].args.safeParse(args);
      if (!parsed.success) return { error: 'malformed' };
      try {
        const answered = await (handlers[name] as (args: unknown) => Answered<unknown>)(parsed.data);
        return isError(answered) ? { error: answered } : { value: bridgeCalls[name].reply.parse(answered) };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        log.warn({ call: name, code }, 'the shell could not answer the page');
        return { error: code === 'EACCES' || code === 'EPERM' || code === 'ENOENT' ? 'unreadable' : 'fault' };
      }
    },
    async connect(sender, key, port) {
      const before = forgotten;
      const files = (await isPermitted(sender)) && typeof key === 'string' ? filesOf(key) : null;
      // The computer may have been locked while it was asked who that is.
      if (!files || before !== forgotten) return closePort(port);
      const close = serveFiles(port, files);
      open.add(close);
      port.on('close', () => open.delete(close));
    },
    forget() {
      forgotten += 1;
      for (const close of open) close();
      open.clear();
    },
  };
}

const isCall = (name: unknown): name is BridgeCall => typeof name === 'string' && Object.hasOwn(bridgeCalls, name);
const isError = (answered: unknown): answered is BridgeErrorCode => BRIDGE_ERRORS.some((code) => code === answered);

/** Lets the bridge hear what windows send. */
export function connectBridge(bridge: Bridge, ipc: Pick<IpcMain, 'handle' | 'on'>): void {
  ipc.handle(BRIDGE_CHANNELS.call, ({ senderFrame }, name: unknown, args: unknown) =>
    bridge.answer(senderFrame, name, args),
  );
  ipc.on(BRIDGE_CHANNELS.files, ({ senderFrame, ports }, key: unknown) => {
    for (const port of ports) void bridge.connect(senderFrame, key, port);
  });
}
