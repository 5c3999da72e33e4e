import type { imaging as contract } from '../../../src-shared/contract/imaging.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Waiting } from './frames.ts';
import type { Imaging } from './service.ts';

const waitingOf = ({ caller, signal }: { caller: UserCaller; signal: AbortSignal }): Waiting => ({
  userId: caller.userId,
  signal,
});

export const imagingRoutes = (imaging: Imaging): Handlers<typeof contract> => ({
  list: ({ query }, { caller }) => imaging.list(query, caller),
  doses: ({ query }) => imaging.doses(query.patient_id),
  exportStudies({ query }, call) {
    call.note({ studies: query.ids, deidentified: query.deidentify });
    return imaging.exportStudies(query, call);
  },
  get: ({ params }) => imaging.get(params.id),
  frames: ({ params }) => imaging.frames(params.id, params.series_id),
  frame: ({ params, query }, call) => imaging.frame(params, query, waitingOf(call)),
  thumbnail: ({ params }, call) => imaging.thumbnail(params.id, waitingOf(call)),
  seriesThumbnail: ({ params }, call) => imaging.seriesThumbnail(params, waitingOf(call)),
  pixels: ({ params }, call) => imaging.pixels(params, waitingOf(call)),
  marks: ({ params }) => imaging.marks(params.id),
  addMark: ({ params, body }, { caller }) => imaging.addMark(params.id, body, caller),
  changeMark: ({ params, body }) => imaging.changeMark(params.id, params.mark_id, body),
  removeMark: ({ params }) => imaging.removeMark(params.id, params.mark_id),
  frameWindow: ({ params }) => imaging.frameWindow(params),
  frameMetadata: ({ params }, call) => imaging.frameMetadata(params, call.signal),
  bundleFiles: ({ params }) => imaging.bundleFiles(params.id),
  bundleFile: ({ params }) => imaging.bundleFile(params.id, params.name),
  bundleFileInFolder: ({ params }) => imaging.bundleFile(params.id, `${params.folder}/${params.name}`),
  links: ({ params }, { caller }) => imaging.links(params.id, caller),
  link: ({ params, body }, { caller }) => imaging.link(params.id, body, caller),
  unlink: ({ params }, { caller }) => imaging.unlink(params.id, params.link_id, caller),
  attachReport({ params, query, body, receive }, { caller }) {
    const documentId = query.document_id ?? body?.document_id;
    if (receive && documentId === undefined) return imaging.attachReport(params.id, { receive }, caller);
    if (documentId === undefined) throw fail('imaging.report_not_named');
    return imaging.attachReport(params.id, { documentId }, caller);
  },
  detachReport: ({ params }) => imaging.detachReport(params.id),
  update: ({ params, body }) => imaging.update(params.id, body),
});
