import { fork } from 'node:child_process';

/** One of our scripts in a process of its own, seen from the process that started it. */
export interface ChildHost {
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when the process has ended or could not be started. */
  onEnd(listener: () => void): void;
  send(message: unknown): void;
  kill(): void;
}
export type StartHost = (script: URL, env: Record<string, string>) => ChildHost;

let startWith: StartHost = startNodeHost;

/** Starts the script in a process. */
export const startHost: StartHost = (script, env) => startWith(script, env);

/** Starts scripts in another way from now on: the packaged desktop program may not run as Node. */
export function replaceHosts(start: StartHost): void {
  startWith = start;
}

function startNodeHost(script: URL, env: Record<string, string>): ChildHost {
  const child = fork(script, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    env,
  });
  return {
    onMessage: (listener) => void child.on('message', listener),
    onEnd(listener) {
      let hasEnded = false;
      const end = (): void => {
        if (!hasEnded) listener();
        hasEnded = true;
      };
      // A process that could not be started has no exit.
      child.once('error', end);
      child.once('exit', end);
    },
    send(message) {
      if (child.connected) child.send(message as object, () => undefined);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** The process that started this one, seen from here. */
export interface ParentPort {
  onMessage<T>(listener: (message: T) => void): void;
  onceMessage<T>(listener: (message: T) => void): void;
  /** Resolves when the message has left. */
  send(message: object): Promise<void>;
  /** Called when the other process has ended; Electron then ends this one itself. */
  onDisconnect(listener: () => void): void;
  isConnected(): boolean;
}

/** What Electron's utility processes have instead of the channel of Node. */
interface UtilityPort {
  on(event: 'message', listener: (message: { data: unknown }) => void): void;
  once(event: 'message', listener: (message: { data: unknown }) => void): void;
  postMessage(message: object): void;
}

/** What a message is, the two processes agree. */
type Listener = (message: unknown) => void;

/** The channel to the process that started this one with `startHost`. */
export function parentPort(): ParentPort {
  const { parentPort: port } = process as NodeJS.Process & { parentPort?: UtilityPort };
  if (port)
    return {
      onMessage: (listener) => port.on('message', ({ data }) => (listener as Listener)(data)),
      onceMessage: (listener) => port.once('message', ({ data }) => (listener as Listener)(data)),
      send: async (message) => port.postMessage(message),
      onDisconnect: () => undefined,
      isConnected: () => true,
    };
  return {
    onMessage: (listener) => void process.on('message', listener as Listener),
    onceMessage: (listener) => void process.once('message', listener as Listener),
    send: (message) => new Promise((resolve) => process.send?.(message, () => resolve())),
    onDisconnect: (listener) => void process.on('disconnect', listener),
    isConnected: () => process.connected,
  };
}
