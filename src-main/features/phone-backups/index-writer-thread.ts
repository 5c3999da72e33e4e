import { parentPort, workerData } from 'node:worker_threads';
import type { FromWriter, ToWriter, WriterData } from './index-writer-messages.ts';
import { openIndexWriter } from './index-writer.repository.ts';

/**
 * Thread that writes the index of a backup, one request after another. The reply to a failed request contains its
 * error.
 */
const port = parentPort!;
const { file, tables } = workerData as WriterData;
const writer = openIndexWriter(file, tables);

port.on('message', (request: ToWriter) => {
  let failure: unknown = null;
  try {
    handle(request);
  } catch (error) {
    failure = error;
  }
  port.postMessage({ id: request.id, failure } satisfies FromWriter);
  if (request.action === 'close') port.close();
});

function handle(request: ToWriter): void {
  switch (request.action) {
    case 'begin':
      return writer.begin(request.artifact);
    case 'add':
      return writer.add(request.rows);
    case 'commit':
      return writer.commit(request.state);
    case 'rollback':
      return writer.rollback();
    case 'setState':
      return writer.setState(request.state);
    default:
      return writer.close();
  }
}
