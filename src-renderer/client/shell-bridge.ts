import type { z } from 'zod';
import { FILES_MESSAGE } from '../../src-shared/contract/bridge-names.ts';
import type { BridgeCall, BridgeCalls, BridgeErrorCode, BridgeSignal } from '../../src-shared/contract/bridge.ts';

/** An error of the desktop shell; `code` gives the reason. */
export class ShellError extends Error {
  readonly code: BridgeErrorCode;
  constructor(code: BridgeErrorCode) {
    super(code);
    this.name = 'ShellError';
    this.code = code;
  }
}

/** A browser never loads the schemas. */
const loadSchemas = () => import('../../src-shared/contract/bridge.ts');

/** Whether this page runs in the desktop shell. */
export const isInShell = (): boolean => window.hearth !== undefined;

/**
 * Calls the desktop shell through the bridge of `contract/bridge.ts`. Throws `ShellError`; call it only in the shell.
 */
export async function askShell<K extends BridgeCall>(
  name: K,
  args: z.input<BridgeCalls[K]['args']>,
): Promise<z.output<BridgeCalls[K]['reply']>> {
  if (!window.hearth) throw new ShellError('forbidden');
  const { bridgeAnswer, bridgeCalls } = await loadSchemas();
  const answer = bridgeAnswer.parse(await window.hearth[name](args));
  if ('error' in answer) throw new ShellError(answer.error);
  return bridgeCalls[name].reply.parse(answer.value) as z.output<BridgeCalls[K]['reply']>;
}

/** Opens a port for reading the files of a folder. The shell closes it if access is not permitted. */
export function openFolderPort(key: string): MessagePort {
  const { port1, port2 } = new MessageChannel();
  window.postMessage({ kind: FILES_MESSAGE, key }, location.origin, [port2]);
  return port1;
}

const listeners = new Set<(signal: BridgeSignal) => void>();
let isSubscribed = false;

/**
 * Calls `listener` with each signal of the shell until the returned function is called; does nothing in a browser. The
 * bridge itself has no way to end a subscription, so there is one for all listeners.
 */
export function onShellSignal(listener: (signal: BridgeSignal) => void): () => void {
  listeners.add(listener);
  if (!isSubscribed) {
    isSubscribed = true;
    window.hearth?.onSignal((signal) => {
      void loadSchemas().then(({ bridgeSignal }) => {
        const parsed = bridgeSignal.safeParse(signal);
        if (parsed.success) for (const each of listeners) each(parsed.data);
      });
    });
  }
  return () => listeners.delete(listener);
}
