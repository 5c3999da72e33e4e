import {
  isDictionary,
  isKeyedArchive,
  readPlist,
  Uid,
  unarchive,
  type PlistValue,
} from '../../../../src-shared/ios-backup/index.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';
import { useBytes } from './use-bytes.ts';

/** Entries of one list that are shown. */
const MAX_ITEMS = 500;
/** Levels that are open at first. */
const OPEN_LEVELS = 2;

/** A property list, binary or XML, as a tree. The objects of a keyed archive are resolved. */
export default function PlistView({
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
  const { data, error } = useBytes(source, fileId, size);
  if (error) return <ErrorState message={labels.error(error)} />;
  if (!data) return <Skeleton height={240} />;
  const value = parsePlist(data);
  return value === undefined ? (
    <EmptyState title={labels.t('broken_plist')} />
  ) : (
    <div className="phone-plist mono" tabIndex={0} role="group" aria-label={labels.t('kind.plist')}>
      <Value value={value} level={0} labels={labels} />
    </div>
  );
}

function parsePlist(bytes: Uint8Array): PlistValue | undefined {
  try {
    const value = readPlist(bytes);
    return isKeyedArchive(value) ? unarchive(value) : value;
  } catch {
    return undefined;
  }
}

function Value({ value, level, labels }: { value: PlistValue; level: number; labels: PhoneLabels }) {
  if (Array.isArray(value))
    return (
      <Branch
        count={value.length}
        kind="[ ]"
        entries={value.slice(0, MAX_ITEMS).map((each, index) => [String(index), each])}
        level={level}
        labels={labels}
      />
    );
  if (isDictionary(value))
    return (
      <Branch
        count={Object.keys(value).length}
        kind="{ }"
        entries={Object.entries(value).slice(0, MAX_ITEMS)}
        level={level}
        labels={labels}
      />
    );
  return <span className="phone-leaf">{leafText(value, labels)}</span>;
}

function Branch({
  entries,
  count,
  kind,
  level,
  labels,
}: {
  entries: readonly (readonly [string, PlistValue])[];
  count: number;
  kind: string;
  level: number;
  labels: PhoneLabels;
}) {
  return (
    <details open={level < OPEN_LEVELS}>
      <summary className="cap">
        {kind} {count}
      </summary>
      <ul>
        {entries.map(([name, each]) => (
          <li key={name}>
            <span className="muted">{name}</span> <Value value={each} level={level + 1} labels={labels} />
          </li>
        ))}
        {count > entries.length && <li className="cap">{labels.t('more', { count: count - entries.length })}</li>}
      </ul>
    </details>
  );
}

/** Bytes of binary data that are shown in hexadecimal. */
const MAX_HEX_BYTES = 24;

function leafText(value: PlistValue, { formats }: PhoneLabels): string {
  if (value instanceof Uint8Array) {
    const start = [...value.subarray(0, MAX_HEX_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    return `⟨${formats.bytes(value.length)}⟩ ${start}${value.length > MAX_HEX_BYTES ? ' …' : ''}`;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (value instanceof Uid) return `→ ${value.index}`;
  return String(value);
}
