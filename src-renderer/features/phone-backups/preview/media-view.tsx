import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type Ref } from 'react';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';
import { playableOf, type Playable } from './playable.ts';
import { decodeSpeech } from './speech.ts';
import { useBytes } from './use-bytes.ts';

/** Plays audio or video from memory. */
export default function MediaView({
  source,
  fileId,
  size,
  kind,
  name,
  labels,
}: {
  source: BackupSource;
  fileId: string;
  size: number;
  kind: 'audio' | 'video';
  name: string;
  labels: PhoneLabels;
}) {
  const { data, error } = useBytes(source, fileId, size);
  // Converts or decodes what phones record and browsers can't play, or explains why it can't be played.
  const converted = useMemo(() => (data && kind === 'audio' ? playableOf(data) : null), [data, kind]);
  const original = useMemo(() => (data ? { bytes: data, type: typeOf(kind, name) } : null), [data, kind, name]);
  if (error) return <ErrorState message={labels.error(error)} />;
  if (!data || !original) return <Skeleton height={54} />;
  if (converted && 'isSpeech' in converted)
    return <SpeechPlayer source={source} fileId={fileId} bytes={data} name={name} labels={labels} />;
  if (converted && 'codec' in converted)
    return (
      <EmptyState title={labels.t('unplayable_codec', { codec: converted.codec })}>
        {labels.t('unplayable_text')}
      </EmptyState>
    );
  return <Player media={converted ?? original} kind={kind} name={name} labels={labels} />;
}

/** Plays voicemail and other AMR files; says if only a part can be played. */
function SpeechPlayer({
  source,
  fileId,
  bytes,
  name,
  labels,
}: {
  source: BackupSource;
  fileId: string;
  bytes: Uint8Array;
  name: string;
  labels: PhoneLabels;
}) {
  const { t } = labels;
  const { data: sound, error } = useQuery({
    queryKey: [PHONE_KEY, source.device.id, 'speech', fileId],
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    queryFn: ({ signal }) => decodeSpeech(bytes, signal),
  });
  const media = useMemo(() => (sound ? { bytes: sound.wave, type: 'audio/wav' } : null), [sound]);
  if (error || sound === null) return <EmptyState title={t('broken_sound')}>{t('unplayable_text')}</EmptyState>;
  if (!sound || !media) return <Skeleton height={54} />;
  const length = labels.duration(sound.seconds);
  return (
    <>
      <Player media={media} kind="audio" name={name} labels={labels} />
      {sound.totalSeconds > sound.seconds ? (
        <p className="cap">{t('long_sound', { length, whole: labels.duration(sound.totalSeconds) })}</p>
      ) : (
        sound.isDamaged && <p className="cap">{t('cut_sound', { length })}</p>
      )}
    </>
  );
}

function Player({
  media,
  kind,
  name,
  labels,
}: {
  media: Playable;
  kind: 'audio' | 'video';
  name: string;
  labels: PhoneLabels;
}) {
  const [isUnplayable, setUnplayable] = useState(false);
  const player = useRef<HTMLMediaElement>(null);
  useEffect(() => {
    const element = player.current;
    if (!element) return undefined;
    const url = URL.createObjectURL(new Blob([media.bytes], { type: media.type }));
    element.src = url;
    return () => URL.revokeObjectURL(url);
  }, [media]);
  if (isUnplayable) return <EmptyState title={labels.t('unplayable')}>{labels.t('unplayable_text')}</EmptyState>;
  const shared = { controls: true, 'aria-label': name, onError: () => setUnplayable(true) };
  if (kind === 'audio') {
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- recordings of a person have no captions
    return <audio ref={player as Ref<HTMLAudioElement>} className="phone-audio" {...shared} />;
  }
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- recordings of a person have no captions
  return <video ref={player as Ref<HTMLVideoElement>} className="phone-picture" {...shared} />;
}

/** Media types by file extension; other recordings of phones are MPEG-4. */
const TYPES: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  ogg: 'audio/ogg',
  amr: 'audio/amr',
};
const typeOf = (kind: 'audio' | 'video', name: string): string =>
  TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? `${kind}/mp4`;
