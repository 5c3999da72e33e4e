import { app, dialog } from 'electron';
import { loadConfig } from '../platform/config/load.ts';
import { systemKeychain } from './desktop/keychain.ts';
import { openShell } from './desktop/shell.ts';
import { parseFlags } from './flags.ts';
import { runCore } from './supervisor.ts';

/** Electron: one instance, the same core as headless, and a window on its address. */
async function open(): Promise<void> {
  app.enableSandbox();
  await app.whenReady();
  const flags = parseFlags(process.argv.slice(app.isPackaged ? 1 : 2).filter((word) => !word.startsWith('--inspect')));
  // A free port: two people of one computer may each have their Hearth open.
  const { core } = flags.demo
    ? await (await import('./demo/demo.ts')).startDemo({ ...flags.config, 'http.port': 0 })
    : {
        core: await runCore(
          { config: loadConfig({ 'http.port': 0, ...flags.config }), keychain: systemKeychain() },
          giveUp,
        ),
      };
  openShell(core);
  let stopped = false;
  app.on('before-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void core.stop().finally(() => {
      stopped = true;
      app.quit();
    });
  });
}

function giveUp(error: unknown): void {
  dialog.showErrorBox('Hearth', error instanceof Error ? error.message : String(error));
  app.exit(1);
}

if (app.requestSingleInstanceLock()) {
  open().catch(giveUp);
} else app.quit();
