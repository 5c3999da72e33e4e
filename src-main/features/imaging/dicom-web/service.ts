import type { AccessRules } from '../../../platform/access/access.ts';
import type { Audit } from '../../../platform/audit/audit.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { StreamedReply } from '../../../platform/http/bytes.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { FrameRenderer } from '../../../reading/dicom/render.ts';
import type { JsonModel } from '../../../reading/dicom/json-model.ts';
import { createFrameCache, type FrameCache } from '../frame-cache.ts';
import { throwUndecodable } from '../../../reading/dicom/throw-undecodable.ts';
import type { StudyReader } from '../study-repository.ts';
import { acceptedRanges, covers, type MediaRange } from './accept.ts';
import { createObjectRepository, type Named, type ObjectRepository, type StoredObject } from './repository.ts';
import { bulkValueAs, framesAs, metadataOf, objectsAs, renderedFrame, requireFile, type Sent } from './retrieve.ts';
import { search, type Level } from './search.ts';

export interface DicomWebDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: Pick<AccessRules, 'visiblePatients'>;
  audit: Audit;
  renderer: Pick<FrameRenderer, 'modelOf' | 'bulkValue' | 'frameBytes' | 'renderFrame'>;
}
interface Deps extends DicomWebDeps {
  objects: ObjectRepository;
  headers: FrameCache;
  /** When a token was last noted to read a study, in ms. */
  noted: Map<string, number>;
}

/** What a viewer sent. */
export interface ViewerCall {
  caller: UserCaller;
  accept: string;
  search: URLSearchParams;
  /** The address of the service. */
  base: string;
  signal: AbortSignal;
}
type Place = Required<Named>;

const JSON_TYPES = ['application/dicom+json', 'application/json'];
/** Headers of about 5 000 objects. */
const MAX_HEADER_BYTES = 32 * 2 ** 20;
/** Viewers ask for hundreds of frames; one entry of the audit log covers an hour of them. */
const NOTE_MS = 3_600_000;
const MAX_NOTED = 10_000;

export type DicomWeb = ReturnType<typeof createDicomWeb>;

/** Read-only DICOMweb of the studies that a user may see. */
export function createDicomWeb(dependencies: DicomWebDeps) {
  const deps: Deps = {
    ...dependencies,
    objects: createObjectRepository(dependencies.db),
    headers: createFrameCache(MAX_HEADER_BYTES),
    noted: new Map(),
  };
  return {
    search: (level: Level, named: Named, call: ViewerCall) => searchAs(deps, level, named, call),
    objects: (named: Named, call: ViewerCall) =>
      reply(deps, named, call, (objects, ranges) => Promise.resolve(objectsAs(deps, objects, ranges, call.base))),
    metadata: (named: Named, call: ViewerCall) =>
      reply(deps, named, call, (objects, ranges) => {
        const chunks = metadataOf(deps, objects, call.base, call.signal);
        return Promise.resolve({ type: requireJson(ranges), chunks });
      }),
    /** `numbers` null is all frames. */
    frames: (place: Place, numbers: readonly number[] | null, call: ViewerCall) =>
      reply(deps, place, call, ([object], ranges) => {
        const all = Array.from({ length: object!.frames }, (_, index) => index + 1);
        if (numbers === null && all.length === 0) throw fail('imaging.frame_not_found');
        return framesAs(deps, object!, numbers ?? all, { ...call, ranges });
      }),
    rendered: (place: Place, number: number, call: ViewerCall) =>
      reply(deps, place, call, ([object], ranges) => renderedFrame(deps, object!, number, { ...call, ranges })),
    bulkdata: (place: Place, element: string, call: ViewerCall) =>
      reply(deps, place, call, ([object], ranges) => bulkValueAs(deps, object!, element, { ...call, ranges })),
  };
}

const readerOf = ({ access }: Deps, { userId, role }: UserCaller): StudyReader => ({
  userId,
  patientIds: access.visiblePatients(userId),
  isAdmin: role === 'admin',
});

/** @throws `dicomweb.not_acceptable` */
function requireJson(ranges: readonly MediaRange[]): string {
  const found = JSON_TYPES.find((type) => ranges.some((range) => !range.isMultipart && covers(range, type)));
  if (found === undefined) throw fail('dicomweb.not_acceptable');
  return found;
}

function searchAs(deps: Deps, level: Level, named: Named, call: ViewerCall): StreamedReply {
  const type = requireJson(acceptedRanges(call.accept, call.search));
  return {
    kind: 'streamed',
    type,
    isAllowed: () => true,
    async open() {
      const found = await search(
        { objects: deps.objects, headerOf: (object) => headerOf(deps, object, call.signal) },
        { reader: readerOf(deps, call.caller), level, named, base: call.base },
        call.search,
      );
      return stream([Buffer.from(JSON.stringify(found))]);
    },
  };
}

async function* stream(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** A search names what a damaged object says nothing about only by its identifiers. */
async function headerOf(
  { headers, renderer, vault }: Deps,
  object: StoredObject,
  signal: AbortSignal,
): Promise<JsonModel> {
  const json = await headers.get(object.hash, async () =>
    Buffer.from(await renderer.modelOf(requireFile({ vault }, object), '', signal).catch(throwUndecodable)),
  );
  return JSON.parse(json.toString()) as JsonModel;
}

/**
 * The reply about objects that a user may see, for as long as they may.
 * @throws `imaging.not_found`, and what `make` throws
 */
async function reply(
  deps: Deps,
  named: Named,
  call: ViewerCall,
  make: (objects: StoredObject[], ranges: MediaRange[]) => Promise<Sent>,
): Promise<StreamedReply> {
  const objects = deps.objects.objects(readerOf(deps, call.caller), named);
  if (objects.length === 0) throw fail('imaging.not_found');
  const { type, chunks } = await make(objects, acceptedRanges(call.accept, call.search));
  noteReading(deps, objects, call.caller);
  return {
    kind: 'streamed',
    type,
    open: () => Promise.resolve(chunks as AsyncIterable<Uint8Array>),
    isAllowed: () => deps.objects.sees(readerOf(deps, call.caller), objects[0]!.study),
  };
}

function noteReading({ audit, clock, noted }: Deps, objects: readonly StoredObject[], caller: UserCaller): void {
  for (const id of new Set(objects.map(({ study_id }) => study_id))) {
    const key = `${caller.sessionId} ${id}`;
    if (clock.now() - (noted.get(key) ?? -Infinity) < NOTE_MS) continue;
    if (noted.size >= MAX_NOTED) noted.clear();
    noted.set(key, clock.now());
    audit.record({ action: 'imaging.viewer_read', resourceType: 'imaging', resourceId: id }, caller);
  }
}
