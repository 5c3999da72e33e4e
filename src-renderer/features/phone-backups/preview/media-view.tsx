import { useEffect, useMemo, useRef, useState, type Ref } from 'react';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import type { BackupSource } from '../source/source.ts';
import type { PhoneWords } from '../words.ts';
import { playableOf } from './playable.ts';
import { useBytes } from './use-bytes.ts';

/** Plays sound or film out of memory. */
export default function MediaView({ source, fileId, size, kind, name, words }: { source: BackupSource; fileId: string; size: number; kind: 'audio' | 'video'; name: string; words: PhoneWords }) {
  const { data, error } = useBytes(source, fileId, size);
  const [isUnplayable, setUnplayable] = useState(false);
  const player = useRef<HTMLMediaElement>(null);
  // What phones record and no browser knows is changed, or told.
  const changed = useMemo(() => (data && kind === 'audio' ? playableOf(data) : null), [data, kind]);
  useEffect(() => {
    const element = player.current;
    if (!data || !element) return undefined;
    const url = URL.createObjectURL(changed && 'bytes' in changed ? new Blob([changed.bytes], { type: changed.type }) : new Blob([data], { type: typeOf(kind, name) }));
    element.src = url;
    return () => URL.revokeObjectURL(url);
  }, [data, kind, name, changed]);
  if (error) return <ErrorState message={words.error(error)} />;
  if (changed && 'codec' in changed) return <EmptyState title={words.t('unplayable_codec', { codec: changed.codec })}>{words.t('unplayable_text')}</EmptyState>;
  if (isUnplayable) return <EmptyState title={words.t('unplayable')}>{words.t('unplayable_text')}</EmptyState>;
  if (!data) return <Skeleton height={54} />;
  const shared = { controls: true, 'aria-label': name, onError: () => setUnplayable(true) };
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- what a person recorded has no captions
  return kind === 'audio' ? <audio ref={player as Ref<HTMLAudioElement>} className="phone-audio" {...shared} /> : <video ref={player as Ref<HTMLVideoElement>} className="phone-picture" {...shared} />;
}

/** Types by the ending; what phones record is MPEG-4. */
const TYPES: Readonly<Record<string, string>> = { wav: 'audio/wav', mp3: 'audio/mpeg', opus: 'audio/ogg', ogg: 'audio/ogg', amr: 'audio/amr' };
const typeOf = (kind: 'audio' | 'video', name: string): string => TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? `${kind}/mp4`;
