import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ReadableStream, WritableStream } from 'node:stream/web';
import { ReadStream } from 'node:tty';
import { ImprovSerial } from 'improv-wifi-serial-sdk/dist/serial.js';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Device, startDevice } from '../fakes/device.ts';
import { buildFirmware, SIMULATOR } from '../support/firmware.ts';
import { describeWith } from '../support/requirements.ts';

/** What ImprovSerialCurrentState and ImprovSerialErrorState of the client say. */
const READY = 2,
  PROVISIONED = 4,
  NO_ERROR = 0,
  UNABLE_TO_CONNECT = 3;
const silent = { log: () => undefined, error: () => undefined, debug: () => undefined };

type Port = ConstructorParameters<typeof ImprovSerial>[0];

/**
 * A serial line as the browser's Web Serial shows it, over the pseudo-terminal: what is written has left before the
 * next packet comes.
 */
function openPort(pty: string): { port: Port; close(): void } {
  const out = openSync(pty, 'r+'),
    input = new ReadStream(openSync(pty, 'r+'));
  // A read that waits when the device ends fails with EIO, as when a cable is pulled.
  input.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error;
  });
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      input.on('data', (bytes: Buffer) => controller.enqueue(Uint8Array.from(bytes)));
    },
    cancel() {
      input.destroy();
    },
  });
  const writable = new WritableStream<Uint8Array>({ write: (bytes) => void writeSync(out, bytes) });
  return {
    port: { readable, writable } as unknown as Port,
    close: () => {
      input.destroy();
      closeSync(out);
    },
  };
}

describeWith(SIMULATOR, 'a device set up by the client of the Improv project', () => {
  let program: string, device: Device, line: ReturnType<typeof openPort>, client: ImprovSerial;
  beforeAll(() => {
    program = join(buildFirmware('ticker-sim'), 'sim/ticker-sim');
  });
  afterEach(async () => {
    await client.close();
    line.close();
    await device.stop();
  });

  test('reports its name, the networks in range, a wrong password, and its address after it connects', async () => {
    device = await startDevice(program, ['--chip', 'esp32', '--speed', '20', '--wifi', 'home,behind the wall']);
    line = openPort(device.pty);
    client = new ImprovSerial(line.port, silent);
    const info = await client.initialize(10_000);
    expect(info).toMatchObject({
      chipFamily: 'ESP32',
      firmware: expect.stringMatching(/\S/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      name: expect.stringMatching(/\S/),
    });
    expect(client.state).toBe(READY);
    expect(await client.scan()).toEqual([{ name: 'home', rssi: expect.any(Number), secured: true }]);
    await expect(client.provision('home', 'not behind it', 60_000)).rejects.toThrow();
    // The state comes in a packet behind that of the error, on which the client gave up.
    await expect.poll(() => [client.state, client.error]).toEqual([READY, UNABLE_TO_CONNECT]);
    await client.provision('home', 'behind the wall', 60_000);
    expect([client.state, client.error]).toEqual([PROVISIONED, NO_ERROR]);
    expect(client.nextUrl).toMatch(/^http:\/\//);
  });
});
