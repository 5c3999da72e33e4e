import type { IpcMain, WebFrameMain } from 'electron';
import type { z } from 'zod';
import { BRIDGE_CHANNELS } from '../../../src-shared/contract/bridge-names.ts';
import {
  BRIDGE_ERRORS,
  bridgeCalls,
  CALL_ACCESS,
  type BridgeAnswer,
  type BridgeCall,
  type BridgeCalls,
  type BridgeErrorCode,
} from '../../../src-shared/contract/bridge.ts';
import type { BackupFiles } from '../../../src-shared/ios-backup/index.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { closePort, serveFiles, type Port } from './file-port.ts';

/** The handler of each call; an expected failure is returned as its error code. */
export type BridgeHandlers = {
  [K in BridgeCall]: (args: z.output<BridgeCalls[K]['args']>) => Reply<z.output<BridgeCalls[K]['reply']>>;
};
type Reply<R> = R | BridgeErrorCode | Promise<R | BridgeErrorCode>;

/** The sending frame as Electron reports it; null when it is gone. */
export type Sender = Pick<WebFrameMain, 'origin' | 'parent'> | null;

export interface BridgeDeps {
  /** The only origin whose page may call. */
  origin: string;
  /** Whether the user who is signed in at the window may make calls for signed-in users or for administrators. */
  may(access: 'user' | 'admin'): Promise<boolean>;
  handlers: BridgeHandlers;
  filesOf(key: string): BackupFiles | null;
  log: Pick<Log, 'warn'>;
}

export interface Bridge {
  answer(sender: Sender, name: unknown, args: unknown): Promise<BridgeAnswer>;
  /** Serves the files of a folder through this port; closes it without permission or for an unknown key. */
  connect(sender: Sender, key: unknown, port: Port): Promise<void>;
  /** Closes every port; to continue reading, the page has to connect again. */
  forget(): void;
}

/**
 * The shell's end of the bridge. It checks the sender, parses arguments, calls the handler, and returns only error
 * codes for failures.
 */
export function createBridge({ origin, may, handlers, filesOf, log }: BridgeDeps): Bridge {
  const open = new Set<() => void>();
  /** Number of calls of `forget`. */
  let resets = 0;
  const isOurPage = (sender: Sender): boolean => sender !== null && sender.parent === null && sender.origin === origin;
  const isPermitted = async (sender: Sender, access: 'page' | 'user' | 'admin'): Promise<boolean> =>
    isOurPage(sender) && (access === 'page' || (await may(access)));
  return {
    async answer(sender, name, args) {
      if (!(await isPermitted(sender, isCall(name) ? CALL_ACCESS[name] : 'admin'))) return { error: 'forbidden' };
      if (!isCall(name)) return { error: 'malformed' };
      const parsed = bridgeCalls[name].args.safeParse(args);
      if (!parsed.success) return { error: 'malformed' };
      try {
        const reply = await (handlers[name] as (args: unknown) => Reply<unknown>)(parsed.data);
        return isError(reply) ? { error: reply } : { value: bridgeCalls[name].reply.parse(reply) };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        log.warn({ call: name, code }, 'the shell could not answer the page');
        return { error: code === 'EACCES' || code === 'EPERM' || code === 'ENOENT' ? 'unreadable' : 'fault' };
      }
    },
    async connect(sender, key, port) {
      const resetsBefore = resets;
      const files = (await isPermitted(sender, 'admin')) && typeof key === 'string' ? filesOf(key) : null;
      // The ports may have been closed by `forget` while the sender was checked.
      if (!files || resetsBefore !== resets) return closePort(port);
      const close = serveFiles(port, files);
      open.add(close);
      port.on('close', () => open.delete(close));
    },
    forget() {
      resets += 1;
      for (const close of open) close();
      open.clear();
    },
  };
}

const isCall = (name: unknown): name is BridgeCall => typeof name === 'string' && Object.hasOwn(bridgeCalls, name);
const isError = (reply: unknown): reply is BridgeErrorCode => BRIDGE_ERRORS.some((code) => code === reply);

/** Connects the bridge to the messages of windows. */
export function connectBridge(bridge: Bridge, ipc: Pick<IpcMain, 'handle' | 'on'>): void {
  ipc.handle(BRIDGE_CHANNELS.call, ({ senderFrame }, name: unknown, args: unknown) =>
    bridge.answer(senderFrame, name, args),
  );
  ipc.on(BRIDGE_CHANNELS.files, ({ senderFrame, ports }, key: unknown) => {
    for (const port of ports) void bridge.connect(senderFrame, key, port);
  });
}
