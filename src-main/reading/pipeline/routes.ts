import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { pipeline as contract, PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { Announcement, Live } from '../../platform/kernel/live.ts';
import type { Pipeline } from './pipeline.ts';
import type { DocumentOwner } from './state.ts';
import { visibleStatus } from './visible-status.ts';

export interface PipelineRouteDeps {
  pipeline: Pick<Pipeline, 'snapshot' | 'counts' | 'pause' | 'resume'>;
  live: Live;
  access: AccessRules;
  belonging: (documentId: number) => DocumentOwner | undefined;
  /** False once the session was revoked or has expired. */
  isSignedIn: (caller: UserCaller) => boolean;
  /** Whether the caller may know when the service for recipients of shares runs. */
  mayFollowShares: (caller: UserCaller) => boolean;
}

/** Administrators see the progress of a check; others see that it begins or ends, since its counts are of the whole vault. */
function visibleCheck(message: Extract<LiveMessage, { kind: 'check' }>, caller: UserCaller): LiveMessage | null {
  if (caller.role === 'admin') return message;
  const isProgress = message.status === 'running' && message.documents > 0;
  return isProgress ? null : { ...message, documents: 0, total: 0, fault_count: 0 };
}

export function pipelineRoutes({
  pipeline,
  live,
  access,
  belonging,
  isSignedIn,
  mayFollowShares,
}: PipelineRouteDeps): Handlers<typeof contract> {
  const mayKnow =
    (caller: UserCaller) =>
    (documentId: number): boolean => {
      const owner = belonging(documentId);
      return owner !== undefined && access.may(caller, 'read', owner);
    };
  /** Administrators run the queue, so they see how long it is. */
  const countsFor = (caller: UserCaller) =>
    caller.role === 'admin' ? null : pipeline.counts((owner) => access.may(caller, 'read', owner));
  const visibleTo = (caller: UserCaller, status: PipelineStatus): PipelineStatus =>
    visibleStatus(status, mayKnow(caller), countsFor(caller));
  const statusFor = (caller: UserCaller): PipelineStatus => visibleTo(caller, pipeline.snapshot());

  /** Returns the part of a message that the caller may see; null if they may not see any of it. */
  function visibleMessage(message: Announcement, caller: UserCaller): LiveMessage | null {
    if (message.kind === 'pipeline') return { kind: 'pipeline', status: visibleTo(caller, message.status) };
    if (message.kind === 'names') {
      if (!('userId' in message)) return null;
      const isConcerned =
        message.userId === caller.userId ||
        message.patientIds.some((patientId) => access.may(caller, 'read', { patientId, uploaderId: null }));
      return isConcerned ? { kind: 'names', type: message.type } : null;
    }
    if (message.kind === 'check') return visibleCheck(message, caller);
    if (message.kind === 'backup') return caller.role === 'admin' ? message : null;
    if (message.kind === 'shares') return mayFollowShares(caller) ? message : null;
    const patientId = message.patient_id;
    if (message.kind === 'event') return access.may(caller, 'read', { patientId, uploaderId: null }) ? message : null;
    // A deleted document no longer has a row, so the message names its patient.
    const owner = belonging(message.document_id) ?? { patientId, uploaderId: null };
    const isHis =
      access.may(caller, 'read', owner) ||
      (patientId !== null && access.may(caller, 'read', { patientId, uploaderId: null }));
    return isHis ? message : null;
  }

  return {
    status: (_input, { caller }) => statusFor(caller),
    events: (_input, { caller }) => ({
      mayListen: () => isSignedIn(caller),
      subscribe(send) {
        const first = { kind: 'pipeline', status: statusFor(caller) } as const;
        send(first);
        let lastStatus = JSON.stringify(first);
        return live.subscribe((message) => {
          const visible = visibleMessage(message, caller);
          if (visible?.kind === 'pipeline') {
            // A status that is the same for this caller would tell that something of others has changed.
            const status = JSON.stringify(visible);
            if (status === lastStatus) return;
            lastStatus = status;
          }
          if (visible) send(visible);
        });
      },
    }),
    start(_input, { caller }) {
      const { running } = pipeline.snapshot();
      pipeline.resume();
      return { ...statusFor(caller), status: running ? 'already_running' : 'started' };
    },
    stop(_input, { caller }) {
      const { running } = pipeline.snapshot();
      pipeline.pause();
      return { ...statusFor(caller), status: running ? 'stopped' : 'already_stopped' };
    },
  };
}
