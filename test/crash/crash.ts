/**
 * `npm run crash`: kills the real program at random moments while it is used, starts it again, and checks at the end
 * whether every confirmed change survived. `--kills N`, `--seed TEXT`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { randomFrom, type Random } from '../fixtures/corpus/random.ts';
import { Client } from '../support/client.ts';
import { newLedger, useUntilGone, type Ledger } from './household.ts';
import { brokenPromises } from './inspect.ts';
import { launch } from './launch.ts';

export interface CrashReport {
  kills: number;
  killedAtStart: number;
  requests: number;
  stored: number;
  unanswered: number;
  dropped: number;
  documents: number;
  statuses: Record<string, number>;
  /** Stages that a kill cut off, and starts that found file changes to finish: proof that kills hit something. */
  interrupted: number;
  recovered: number;
  broken: string[];
}

/** Every so many kills hits a program that still starts, and every so many one that reads a document. */
const KILLS_AT_START = 5;
const KILLS_WHILE_READING = 3;
/** The others come after an answered upload, within so many times what the start took. */
const MAX_LIFE_IN_STARTS = 4;
/** A household that waits for a long queue uploads nothing; a kill does not wait for it for ever. */
const MAX_WAIT_MS = 30_000;
const END_SECONDS = 900;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs the whole test on a vault of its own. The vault is kept, and named, when a promise was broken. */
export async function crashTest({
  kills,
  seed,
  say,
}: {
  kills: number;
  seed: string;
  say: (line: string) => void;
}): Promise<CrashReport> {
  const vault = mkdtempSync(join(tmpdir(), 'hearth-crash-'));
  const random = randomFrom(seed);
  const ledger = newLedger();
  const { cookie, startMs } = await firstRun(vault);
  let killedAtStart = 0,
    recovered = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const { wasReady, hadToFinish } = await liveAndDie({
      vault,
      cookie,
      ledger,
      random,
      death: deathOf(kill, startMs),
    });
    if (!wasReady) killedAtStart += 1;
    if (hadToFinish) recovered += 1;
    if (kill % 10 === 0) say(`${kill} kills, ${ledger.stored.size} uploads answered, ${ledger.unanswered.size} not`);
  }
  say('the last start: reading all that waits');
  await readToTheEnd(vault, cookie);
  const { broken, documents, statuses, interrupted } = await brokenPromises(vault, ledger);
  if (broken.length === 0) rmSync(vault, { recursive: true, force: true });
  else say(`the vault is kept in ${vault}`);
  return {
    kills,
    killedAtStart,
    requests: ledger.requests,
    stored: ledger.stored.size,
    unanswered: ledger.unanswered.size,
    dropped: ledger.dropped.size,
    documents,
    statuses,
    interrupted,
    recovered,
    broken,
  };
}

async function firstRun(vault: string): Promise<{ cookie: string; startMs: number }> {
  const begun = performance.now();
  const program = launch(vault);
  const url = await program.ready;
  const startMs = performance.now() - begun;
  if (url === null) throw new Error(`the program did not start: ${program.log()}`);
  const person = new Client(url);
  const { status } = await person.setup();
  if (status !== 200 && status !== 201) throw new Error(`setup was answered ${status}`);
  program.kill('SIGTERM');
  if ((await program.ended) !== 0) throw new Error(`the program did not end cleanly: ${program.log()}`);
  return { cookie: person.cookie, startMs };
}

/** Sessions outlive the program. */
function returning(url: string, cookie: string): Client {
  const person = new Client(url);
  person.cookie = cookie;
  return person;
}

/** When a life ends: at a random moment of the start, after an answered upload, or while a document is read. */
type Death = { at: 'start'; startMs: number } | { at: 'work' } | { at: 'reading' };

const deathOf = (kill: number, startMs: number): Death => {
  if (kill % KILLS_AT_START === 0) return { at: 'start', startMs };
  return { at: kill % KILLS_WHILE_READING === 0 ? 'reading' : 'work' };
};

/** Waits for the event that the kill follows, however slow the machine; gives up when the program is gone. */
async function waitForWork(death: Death, person: Client, ledger: Ledger, hasEnded: () => boolean): Promise<void> {
  const before = ledger.stored.size;
  const giveUp = performance.now() + MAX_WAIT_MS;
  while (!hasEnded() && performance.now() < giveUp && ledger.stored.size === before) await sleep(5);
  if (death.at !== 'reading') return;
  while (!hasEnded() && performance.now() < giveUp) {
    const status = await person.get('/api/pipeline/status').catch(() => null);
    if (status === null || status.body.current_job !== null) return;
    await sleep(5);
  }
}

/** Starts the program, uses it, and kills it. */
async function liveAndDie({
  vault,
  cookie,
  ledger,
  random,
  death,
}: {
  vault: string;
  cookie: string;
  ledger: Ledger;
  random: Random;
  death: Death;
}): Promise<{ wasReady: boolean; hadToFinish: boolean }> {
  const begun = performance.now();
  const program = launch(vault);
  let gone = false;
  void program.ended.then(() => {
    gone = true;
  });
  const dieIn = (ms: number): Promise<void> =>
    sleep(ms).then(() => {
      gone = true;
      program.kill('SIGKILL');
    });
  let killed = death.at === 'start' ? dieIn(random.next() * death.startMs) : null;
  const url = await program.ready;
  const lifeMs = random.next() * MAX_LIFE_IN_STARTS * (performance.now() - begun);
  if (url !== null)
    killed ??= waitForWork(death, returning(url, cookie), ledger, () => gone).then(() =>
      dieIn(death.at === 'reading' ? 0 : lifeMs),
    );
  try {
    if (url !== null) await useUntilGone({ person: returning(url, cookie), vault, ledger, random }, () => gone);
  } finally {
    // An unexpected response ends the test, and must not leave the core running.
    await killed;
  }
  if ((await program.ended) !== null) throw new Error(`the program ended by itself: ${program.log()}`);
  return { wasReady: url !== null, hadToFinish: program.log().includes('finished what was interrupted') };
}

/** Until nothing waits in queue or inbox, then a clean end. */
async function readToTheEnd(vault: string, cookie: string): Promise<void> {
  const program = launch(vault);
  const url = await program.ready;
  if (url === null) throw new Error(`the program did not start: ${program.log()}`);
  const person = returning(url, cookie);
  // The inbox counts a file as complete when its size has stood still: look twice.
  for (let look = 0; look < 2; look += 1) {
    await sleep(4000);
    await person.idle(END_SECONDS);
  }
  program.kill('SIGTERM');
  if ((await program.ended) !== 0) throw new Error(`the program did not end cleanly: ${program.log()}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: 'crash' } },
  });
  const report = await crashTest({
    kills: Number(values.kills),
    seed: values.seed,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
  const lost = report.broken.length;
  const verdict = lost === 0 ? 'no confirmed change was lost' : `${lost} confirmed changes were lost`;
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n${verdict}\n`);
  process.exit(lost === 0 ? 0 : 1);
}
