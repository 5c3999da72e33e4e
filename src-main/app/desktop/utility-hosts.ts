import { fileURLToPath } from 'node:url';
import { utilityProcess } from 'electron';
import type { StartHost } from '../../platform/kernel/child-host.ts';

/** Starts a script in a utility process of Electron, which works although a fuse keeps the program from being Node. */
export const startUtilityHost: StartHost = (script, env) => {
  const child = utilityProcess.fork(fileURLToPath(script), [], { env, execArgv: [], stdio: 'ignore' });
  return {
    onMessage: (listener) => void child.on('message', listener),
    onEnd: (listener) => void child.once('exit', listener),
    send: (message) => child.postMessage(message),
    kill() {
      // `kill` asks; a process that hangs in native code has to be ended.
      if (child.pid === undefined) child.kill();
      else process.kill(child.pid, 'SIGKILL');
    },
  };
};
