import { DICOM_WEB_PATH, type dicomWeb as contract } from '../../../../src-shared/contract/dicom-web.ts';
import type { viewerAccesses } from '../../../../src-shared/contract/viewer-access.ts';
import type { Call, Handlers } from '../../../platform/http/bind.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import type { ViewerAccessService } from './access.ts';
import type { DicomWeb, ViewerCall } from './service.ts';

const viewerCall = ({ caller, accept, search, origin, signal }: Call<UserCaller>): ViewerCall => ({
  ...{ caller, accept, search, signal },
  base: `${origin}${DICOM_WEB_PATH}`,
});
const numbersOf = (frames: string): number[] => frames.split(',').map(Number);

export const dicomWebRoutes = (web: DicomWeb): Handlers<typeof contract> => ({
  studies: (_input, call) => web.search('study', {}, viewerCall(call)),
  series: (_input, call) => web.search('series', {}, viewerCall(call)),
  instances: (_input, call) => web.search('instance', {}, viewerCall(call)),
  seriesOfStudy: ({ params }, call) => web.search('series', params, viewerCall(call)),
  instancesOfStudy: ({ params }, call) => web.search('instance', params, viewerCall(call)),
  instancesOfSeries: ({ params }, call) => web.search('instance', params, viewerCall(call)),
  study: ({ params }, call) => web.objects(params, viewerCall(call)),
  seriesObjects: ({ params }, call) => web.objects(params, viewerCall(call)),
  instance: ({ params }, call) => web.objects(params, viewerCall(call)),
  studyMetadata: ({ params }, call) => web.metadata(params, viewerCall(call)),
  seriesMetadata: ({ params }, call) => web.metadata(params, viewerCall(call)),
  instanceMetadata: ({ params }, call) => web.metadata(params, viewerCall(call)),
  allFrames: ({ params }, call) => web.frames(params, null, viewerCall(call)),
  frames: ({ params }, call) => web.frames(params, numbersOf(params.frames), viewerCall(call)),
  rendered: ({ params }, call) => web.rendered(params, 1, viewerCall(call)),
  renderedFrame: ({ params }, call) => web.rendered(params, numbersOf(params.frames)[0]!, viewerCall(call)),
  bulkdata: ({ params }, call) => web.bulkdata(params, params.element, viewerCall(call)),
});

export const viewerAccessRoutes = (tokens: ViewerAccessService): Handlers<typeof viewerAccesses> => ({
  list: (_input, { caller, origin }) => ({ items: tokens.list(caller.userId), address: `${origin}${DICOM_WEB_PATH}` }),
  create({ body }, call) {
    const made = tokens.create(body, call.caller.userId);
    call.setRecordId(made.id);
    return made;
  },
  revoke({ params }, call) {
    tokens.revoke(params.access_id, call.caller.userId);
    call.setRecordId(params.access_id);
    return { status: 'revoked' };
  },
});
