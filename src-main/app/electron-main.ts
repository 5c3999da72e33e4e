import { app, dialog } from 'electron';
import { loadConfig } from '../platform/config/load.ts';
import { systemKeychain } from './desktop/keychain.ts';
import { openShell } from './desktop/shell.ts';
import { describeError } from './describe-error.ts';
import { parseFlags } from './flags.ts';
import { runFlags } from './run-flags.ts';

/** Entry for Electron: one instance, the same core as `serve.ts`, and a window that shows it. */
async function startApp(): Promise<void> {
  app.enableSandbox();
  await app.whenReady();
  const flags = parseFlags(process.argv.slice(app.isPackaged ? 1 : 2).filter((word) => !word.startsWith('--inspect')));
  // A free port, so that two users of one computer can both run Hearth.
  const config = loadConfig({ 'http.port': 0, ...flags.config });
  const core = await runFlags(flags, config, { keychain: systemKeychain(), onError: exitWithError });
  openShell(core);
  let isStopped = false;
  app.on('before-quit', (event) => {
    if (isStopped) return;
    event.preventDefault();
    void core.stop().finally(() => {
      isStopped = true;
      app.quit();
    });
  });
}

function exitWithError(error: unknown): void {
  dialog.showErrorBox('Hearth', describeError(error));
  app.exit(1);
}

if (app.requestSingleInstanceLock()) {
  startApp().catch(exitWithError);
} else app.quit();
