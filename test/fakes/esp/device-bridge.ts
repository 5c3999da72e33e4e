/** Joins the line of a simulated device with standard input and output: `node device-bridge.ts PTY`. */
import { openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';

const [path] = process.argv.slice(2);
const out = openSync(path!, 'r+');
process.stdin.on('data', (bytes: Buffer) => writeSync(out, bytes));
process.stdin.on('end', () => process.exit(0));
const line = new ReadStream(openSync(path!, 'r+'));
// The device ended, as when a cable is pulled.
line.on('error', () => process.exit(0));
line.on('data', (bytes: Buffer) => process.stdout.write(bytes));
