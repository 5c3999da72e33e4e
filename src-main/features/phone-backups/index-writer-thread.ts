import { parentPort, workerData } from 'node:worker_threads';
import { openIndexWriter } from './index-write.repository.ts';
import type { FromWriter, ToWriter, WriterData } from './index-writer.ts';

/** Writes the index of a backup, one request after another; the first that fails is told, and the rows of its artifact are put back. */
const port = parentPort!;
const { file, tables } = workerData as WriterData;
const writer = openIndexWriter(file, tables);

port.on('message', (request: ToWriter) => {
  let failure: unknown = null;
  try {
    switch (request.act) {
      case 'begin':
        writer.begin(request.artifact);
        break;
      case 'add':
        writer.add(request.lines);
        break;
      case 'commit':
        writer.commit(request.state);
        break;
      case 'rollback':
        writer.rollback();
        break;
      case 'note':
        writer.note(request.state);
        break;
      default:
        writer.close();
    }
  } catch (error) {
    failure = error;
  }
  port.postMessage({ id: request.id, failure } satisfies FromWriter);
  if (request.act === 'close') port.close();
});
