import type { Outgoing } from '../send/outgoing.ts';
import type { BackupSource } from '../source/source.ts';
import type { Task } from '../task.ts';
import type { PhoneLabels } from '../labels.ts';
import { archiveOf } from './archive.ts';
import { saveBlob } from './download.ts';

/** An archive up to this size is downloaded; a larger one is written straight to the file that the user selects. */
const MAX_DOWNLOAD_BYTES = 256 * 1024 * 1024;
/** Assumed size of a file whose size is unknown. */
const ASSUMED_FILE_BYTES = 3 * 1024 * 1024;

type SavedFile = Pick<Outgoing, 'fileId' | 'domain' | 'relativePath' | 'filename' | 'at' | 'size'>;

/**
 * Saves files as one archive with their paths and dates on the phone. `links`: paths of symbolic links, which the
 * archive only lists.
 */
export async function saveFiles(
  source: BackupSource,
  files: readonly SavedFile[],
  name: string,
  labels: Pick<PhoneLabels, 't' | 'error'>,
  { signal, progress }: Task,
  links: readonly string[] = [],
): Promise<void> {
  if (files.length === 0 && links.length === 0) return;
  const expected = files.reduce((sum, { size }) => sum + (size ?? ASSUMED_FILE_BYTES), 0);
  // Browsers show the save dialog only shortly after a click, so it opens before anything is read.
  const target =
    expected > MAX_DOWNLOAD_BYTES && 'showSaveFilePicker' in globalThis
      ? await (await window.showSaveFilePicker({ suggestedName: name })).createWritable()
      : null;
  progress(0);
  let done = 0;
  const { t } = labels;
  const archive = archiveOf(
    source,
    files,
    {
      name: t('left_out.file'),
      title: t('left_out.title'),
      links,
      linkReason: t('left_out.link'),
      reasonOf: labels.error,
    },
    { signal, onBytes: (bytes) => progress(Math.min(1, (done += bytes) / expected)) },
  );
  if (target) await archive.pipeTo(target, { signal });
  else saveBlob(await new Response(archive, { headers: { 'Content-Type': 'application/zip' } }).blob(), name);
}
