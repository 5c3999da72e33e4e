import type { Input, Reply } from '../../../src-shared/contract/endpoint.ts';
import type { imaging as contract } from '../../../src-shared/contract/imaging.ts';
import type { BytesReply } from '../../platform/http/bytes.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { lstatOrNull } from '../../platform/vault/paths.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { throwUndecodable } from '../../reading/dicom/throw-undecodable.ts';
import type { FrameRenderer } from '../../reading/dicom/render.ts';
import type { FileRepository, FramedObject } from './file-repository.ts';
import type { FrameCache } from './frame-cache.ts';
import type { FrameLines } from './frame-lines.ts';

export interface FrameDeps {
  vault: Vault;
  files: FileRepository;
  cache: FrameCache;
  lines: FrameLines;
  renderer: Pick<FrameRenderer, 'renderFrame' | 'describeFrame' | 'readPixels'>;
}
type FrameQuery = Input<typeof contract.frame>['query'];

/** Who waits for a frame. */
export interface Waiting {
  userId: number;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
}

/** A picture of the cache, or one that is made when it is the turn of who asks. */
const getPicture = (
  { cache, lines }: FrameDeps,
  key: string,
  make: (signal: AbortSignal) => Promise<Buffer>,
  { userId, signal }: Waiting,
): Promise<Buffer> =>
  cache.get(key, (allGone) => lines.run(userId, () => make(allGone), allGone), signal).catch(throwUndecodable);

/** The objects of a series that have frames. @throws `imaging.series_not_found` */
export function framedObjects({ files }: Pick<FrameDeps, 'files'>, studyId: number, seriesId: number): FramedObject[] {
  if (!files.hasSeries(studyId, seriesId)) throw fail('imaging.series_not_found');
  return files.framed(seriesId);
}

/** @throws `imaging.series_not_found`, `imaging.frame_not_found` */
function requireFrame(deps: FrameDeps, studyId: number, seriesId: number, index: number): FramedObject {
  const object = framedObjects(deps, studyId, seriesId).find(
    ({ first, frames }) => first <= index && index < first + frames,
  );
  if (!object) throw fail('imaging.frame_not_found');
  return object;
}

/** @throws `document.file_missing` */
function requireFile({ vault }: FrameDeps, object: FramedObject): string {
  const path = vault.resolve(object.path);
  if (!lstatOrNull(path)?.isFile()) throw fail('document.file_missing');
  return path;
}

/** What the header of the object with a frame says. */
export async function describeFrame(
  deps: FrameDeps,
  { id, series_id, index }: { id: number; series_id: number; index: number },
  signal: AbortSignal,
): Promise<Reply<typeof contract.frameMetadata>> {
  const object = requireFrame(deps, id, series_id, index);
  const { elements, isCut } = await deps.renderer
    .describeFrame(requireFile(deps, object), index - object.first, signal)
    .catch(throwUndecodable);
  return { items: elements, count: elements.length, is_truncated: isCut };
}

/** A frame as a picture, or the whole object with it as it was filed. */
export function serveFrame(
  deps: FrameDeps,
  { id, series_id, index }: { id: number; series_id: number; index: number },
  { format, wc, ww, invert, upscale }: FrameQuery,
  waiting: Waiting,
): BytesReply {
  const object = requireFrame(deps, id, series_id, index);
  const path = requireFile(deps, object);
  if (format === 'dicom')
    return {
      kind: 'file',
      path,
      type: 'application/dicom',
      etag: object.hash,
      filename: object.name,
      disposition: 'attachment',
    };
  const frame = index - object.first;
  const options = { windowCenter: wc, windowWidth: ww, invert, upscale };
  const key = `${object.hash}-${frame}-${wc ?? ''}-${ww ?? ''}-${invert ? 1 : 0}-${upscale}`;
  return {
    kind: 'made',
    etag: key,
    async make() {
      const draw = (signal: AbortSignal): Promise<Buffer> => deps.renderer.renderFrame(path, frame, options, signal);
      return { data: await getPicture(deps, key, draw, waiting), type: 'image/png' };
    },
  };
}

/** The longer side of a small picture, in pixels. */
const THUMBNAIL_SIDE = 256;

/** A small picture of a series: its middle frame. @throws `imaging.series_not_found`, `imaging.frame_not_found` */
export function serveThumbnail(deps: FrameDeps, studyId: number, seriesId: number, waiting: Waiting): BytesReply {
  const objects = framedObjects(deps, studyId, seriesId);
  const count = objects.reduce((sum, { frames }) => sum + frames, 0);
  const middle = Math.floor(count / 2);
  const object = objects.find(({ first, frames }) => first <= middle && middle < first + frames);
  if (!object) throw fail('imaging.frame_not_found');
  const path = requireFile(deps, object);
  const frame = middle - object.first;
  const key = `${object.hash}-${frame}-small`;
  return {
    kind: 'made',
    etag: key,
    async make() {
      const draw = (signal: AbortSignal): Promise<Buffer> =>
        deps.renderer.renderFrame(path, frame, { maxSide: THUMBNAIL_SIDE }, signal);
      return { data: await getPicture(deps, key, draw, waiting), type: 'image/png' };
    },
  };
}

/** The stored values of a frame with what a viewer needs to draw them. */
export function servePixels(
  deps: FrameDeps,
  { id, series_id, index }: { id: number; series_id: number; index: number },
  waiting: Waiting,
): BytesReply {
  const object = requireFrame(deps, id, series_id, index);
  const path = requireFile(deps, object);
  const frame = index - object.first;
  const key = `${object.hash}-${frame}-pixels`;
  return {
    kind: 'made',
    etag: key,
    async make() {
      const read = (signal: AbortSignal): Promise<Buffer> => deps.renderer.readPixels(path, frame, signal);
      return { data: await getPicture(deps, key, read, waiting), type: 'application/octet-stream' };
    },
  };
}

/** The window that the header of a frame asks for; null where it names none. */
export function windowOf(
  deps: FrameDeps,
  { id, series_id, index }: { id: number; series_id: number; index: number },
): { window_center: number | null; window_width: number | null } {
  const { window_center, window_width } = requireFrame(deps, id, series_id, index);
  return { window_center, window_width };
}
