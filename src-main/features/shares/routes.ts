import type { share as recipientContract, SeatReply } from '../../../src-shared/contract/share.ts';
import { CLAIM_SECONDS } from '../../../src-shared/contract/share-limits.ts';
import type { shares as contract } from '../../../src-shared/contract/shares.ts';
import type { Call, Handlers } from '../../platform/http/bind.ts';
import type { Caller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import type { Visitor } from './audit-repository.ts';
import type { Carried, Place } from './seats.ts';
import type { Recipients } from './recipients.ts';
import type { Viewer } from './shared-files.ts';
import type { Shares } from './service.ts';

export const shareRoutes = (service: Shares): Handlers<typeof contract> => ({
  async create({ body }, call) {
    const created = await service.create(body, call.caller);
    call.setRecordId(created.share_id);
    call.note({ patient_id: body.patient_id, documents: body.document_ids.length });
    return created;
  },
  list: ({ query }, { caller }) => service.list(caller, query.patient_id),
  unopenable: ({ query }, { signal }) => service.unopenable(query.patient_id, query.document_ids, signal),
  revoke: ({ params }) => service.revoke(params.share_id),
  reopen: ({ params }) => service.reopen(params.share_id),
  renewLink: ({ params }) => service.renewLink(params.share_id),
  purge: ({ params }) => service.purge(params.share_id),
  audit: ({ params, query }) => service.audit(params.share_id, query.include_active_otp),
  cancelCode: ({ params }) => service.cancelCode(params.share_id),
  activeOtp: ({ params }) => ({ active_otp: service.activeCode(params.share_id) }),
  documents: ({ params }, { signal }) => service.documents(params.share_id, signal),
  addDocuments({ params, body }, call) {
    call.note({ document_ids: body.document_ids });
    return service.addDocuments(params.share_id, body.document_ids);
  },
  removeDocument({ params }, call) {
    call.note({ document_id: params.document_id });
    return service.removeDocument(params.share_id, params.document_id);
  },
  sessions: ({ params }) => service.sessions(params.share_id),
  endSession: ({ params }) => service.endSession(params.share_id, params.rowid),
  dropWaiter: ({ params }) => service.dropWaiter(params.share_id, params.rowid),
  listener: (_input, { caller }) => service.service(caller),
  openService: () => service.openService(),
  async closeService(_input, call) {
    const closed = await service.closeService();
    call.note({ sessions: closed.sessions, waiting: closed.waiting });
    return closed;
  },
  delivery: () => service.delivery(),
});

type VisitorCall = Pick<Call<Caller>, 'caller' | 'userAgent' | 'recipient'>;
const visitorOf = ({ caller, userAgent }: VisitorCall): Visitor => ({ ip: caller.ip, userAgent });
const carriedBy = ({ recipient }: VisitorCall): Carried => ({
  session: recipient.session.read(),
  place: recipient.queue.read(),
});

/** Sets the cookie of a place and clears the other one. */
function keepPlace({ recipient }: VisitorCall, place: Place): SeatReply {
  const { status, share, recipientLabel: recipient_label, secret, lastsMs, expiresAt } = place;
  if (secret !== null) {
    const [own, other] =
      status === 'active' ? [recipient.session, recipient.queue] : [recipient.queue, recipient.session];
    own.set(secret, lastsMs);
    if (other.read() !== null) other.clear();
  }
  return status === 'active'
    ? { status, share, recipient_label, expires_at: expiresAt }
    : {
        status,
        share,
        recipient_label,
        queue_expires_at: expiresAt,
        retry_after_seconds: CLAIM_SECONDS,
        position: place.position,
      };
}

export const recipientRoutes = ({
  codes,
  seats,
  me,
  document,
  files,
  texts,
  translations,
}: Recipients): Handlers<typeof recipientContract> => ({
  info: ({ params }) => ({ delivery: codes.delivery(params.token) }),
  requestCode({ params }, call) {
    codes.request(params.token, visitorOf(call), call.language);
  },
  async verifyCode({ params, body }, call) {
    return keepPlace(call, await codes.verify(params.token, body.code, visitorOf(call), carriedBy(call)));
  },
  claim(_input, call) {
    const place = seats.claim(carriedBy(call), visitorOf(call));
    if (place) return keepPlace(call, place);
    call.recipient.queue.clear();
    throw fail('share.place_expired');
  },
  leaveQueue(_input, call) {
    seats.leaveQueue(call.recipient.queue.read(), visitorOf(call));
    call.recipient.queue.clear();
  },
  heartbeat(_input, call) {
    const secret = call.recipient.session.read();
    if (secret !== null) seats.resolve(secret);
  },
  logout({ body }, call) {
    const left = seats.logout(carriedBy(call), visitorOf(call), body ?? {});
    if (left.session) call.recipient.session.clear();
    if (left.place) call.recipient.queue.clear();
    return { ok: true };
  },
  me: (_input, call) => me(openSession(seats, call), call.signal),
  async document({ params }, call) {
    const found = await document(call.caller, params.doc_id, call.signal);
    call.setRecordId(params.doc_id);
    return found;
  },
  async file({ params }, call) {
    call.setRecordId(params.doc_id);
    return files.copy(params.doc_id, viewerOf(seats, call));
  },
  page({ params }, call) {
    call.setRecordId(params.doc_id);
    return files.page(params.doc_id, params.page, viewerOf(seats, call));
  },
  frame({ params, query }, call) {
    const { doc_id, series_id: seriesId, index } = params;
    call.setRecordId(doc_id);
    call.note({ series_id: seriesId, frame: index });
    const window = { windowCenter: query.wc, windowWidth: query.ww };
    return files.frame(doc_id, { seriesId, index, window }, viewerOf(seats, call));
  },
  pageText({ params }, call) {
    call.setRecordId(params.doc_id);
    return texts.read(params.doc_id, params.page, viewerOf(seats, call));
  },
  regionThumbnail: ({ params }, call) => files.regionThumbnail(params.doc_id, params.region_id, viewerOf(seats, call)),
  translateRegion: ({ params, body }, call) => translations.request(params.doc_id, body, viewerOf(seats, call)),
  translate: ({ params, body }, call) =>
    translations.request(
      params.doc_id,
      { page: 1, bbox: WHOLE_PAGE, target_language: body?.target_language },
      viewerOf(seats, call),
    ),
});

const WHOLE_PAGE = { x: 0, y: 0, w: 1, h: 1 };

/** Who looks at a file. */
const viewerOf = (seats: Recipients['seats'], call: VisitorCall & Pick<Call, 'language' | 'signal'>): Viewer => ({
  session: openSession(seats, call),
  visitor: visitorOf(call),
  language: call.language,
  signal: call.signal,
});

/** The session of a caller who was let in; it may have ended meanwhile. */
const openSession = (seats: Recipients['seats'], { recipient }: VisitorCall) =>
  orNotFound(seats.resolve(recipient.session.read() ?? ''), 'share.session_ended');
