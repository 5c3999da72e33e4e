import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';
import { EXAMPLES } from '../api/examples.ts';
import { send, type Sent } from '../api/send.ts';
import { inDepth } from '../support/depth.ts';
import { LONG } from '../support/long.ts';
import type { CallerName } from '../support/household.ts';
import { changeNames, lookUpNames, readLists, storeSharedPaper, writeSameNames, type Ask } from './name-steps.ts';
import { buildOther, buildOwn, changeOther, checkVault, fileLoosePaper, openWorld, type World } from './worlds.ts';

/**
 * Two programs hold the same household; one of them holds a second household, too, with the same doctors, diseases,
 * medicines and tests. Nobody of the first household can tell which of the two programs answers.
 */

const ROUTES = Object.values(contract).flatMap((area) =>
  Object.values<Endpoint>(area).map((endpoint) => `${endpoint.method} ${endpoint.path}`),
);

interface Exception {
  routes: readonly string[];
  callers: readonly CallerName[];
  reason: string;
  /** The part of the answer that may differ; without it, the whole answer. */
  part?: RegExp;
}

/** Where answers may differ, for whom, and why. Everything else must be equal. */
const EXCEPTIONS: readonly Exception[] = [
  {
    routes: ['GET /api/pipeline/status', 'POST /api/pipeline/start', 'POST /api/pipeline/stop'],
    callers: ['admin'],
    reason: 'administrators run the queue of all households and see how long it is',
    part: /"(?:queue_depth|total_processed|total_errors)":\d+/g,
  },
  {
    routes: ['GET /api/pipeline/events'],
    callers: ['admin'],
    reason: 'the same, and messages of own changes may be on their way',
    part: /"(?:queue_depth|total_processed|total_errors)":\d+|data: {"kind":"names".*\n\n/g,
  },
  {
    routes: ['GET /api/pipeline/events'],
    callers: ['owner', 'viewer', 'editor'],
    reason: 'messages of own changes may be on their way; shared-names.test.ts awaits those of others',
    part: /data: {"kind":"names".*\n\n/g,
  },
  {
    routes: ['GET /api/vault/tree'],
    callers: ['admin'],
    reason: 'administrators see the inbox folders of all users',
  },
  {
    routes: ['POST /api/documents/retry-all-failed'],
    callers: ['admin'],
    reason: 'administrators retry the documents of all households and are told how many',
    part: /"count":\d+/g,
  },
  {
    routes: [
      'GET /api/settings/users',
      'GET /api/settings/access',
      'GET /api/settings/sessions',
      'GET /api/settings/audit-log',
    ],
    callers: ['admin'],
    reason: 'administrators see accounts, sessions and the audit log, which contain no names from records',
  },
  {
    routes: [
      'GET /api/settings/backup',
      'GET /api/settings/backup/files',
      'PUT /api/settings/backup/plan',
      'POST /api/vault/check',
      'GET /api/vault/check',
      'DELETE /api/vault/check',
    ],
    callers: ['admin'],
    reason: 'administrators back up and check the whole vault',
  },
  {
    routes: ['GET /api/settings', 'PATCH /api/settings', 'GET /api/phone-service', 'DELETE /api/settings/backup/run'],
    callers: ['admin'],
    reason: 'the two programs have their own folder, port, key and backups',
  },
  {
    routes: ['GET /api/shares/listener', 'POST /api/shares/listener'],
    callers: ['owner', 'admin'],
    reason: 'they manage an open share, and the service for its recipients has a free port in each program',
    part: /"port":\d+/g,
  },
  {
    routes: ['GET /api/settings/backup/folders', 'POST /api/settings/backup/folders'],
    callers: ['admin'],
    reason: 'the folders of the computer and the space on its disks change between the two questions',
    part: /"free_bytes":\d+|"folders":\[[^\]]*\]/g,
  },
  {
    routes: ['GET /api/settings/local-models'],
    callers: ['admin'],
    reason: 'each program has a folder of its own for models, and the space on the disk changes meanwhile',
    part: /"folder":"[^"]*"|"free_bytes":\d+/g,
  },
  {
    routes: ['GET /api/assistants'],
    callers: ['owner', 'viewer', 'editor', 'admin'],
    reason: 'each program names its own folder, to callers on its computer',
    part: /"--vault","[^"]*"/g,
  },
  {
    routes: ['POST /api/viewer-access'],
    callers: ['owner', 'viewer', 'editor', 'admin'],
    reason: 'each token is drawn anew',
    part: /"token":"[\w-]+"/g,
  },
  {
    routes: ['POST /api/vault-encryption/recovery-key'],
    callers: ['admin'],
    reason: 'each recovery key is drawn anew',
    part: /"recovery_key":"[\w-]+"/g,
  },
  {
    routes: [
      'GET /api/share/documents/{doc_id}/file',
      'GET /api/share/documents/{doc_id}/pages/{page}/image',
      'GET /api/share/documents/{doc_id}/series/{series_id}/frame/{index}',
      'GET /api/share/documents/{doc_id}/region-translations/{region_id}/thumbnail',
    ],
    callers: ['owner', 'viewer', 'editor', 'admin'],
    reason: 'the stamp on it names the minute',
    part: /[^]+/g,
  },
  {
    routes: ['GET /api/imaging/export'],
    callers: ['owner', 'viewer', 'editor'],
    reason: 'UIDs and the shift of days are drawn anew for each disc; dicom-web.test.ts compares what is on it',
  },
  {
    routes: [
      'POST /api/settings/test-llm-provider',
      'POST /api/settings/test-ocr-provider',
      'POST /api/settings/test-vision-provider',
    ],
    callers: ['admin'],
    reason: 'no trial takes as long as another',
    part: /"took_ms":\d+/g,
  },
];

const HEADERS = ['content-type', 'content-disposition', 'cache-control', 'location', 'etag', 'retry-after', 'vary'];

/** An answer in the form that is compared, or only its request if it may differ. */
function shownAnswer(world: World, name: CallerName, route: string, { status, headers, text }: Sent): string {
  const exception = EXCEPTIONS.find(({ routes, callers }) => routes.includes(route) && callers.includes(name));
  if (exception && !exception.part) return `${status}`;
  const shown = HEADERS.map((header) => `${header}: ${headers.get(header) ?? ''}`).join('\n');
  return world.canonical(`${status}\n${shown}\n${exception?.part ? text.replace(exception.part, '') : text}`);
}

interface Answer {
  request: string;
  answer: string;
}

let alone: World, beside: World;

beforeAll(async () => {
  [alone, beside] = await Promise.all([openWorld(), openWorld()]);
  await buildOther(beside);
  await Promise.all([buildOwn(alone), buildOwn(beside)]);
  await changeOther(beside);
  await Promise.all([checkVault(alone), checkVault(beside)]);
});
afterAll(() => Promise.all([alone.remove(), beside.remove()]));

/** Makes requests as one caller and notes what is answered. */
function createAsk(world: World, name: CallerName, answers: Answer[]): Ask {
  return async (method, path, body) => {
    const sent = await send(world.household.as(name), method, path, { body });
    const request = `${name} ${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`;
    answers.push({
      request: world.canonical(request).trim(),
      answer: shownAnswer(world, name, `${method} ${path}`, sent),
    });
    return parse(sent.text);
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Calls every endpoint of the contract with its example. */
async function walkContract(world: World, name: CallerName): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const route of ROUTES) {
    const { path, ...call } = EXAMPLES[route]!(world.household);
    const sent = await send(world.household.as(name), route.split(' ')[0]!, path, call);
    answers.push({ request: `${name} ${route}`, answer: shownAnswer(world, name, route, sent) });
  }
  return answers;
}

/** Reads every list with every parameter. */
async function walkLists(world: World, name: CallerName): Promise<Answer[]> {
  const answers: Answer[] = [];
  await readLists(createAsk(world, name, answers), world.household.patient);
  return answers;
}

/** Uses names in every way: looks them up, writes the same words, changes them, and looks again. */
async function walkNames(world: World, name: CallerName): Promise<Answer[]> {
  const answers: Answer[] = [];
  const { household } = world;
  const ask = createAsk(world, name, answers);
  const isStranger = name === 'editor' || name === 'admin';
  const patient = isStranger
    ? ((await ask('POST', '/api/patients', { display_name: 'Nora Neu', date_of_birth: null, sex: 'F' })).id as number)
    : household.patient;
  if (isStranger) household.make.use(patient, 'Brombeere');
  const document = household.make.document({ patient });
  await writeSameNames(ask, document, patient);
  await lookUpNames(ask);
  await changeNames(ask);
  await storeSharedPaper(ask, household.as(name), patient, (answer) =>
    answers.push({ request: `${name} uploads the shared paper`, answer: world.canonical(JSON.stringify(answer)) }),
  );
  await lookUpNames(ask);
  household.make.use(household.patient);
  return answers;
}

/** Both walks side by side; the requests whose answers differ, with the first difference. */
async function differences(walk: (world: World, name: CallerName) => Promise<Answer[]>, name: CallerName) {
  const [one, other] = await Promise.all([walk(alone, name), walk(beside, name)]);
  const found = one.flatMap(({ request, answer }, index) => {
    const second = other[index];
    if (second?.request === request && second.answer === answer) return [];
    return [`${request}: ${firstDifference(answer, second ? second.answer : 'nothing')}`];
  });
  return { count: one.length, found: found.slice(0, 40) };
}

function firstDifference(a: string, b: string): string {
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  const from = Math.max(0, (at < 0 ? Math.min(a.length, b.length) : at) - 60);
  return `“${a.slice(from, from + 140)}” ≠ “${b.slice(from, from + 140)}”`;
}

it('has an example for every endpoint', () => {
  expect(ROUTES.filter((route) => !(route in EXAMPLES))).toEqual([]);
});

it('lists an exception only for endpoints that exist', () => {
  expect(EXCEPTIONS.flatMap(({ routes }) => routes).filter((route) => !ROUTES.includes(route))).toEqual([]);
});

async function expectSameAnswers(name: CallerName): Promise<void> {
  const lists = await differences(walkLists, name);
  expect(lists.found).toEqual([]);
  expect(lists.count).toBeGreaterThan(100);
  const names = await differences(walkNames, name);
  expect(names.found).toEqual([]);
  expect(names.count).toBeGreaterThan(120);
  const all = await differences(walkContract, name);
  expect(all.found).toEqual([]);
  expect(all.count).toBe(ROUTES.length);
}

it.each(inDepth<CallerName[]>(['owner'], ['owner', 'viewer', 'editor']))(
  'every endpoint answers %s as if the other household did not exist',
  expectSameAnswers,
);

it('every endpoint answers an administrator as if the other household did not exist', LONG, async () => {
  // Administrators help to assign documents without a patient, so they see those of everybody.
  await fileLoosePaper(beside);
  await expectSameAnswers('admin');
});
