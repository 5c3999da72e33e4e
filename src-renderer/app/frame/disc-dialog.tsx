import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../client/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Meter } from '../../ui/dots.tsx';
import { findDiscs, inspect, type Disc, type Inspection } from './discs.ts';
import { useUploads } from './uploads.tsx';
import type { ChosenFile } from './window-drop.ts';
import './disc-dialog.css';

/** A disc that is being looked at, or waits for a decision. */
interface Offer {
  disc: Disc;
  patient: string | undefined;
  share: number;
  file: File | null;
  found: Inspection | null;
}

/** Studies that are named; more are counted. */
const MAX_NAMED = 8;

/**
 * Takes files that a user chose: documents at once; of an imaging disc, it first shows what is on it. What can't be
 * looked at is uploaded, so that the list of uploads gives the reason.
 */
export function useDiscs(): {
  offer: (files: readonly ChosenFile[], patient: string | undefined) => void;
} & DialogProps {
  const { add } = useUploads();
  const [waiting, setWaiting] = useState<readonly Offer[]>([]);
  const controller = useRef(new AbortController());
  const [current] = waiting;
  const next = useCallback(() => setWaiting((all) => all.slice(1)), []);
  const update = useCallback(
    (change: Partial<Offer>) => setWaiting(([first, ...rest]) => (first ? [{ ...first, ...change }, ...rest] : [])),
    [],
  );
  const disc = current?.disc;
  const patient = current?.patient;
  useEffect(() => {
    if (!disc) return;
    const abort = new AbortController();
    controller.current = abort;
    void look(disc, (share) => update({ share }), abort.signal).then(({ file, found }) => {
      if (abort.signal.aborted) return;
      if (found && found.study_count > 0) return update({ file, found });
      if (file) add([file], patient);
      next();
    });
    return () => abort.abort();
  }, [disc, patient, add, next, update]);
  return {
    offer(files, of) {
      void findDiscs(files).then(({ discs, others }) => {
        if (others.length > 0) add(others, of);
        const offers = discs.map((each) => ({ disc: each, patient: of, share: 0, file: null, found: null }));
        setWaiting((all) => [...all, ...offers]);
      });
    },
    current: current ?? null,
    onTakeIn() {
      if (current?.file) add([current.file], current.patient);
      next();
    },
    onCancel() {
      controller.current.abort();
      next();
    },
  };
}

async function look(
  disc: Disc,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<{ file: File | null; found: Inspection | null }> {
  let file: File | null = null;
  try {
    file = await disc.pack((share) => onProgress(share / 2), signal);
    return { file, found: await inspect(file, (share) => onProgress(0.5 + share / 2), signal) };
  } catch {
    return { file, found: null };
  }
}

interface DialogProps {
  current: Offer | null;
  onTakeIn: () => void;
  onCancel: () => void;
}

/** What a disc holds, and whether to take it in. */
export function DiscDialog({ current, onTakeIn, onCancel }: DialogProps) {
  const { t } = useTranslation();
  if (!current) return null;
  const { disc, found, share } = current;
  return (
    <Dialog open onOpenChange={onCancel} title={t('disc.title', { name: disc.name })}>
      <div className="stack">
        {found ? (
          <Contents found={found} />
        ) : (
          <div className="disc-looking" aria-live="polite">
            <p>{t('disc.looking')}</p>
            <Meter share={share} label={t('disc.looking')} />
          </div>
        )}
        <div className="dialog-actions">
          <Button onClick={onCancel}>{t('action.cancel')}</Button>
          <Button variant="primary" disabled={!found} onClick={onTakeIn}>
            {t('disc.take_in')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Contents({ found }: { found: Inspection }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const counts = [
    t('disc.studies', { count: found.study_count }),
    t('disc.images', { count: found.images }),
    ...(found.reports > 0 ? [t('disc.reports', { count: found.reports })] : []),
  ];
  const left = found.study_count - Math.min(MAX_NAMED, found.studies.length);
  return (
    <>
      <p className="strong" role="status">
        {counts.join(', ')}
      </p>
      <ul className="lines disc-studies">
        {found.studies.slice(0, MAX_NAMED).map((study, index) => (
          <li key={index}>
            <span className="num muted">{formats.date(study.study_date)}</span>
            <span className="truncate">
              {[study.modality, study.study_description ?? study.body_part].filter(Boolean).join(' · ')}
              {study.patient_name !== null && <span className="cap"> {study.patient_name}</span>}
            </span>
            <span className="num muted">{t('disc.images', { count: study.images })}</span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className="cap">{t('disc.more', { count: left })}</p>}
      {found.others > 0 && <p className="cap">{t('disc.others', { count: found.others })}</p>}
      {found.unreadable > 0 && <p className="cap">{t('disc.unreadable', { count: found.unreadable })}</p>}
    </>
  );
}
