import { type DeviceLine, type LineOptions, openDeviceLine } from '../../../src-shared/ticker/device/line.ts';
import type { SettingChange } from '../../../src-shared/ticker/settings/change.ts';
import { exportSettings, importSettings, writeSettings } from '../../../src-shared/ticker/device/write-settings.ts';
import { TickerError } from '../../../src-shared/ticker/flash/ticker-error.ts';
import { createNodePort } from './node-port.ts';

async function openLine(path: string, options: LineOptions = {}): Promise<DeviceLine> {
  const port = await createNodePort(path);
  if (port === null) throw new TickerError('ticker.no_driver');
  return openDeviceLine(port, options).catch((error: unknown) => {
    const isMissing = error instanceof TickerError && error.code === 'ticker.device_gone';
    throw isMissing ? new TickerError('ticker.port_not_found', { port: path }) : error;
  });
}

/** The settings of the device on a port, as a file that can be written back. */
export async function readTickerSettings(path: string): Promise<string> {
  const line = await openLine(path);
  try {
    return exportSettings(await line.settings());
  } finally {
    await line.close();
  }
}

/** Writes a file of settings to the device on a port, and reads them back. Returns what was changed. */
export async function writeTickerSettings(path: string, name: string, text: string): Promise<SettingChange[]> {
  const wanted = importSettings(name, text);
  const line = await openLine(path);
  try {
    return (await writeSettings(line, wanted)).changes;
  } finally {
    await line.close();
  }
}

/** Follows the log of the device on a port until `signal` or the end of the cable. */
export async function followTickerLog(path: string, onLog: (line: string) => void, signal: AbortSignal): Promise<void> {
  const line = await openLine(path, { onLog });
  try {
    await line.log(true);
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve());
      if (signal.aborted) resolve();
      line.gone.catch(reject);
    });
    await line.log(false);
  } finally {
    await line.close();
  }
}
