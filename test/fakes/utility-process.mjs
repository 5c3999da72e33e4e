// The world of a utility process of Electron: a port to the parent instead of the channel of Node. Runs the script that
// it is given.
import { EventEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';

const send = process.send.bind(process);
const port = Object.assign(new EventEmitter(), { postMessage: (message) => void send(message) });
const waiting = [];
process.on('message', (data) => {
  if (port.listenerCount('message') === 0) waiting.push(data);
  else port.emit('message', { data });
});
// Messages wait until somebody listens.
port.on('newListener', (event) => {
  if (event === 'message') setImmediate(() => waiting.splice(0).forEach((data) => port.emit('message', { data })));
});
process.on('disconnect', () => process.exit());
process.parentPort = port;
process.send = undefined;
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1]).href);
