import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { cacheKeys } from '../../client/cache-keys.ts';
import { upload, type UploadReply } from '../../client/upload.ts';

/** A deleted document with the content of an uploaded file, or what it was deleted with. */
export type TrashedCopy = Extract<UploadReply, { status: 'in_trash' }>;

/** A file in the upload list. */
export interface Sending {
  id: number;
  name: string;
  state: 'waiting' | 'sending' | 'added' | 'duplicate' | 'in_trash' | 'restored' | 'kept' | 'failed';
  share: number;
  reply: UploadReply | null;
  error: unknown;
  /** Copies in the trash of which the user has to decide whether to restore them. */
  trashed: readonly TrashedCopy[];
}
interface Uploads {
  list: readonly Sending[];
  add: (files: readonly File[], patient: string | undefined) => void;
  cancel: (id: number) => void;
  update: (id: number, change: Partial<Sending>) => void;
  /** Uploads a file again whose content is in the trash, as a new document. */
  sendAgain: (id: number) => void;
  clear: () => void;
}

const Context = createContext<Uploads | null>(null);
/** More parallel uploads would only slow each other down. */
const MAX_PARALLEL_UPLOADS = 2;

interface Job {
  id: number;
  file: File;
  patient: string | undefined;
  controller: AbortController;
  asNew: boolean;
}

const waitingItem = ({ id, file }: Job): Sending => ({
  id,
  name: file.name,
  state: 'waiting',
  share: 0,
  reply: null,
  error: null,
  trashed: [],
});

/** Uploads one file and reports its progress and outcome. */
async function sendJob(
  { file, patient, controller, asNew }: Job,
  report: (change: Partial<Sending>) => void,
): Promise<void> {
  try {
    const fields = { ...(patient !== undefined && { patient_id: patient }), ...(asNew && { as_new: '1' as const }) };
    const reply = await upload(file, fields, (share) => report({ share }), controller.signal);
    report({ state: stateOf(reply), share: 1, reply, trashed: trashedIn(reply) });
  } catch (error) {
    report({ state: 'failed', error });
  }
}

const stateOf = ({ status }: UploadReply): Sending['state'] =>
  status === 'duplicate' || status === 'in_trash' ? status : 'added';

function trashedIn(reply: UploadReply): TrashedCopy[] {
  if (reply.status === 'extracted') return reply.documents.filter((document) => document.status === 'in_trash');
  return reply.status === 'in_trash' ? [reply] : [];
}

/** Uploads files in the background, so that they continue on every page. */
export function UploadProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [list, setList] = useState<Sending[]>([]);
  const waitingJobs = useRef<Job[]>([]);
  const runningJobs = useRef(new Map<number, Job>());
  const sentJobs = useRef(new Map<number, Job>());
  const nextId = useRef(1);
  const updateItem = useCallback(
    (id: number, change: Partial<Sending>) =>
      setList((all) => all.map((item) => (item.id === id ? { ...item, ...change } : item))),
    [],
  );

  const pump = useCallback(() => {
    while (runningJobs.current.size < MAX_PARALLEL_UPLOADS) {
      const job = waitingJobs.current.shift();
      if (!job) return;
      runningJobs.current.set(job.id, job);
      sentJobs.current.set(job.id, job);
      updateItem(job.id, { state: 'sending' });
      void sendJob(job, (change) => updateItem(job.id, change)).finally(() => {
        runningJobs.current.delete(job.id);
        for (const queryKey of [cacheKeys.documentLists, cacheKeys.today, cacheKeys.pipeline])
          void client.invalidateQueries({ queryKey });
        pump();
      });
    }
  }, [client, updateItem]);

  const add = useCallback(
    (files: readonly File[], patient: string | undefined) => {
      const jobs = files.map((file): Job => ({
        id: nextId.current++,
        file,
        patient,
        controller: new AbortController(),
        asNew: false,
      }));
      waitingJobs.current.push(...jobs);
      setList((all) => [...all, ...jobs.map(waitingItem)]);
      pump();
    },
    [pump],
  );
  const sendAgain = useCallback(
    (id: number) => {
      const job = sentJobs.current.get(id);
      if (!job) return;
      const again = { ...job, controller: new AbortController(), asNew: true };
      updateItem(id, waitingItem(again));
      waitingJobs.current.push(again);
      pump();
    },
    [pump, updateItem],
  );
  const cancel = useCallback((id: number) => {
    waitingJobs.current = waitingJobs.current.filter((job) => job.id !== id);
    runningJobs.current.get(id)?.controller.abort();
    setList((all) => all.filter((item) => item.id !== id));
  }, []);
  const clear = useCallback(() => {
    setList((all) => all.filter((item) => item.state === 'waiting' || item.state === 'sending'));
    for (const id of sentJobs.current.keys()) if (!runningJobs.current.has(id)) sentJobs.current.delete(id);
  }, []);
  const value = useMemo(
    () => ({ list, add, cancel, update: updateItem, sendAgain, clear }),
    [list, add, cancel, updateItem, sendAgain, clear],
  );
  return <Context value={value}>{children}</Context>;
}

export function useUploads(): Uploads {
  const uploads = useContext(Context);
  if (!uploads) throw new Error('useUploads is used outside UploadProvider');
  return uploads;
}
