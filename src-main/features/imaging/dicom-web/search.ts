import { fail } from '../../../platform/kernel/errors.ts';
import type { JsonModel } from '../../../reading/dicom/json-model.ts';
import type { StudyReader } from '../study-repository.ts';
import { isMatch, parseQuery, selected, type Query } from './query.ts';
import type { Named, ObjectRepository, StoredGroup, StoredObject } from './repository.ts';

export type Level = 'study' | 'series' | 'instance';
export interface SearchDeps {
  objects: ObjectRepository;
  /** The elements of an object, for which long values have no address. */
  headerOf(object: StoredObject): Promise<JsonModel>;
}

/** PS3.18, tables 10.6.3-3 to 10.6.3-5. */
const USUAL: Record<Level, readonly string[]> = {
  study: [
    ...['00080005', '00080020', '00080030', '00080050', '00080056', '00080061', '00080090', '00080201', '00081030'],
    ...['00081190', '00100010', '00100020', '00100030', '00100040', '0020000D', '00200010', '00201206', '00201208'],
  ],
  series: [
    ...['00080005', '00080021', '00080031', '00080056', '00080060', '00080201', '0008103E', '00081190', '00180015'],
    ...['0020000D', '0020000E', '00200011', '00201209', '00400244', '00400245', '00400275'],
  ],
  instance: [
    ...['00080005', '00080016', '00080018', '00080056', '00080201', '00081190', '0020000D', '0020000E', '00200013'],
    ...['00280010', '00280011', '00280100', '00280008', '00083002'],
  ],
};
/** Attributes that rows of the database answer, so that no file is read for them. */
const UIDS: Readonly<Record<string, keyof StoredObject>> = {
  '0020000D': 'study',
  '0020000E': 'series',
  '00080018': 'instance',
  '00080016': 'sop_class_uid',
};
/** Headers that one search reads. */
const MAX_READ = 20_000;

/**
 * Finds studies, series or objects, in the DICOM JSON model. `base` begins their addresses.
 * @throws `dicomweb.unknown_attribute`, `dicomweb.invalid_parameter`, `dicomweb.too_many`, and what `headerOf` throws
 */
export async function search(
  deps: SearchDeps,
  { reader, level, named, base }: { reader: StudyReader; level: Level; named: Named; base: string },
  parameters: URLSearchParams,
): Promise<JsonModel[]> {
  // The dictionary is large, and few households ask.
  const { elementName, tagOfAttribute } = await import('../../../reading/dicom/element-names.ts');
  const query = parseQuery(parameters, tagOfAttribute, (tag) => elementName(`x${tag}`, null).vr);
  const { uids, others } = splitMatches(query);
  const candidates = candidatesOf(deps, { reader, level, named }).filter((object) =>
    uids.every(({ field, values }) => values.includes(String(object[field]))),
  );
  const usual = level === 'study' || named.study !== undefined ? USUAL[level] : relational(level, named);
  if (others.length === 0) {
    const page = candidates.slice(query.offset, query.offset + query.limit);
    return Promise.all(page.map(async (object) => selected(await describe(deps, object, level, base), usual, query)));
  }
  if (candidates.length > MAX_READ) throw fail('dicomweb.too_many', { limit: MAX_READ });
  const found: JsonModel[] = [];
  for (const object of candidates) {
    if (found.length >= query.offset + query.limit) break;
    const model = await describe(deps, object, level, base);
    if (isMatch(model, { ...query, matches: others })) found.push(selected(model, usual, query));
  }
  return found.slice(query.offset);
}

/** A search that names no study also says which study a result belongs to. */
const relational = (level: Level, { series }: Named): string[] => [
  ...USUAL.study,
  ...(level === 'instance' && series === undefined ? USUAL.series : []),
  ...USUAL[level],
];

function splitMatches({ matches }: Query) {
  const isUid = ({ path }: Query['matches'][number]): boolean => path.length === 1 && UIDS[path[0]!] !== undefined;
  return {
    uids: matches
      .filter(isUid)
      .map(({ path, value }) => ({ field: UIDS[path[0]!]!, values: value.split(/[,\\]/).map((uid) => uid.trim()) })),
    others: matches.filter((match) => !isUid(match)),
  };
}

function candidatesOf(
  { objects }: SearchDeps,
  { reader, level, named }: { reader: StudyReader; level: Level; named: Named },
): (StoredObject | StoredGroup)[] {
  return level === 'instance' ? objects.objects(reader, named) : objects.groups(reader, level, named);
}

const whole = (value: number) => ({ vr: 'IS', Value: [value] });

/** The header of a result, with what Hearth knows about it. */
async function describe(
  deps: SearchDeps,
  object: StoredObject | StoredGroup,
  level: Level,
  base: string,
): Promise<JsonModel> {
  const { study, series, instance, sop_class_uid } = object;
  const address = {
    study: `${base}/studies/${study}`,
    series: `${base}/studies/${study}/series/${series}`,
    instance: `${base}/studies/${study}/series/${series}/instances/${instance}`,
  };
  return {
    ...(await deps.headerOf(object)),
    '00080056': { vr: 'CS', Value: ['ONLINE'] },
    '00081190': { vr: 'UR', Value: [address[level]] },
    // Identifiers that a header lacks were derived when the object was filed.
    '0020000D': { vr: 'UI', Value: [study] },
    '0020000E': { vr: 'UI', Value: [series] },
    '00080018': { vr: 'UI', Value: [instance] },
    '00080016': { vr: 'UI', Value: [sop_class_uid] },
    ...('series_count' in object && countsOf(object, level)),
  };
}

const countsOf = ({ modalities, sop_classes, series_count, object_count }: StoredGroup, level: Level): JsonModel =>
  level === 'study'
    ? {
        '00080061': { vr: 'CS', Value: modalities },
        '00080062': { vr: 'UI', Value: sop_classes },
        '00201206': whole(series_count),
        '00201208': whole(object_count),
      }
    : { '00201209': whole(object_count) };
