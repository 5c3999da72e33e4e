import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import type { BackupSource } from '../source/source.ts';
import { textEncodingOf } from './text-encoding.ts';
import type { PhoneLabels } from '../labels.ts';
import { useBytes } from './use-bytes.ts';

const MAX_BYTES = 512 * 1024;
/** Bytes from which the encoding is detected. */
const HEAD_BYTES = 4096;

/** Shows plain text, or the beginning of a long one. */
export default function TextView({
  source,
  fileId,
  size,
  labels,
}: {
  source: BackupSource;
  fileId: string;
  size: number;
  labels: PhoneLabels;
}) {
  const { data, error } = useBytes(source, fileId, size, MAX_BYTES);
  if (error) return <ErrorState message={labels.error(error)} />;
  if (!data) return <Skeleton height={240} />;
  return (
    <>
      <pre className="phone-text mono" tabIndex={0}>
        {new TextDecoder(textEncodingOf(data.subarray(0, HEAD_BYTES)) ?? 'utf-8').decode(data)}
      </pre>
      {size > MAX_BYTES && <p className="cap">{labels.t('beginning_only')}</p>}
    </>
  );
}
