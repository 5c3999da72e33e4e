/** @module-tag long */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page, Request, Response } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { VIEWS } from '../../src-renderer/features/phone-backups/views.ts';
import { REVIEW_TEXTS } from '../../src-shared/contract/review-reasons.ts';
import { isDrawn, openBrowser } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { makeDemoPhone, BACKUP_PASSWORD } from '../support/demo-phone.ts';
import { openHousehold, type Household } from '../support/household.ts';
import {
  addTextsOfData,
  bodyOf,
  buildWithPseudoLanguage,
  findUnmarked,
  pseudoMessages,
  type PseudoBuild,
} from '../support/pseudo-language.ts';
import { itInDepth } from '../support/depth.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const words = pseudoMessages();
const parent = mkdtempSync(join(tmpdir(), 'hearth-pseudo-phone-'));
const NAME_TYPES = ['lab_tests', 'specialties', 'diagnoses', 'medications', 'doctors', 'facilities'] as const;
let served: Served, browser: Browser, page: Page, pseudo: PseudoBuild, household: Household, keeper: Client;

/** Requests without an answer yet, and the data of the answers and of what the test types. */
const pending = new Set<Request>();
const replies: Promise<void>[] = [];
const sent = new Set<string>();
/** Every text that was found, by the screen on which it was found first. */
const untranslated = new Map<string, string>();

beforeAll(async () => {
  mkdirSync(join(parent, 'disk'));
  [pseudo] = await Promise.all([buildWithPseudoLanguage(), makeDemoPhone(parent)]);
  served = await serve({ args: ['--phone-backups', parent] });
  browser = await openBrowser();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Zurich',
  });
  await pseudo.serveTo(context, served.url);
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource' && !/\/(live|events)$/.test(request.url())) pending.add(request);
  });
  const end = (request: Request): void => void pending.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  // The end of a worker's own script is not announced once the worker has ended.
  page.on('worker', (worker) =>
    worker.once('close', () => {
      for (const request of pending) if (request.url() === worker.url()) end(request);
    }),
  );
  page.on('response', (response: Response) => {
    if (response.headers()['content-type']?.startsWith('application/json'))
      replies.push(
        bodyOf(response).then(
          (reply) => addTextsOfData(sent, reply),
          () => undefined,
        ),
      );
  });
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  process.stderr.write(`${[...untranslated].map(([text, at]) => `${at}: ${text}`).join('\n')}\n`);
  await page?.screenshot({ path: `test-results/pseudo-${task.name.slice(0, 30).replace(/\W+/g, '-')}.png` });
});
afterAll(async () => {
  await browser?.close();
  household?.close();
  await served?.remove();
  pseudo?.remove();
  rmSync(parent, { recursive: true, force: true });
});

/** Records of every kind, and documents in every state and with every reason for review; answers an event. */
function fillRecords({ make, db }: Household): number {
  for (const kind of ['encounter', 'medication', 'vaccination', 'labResult', 'orphan', 'link'] as const) make[kind]();
  for (const type of NAME_TYPES) make.usedName(type);
  for (const status of ['failed', 'cancelled', 'processing']) make.document({ status });
  // Names that can be told from codes: those are not data.
  db.prepare("UPDATE users SET username = 'User-' || id, display_name = 'Person ' || id").run();
  db.prepare("UPDATE sessions SET user_agent = 'Mozilla/5.0 (X11; Linux) Firefox/140.0'").run();
  make.queued();
  make.trashed();
  make.merge();
  make.looseFile();
  const params = {
    dates: '',
    date: '2025-11-12',
    found: 'Quittenbaum',
    expected: 'Quittenbaum',
    label: 'Quittenbaum',
    count: 3,
    sum: 1,
    total: 2,
    pages: '2',
    values: 'Quittenbaum',
  };
  const reasons = Object.keys(REVIEW_TEXTS).map((code) => ({ code, field: 'event_date', params }));
  db.prepare('UPDATE documents SET review_reasons = ? WHERE id = ?').run(
    JSON.stringify(reasons),
    make.document({ status: 'needs_review' }),
  );
  return make.linkedEvent().event;
}

/** Resolves when everything was loaded and drawn. */
async function settled(): Promise<void> {
  await expect
    .poll(async () => ({ isDrawn: await isDrawn(page), pending: [...pending].map((request) => request.url()) }))
    .toEqual({ isDrawn: true, pending: [] });
}
/** Notes the texts of this screen that are neither translated nor data. */
async function check(screen: string): Promise<void> {
  await settled();
  const unmarked = await findUnmarked(page);
  const isUnknown = (text: string): boolean => !sent.has(text) && !untranslated.has(text);
  await Promise.all(replies.splice(0));
  // A text may be shown a moment before this test knows its reply.
  if (unmarked.some(isUnknown)) await settled();
  await Promise.all(replies.splice(0));
  for (const text of unmarked.filter(isUnknown)) untranslated.set(text, screen);
}
/** Goes to an address as a link does, without loading the page anew. */
async function visit(address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  await check(address);
}
const button = (name: string): Locator => page.getByRole('button', { name, exact: true }).first();
const item = (name: string): Locator => page.getByRole('menuitem', { name }).first();
/** Opens something, checks it, and closes it again. */
async function look(screen: string, ...path: Locator[]): Promise<void> {
  for (const step of path) await step.click();
  await check(screen);
  await page.keyboard.press('Escape');
}
/** Opens every menu and popover of the page. */
async function lookIntoPopups(screen: string, within = '#content', most = 10): Promise<void> {
  const triggers = page.locator(`${within} [aria-haspopup]:visible`);
  for (let at = 0; at < Math.min(await triggers.count(), most); at += 1)
    await look(`${screen}, popup ${at}`, triggers.nth(at));
}

describeWith({ browser: true }, 'in a language that is one more file and line', () => {
  it('translates the setup and the sign-in', async () => {
    await page.goto(served.url);
    await check('setup, vault');
    await button(words.app.action.next).click();
    const [name, user, password] = [0, 1, 2].map((at) => page.locator('input').nth(at));
    await name!.fill('Αθηνά');
    await user!.fill('a b');
    await password!.fill('12345');
    await name!.focus();
    await check('setup, faults');
    await user!.fill('athina');
    await password!.fill('plum tree behind the barn');
    await button(words.app.action.next).click();
    await page.locator('input').nth(1).fill('99.99.9999');
    await page.locator('input').first().focus();
    await check('setup, patient');
    await button(words.app.setup.its_me).click();
    await page.locator('input').nth(1).fill('09.05.1979');
    await button(words.app.action.next).click();
    await check('setup, reading');
    household = await openHousehold(served.url, served.vault);
    await page.goto(`${served.url}/login`);
    await check('sign-in');
    await page.locator('input').first().fill('athina');
    await page.locator('input').nth(1).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await check('sign-in, refused');
    await page.goto(`${served.url}/login?expired=1&failed=oidc.access_denied`);
    await check('sign-in, expired');
    keeper = household.as('keeper');
    const [cookie = '', value = ''] = keeper.cookie.split(/=(.*)/s);
    await page.context().addCookies([{ name: cookie, value, url: served.url }]);
    await page.goto(`${served.url}/?patient=${household.patient}`);
    await check('today');
    expect([...untranslated]).toEqual([]);
  });

  it('translates the records', async () => {
    const { make, patient, db } = household;
    const event = fillRecords(household);
    const uploaded = await keeper.upload(await labReport({ patient: 'Elena Holunder' }), 'Laborbefund.pdf', patient);
    const report = uploaded.body.document_id as number;
    await keeper.post('/api/pipeline/start');
    await expect.poll(async () => (await keeper.get(`/api/documents/${report}`)).body.status).toMatch(/done|review/);
    await keeper.post('/api/pipeline/stop');

    await page.goto(`${served.url}/?patient=${patient}`);
    await check('today');
    await look('whose record', page.locator('.patient'));
    await look('what is being read', page.locator('header [aria-haspopup]').last());
    await page.keyboard.press('?');
    await look('keyboard shortcuts');
    await page.keyboard.press('Control+k');
    await check('palette');
    sent.add('Quit');
    await page.keyboard.type('Quit');
    await look('palette, found');

    await visit('/documents');
    await lookIntoPopups('documents');
    await page.locator('tbody input[type=checkbox]').first().check();
    await check('documents, selected');
    await lookIntoPopups('documents, selected', '.bulk-bar');
    await button(words.app.documents.clear_selection).click();
    await page.keyboard.press(' ');
    await look('documents, preview');
    await visit('/review');
    await visit('/documents?layout=grid');
    await visit('/documents?q=nothing-at-all');
    await visit('/documents?date_from=2020-01-01&date_to=2021-01-01');

    await visit(`/documents/${report}`);
    await lookIntoPopups('document');
    await look('document, name', button(words.document.actions), item(words.document.rename));
    await look('document, file', button(words.document.actions), item(words.document.find_file));
    for (let at = 0; at < (await page.locator('.value-button').count()); at += 1)
      await look(`document, field ${at}`, page.locator('.value-button').nth(at));
    await button(words.document.add_result).click();
    await check('document, new result');
    await page.getByRole('button', { name: words.document.lab_save_next }).click();
    await look('document, new result with faults');
    for (const row of ['add_encounter', 'add_medication', 'add_vaccination'] as const)
      await look(`document, ${row}`, button(words.document[row]));
    await page.keyboard.press('f');
    await page.keyboard.type('Ferritin');
    await look('document, find');
    await page.keyboard.press('b');
    await page.keyboard.press('c');
    await look('document, region');
    for (const id of db.prepare("SELECT id FROM documents WHERE status <> 'done'").pluck().all() as number[])
      await visit(`/documents/${id}`);
    await visit('/documents/999999');

    await visit('/timeline');
    await page.locator('.tl-cell').first().click();
    await look('timeline, days');
    await look('timeline, specialties', page.locator('.tl-toolbar [aria-haspopup]').first());
    await look('timeline, new event', button(words.timeline.new_event));
    await visit('/timeline?view=table');
    await visit(`/timeline?event=${event}`);
    await look('timeline, remove event', button(words.timeline.remove));
    await look('timeline, edit event', button(words.timeline.edit));
    await visit('/timeline?event=999999');

    await visit('/labs');
    await lookIntoPopups('labs');
    await page.locator('.lab-row').nth(1).click();
    await check('labs, another test');
    await visit('/labs?show=out&span=1&notes=1');
    await visit('/labs?view=orphans');
    await look('labs, attach', page.locator('.lab-table td button').first());

    for (const type of NAME_TYPES) await visit(`/names?type=${type}`);
    await visit(`/names?type=doctors&entry=${make.usedName('doctors')}`);
    await page.keyboard.press('Escape');
    await visit('/names?type=lab_tests');
    await lookIntoPopups('names');
    await page.locator('tbody input[type=checkbox]').nth(0).check();
    await page.locator('tbody input[type=checkbox]').nth(1).check();
    await check('names, selected');
    await look('names, merge', page.locator('.bulk-bar').getByRole('button', { name: words.names.merge }));

    await visit('/vault');
    await lookIntoPopups('vault files');
    await page.keyboard.press('m');
    await look('vault files, move');
    await button(words.vault_files.check_now).click();
    await check('vault files, verified');
    await visit('/vault?show=foreign');
    await visit('/nowhere');
    expect([...untranslated]).toEqual([]);
  });

  it('translates uploads, messages and errors', async () => {
    const { patient, make } = household;
    const mimeType = 'application/pdf';
    const added = await labReport({ patient: 'Elena Holunder', seed: 2 });
    const files = [
      { name: 'New.pdf', mimeType, buffer: Buffer.from(added) },
      { name: 'Again.pdf', mimeType, buffer: Buffer.from(added) },
      { name: 'Empty.pdf', mimeType, buffer: Buffer.alloc(0) },
      { name: 'Notes.xyz', mimeType: 'text/plain', buffer: Buffer.from('nothing that is read') },
    ];
    for (const { name } of files) addTextsOfData(sent, name, 'name');
    await page.goto(`${served.url}/documents?patient=${patient}`);
    await page.locator('tbody input[type=checkbox]').first().waitFor();
    await page.locator('input[type=file]').first().setInputFiles(files);
    await expect.poll(() => page.locator('.upload-error').count()).toBe(2);
    await expect.poll(() => page.locator('.upload-item .tag').count()).toBe(1);
    await check('upload list');
    await button(words.app.upload.hide).click();

    await page.locator('tbody input[type=checkbox]').first().check();
    await page.locator('.bulk-bar').getByRole('button', { name: words.app.action.delete }).click();
    await page.locator('.toast').waitFor();
    await check('documents, deleted');
    await page.locator('.toast').getByRole('button', { name: words.app.action.undo }).click();
    await page.locator('.toast').waitFor({ state: 'detached' });

    const document = make.document();
    await visit(`/documents/${document}`);
    await button(words.document.actions).click();
    await item(words.document.rename).click();
    await page.getByLabel(words.document.rename_label).fill('/');
    await page.keyboard.press('Enter');
    await page.locator('.toast-bad').waitFor();
    await check('document, name refused');
    await page.keyboard.press('Escape');
    expect([...untranslated]).toEqual([]);
  });

  it('translates the settings', async () => {
    // Where this page can be opened so that browsers offer passkeys.
    sent.add(`http://localhost:${new URL(served.url).port}/settings`);
    await visit('/settings');
    for (const section of ['people', 'reading', 'sign-in', 'sessions', 'backups', 'trash', 'audit', 'log', 'about'])
      await visit(`/settings/${section}`);
    await visit('/settings/people');
    await look('a new user', button(words.settings.user_add));
    await look('a new patient', button(words.app.patient.add));
    await page.locator('.user-row button').first().click();
    await check('a user');
    await button(words.settings.cancel).click();
    await look('remove a user', page.locator('.user-row button').nth(1));
    for (const list of ['sessions?ended=1', 'audit?action=login', 'log?level=error']) await visit(`/settings/${list}`);
    await visit('/settings/backups');
    await page.locator('.backup-plan input, form input').first().fill(join(parent, 'disk'));
    await button(words.vault_backups.save).click();
    await button(words.vault_backups.run).click();
    await page.locator('.backup-row .tag-ok').waitFor();
    await check('backups, made');
    await lookIntoPopups('backups');
    for (const action of [words.vault_backups.restore, words.vault_backups.remove])
      await look('backups, question', page.locator('.backup-row [aria-haspopup]').first(), item(action));
    expect([...untranslated]).toEqual([]);
  });

  itInDepth('translates phone backups', async () => {
    const { phone_backups: phone } = words;
    await visit('/phones');
    await page.locator('.phone-card button').first().click();
    await check('phone, locked');
    await page.locator('input[type=password]').fill('wrong');
    await button(phone.unlock).click();
    await page.getByText(words.errors['phone.incorrect_password']).waitFor();
    await check('phone, wrong password');
    await page.locator('input[type=password]').fill(BACKUP_PASSWORD);
    await page.keyboard.press('Enter');
    await button(phone.read_now).click();
    await page.locator('.phone-reading .meter').waitFor({ state: 'detached' });
    for (const { name } of VIEWS) {
      await page.locator(`.phone-rail a[href*="view=${name}"]`).click();
      await check(`phone, ${name}`);
      const first = page.locator('.phone-main').locator('[role=option], .phone-link, .phone-tile').first();
      if (await first.isVisible()) await look(`phone, ${name}, first`, first);
      await lookIntoPopups(`phone, ${name}`, '.phone-main', 2);
    }
    const view = (name: string): Promise<void> => page.locator(`.phone-rail a[href*="view=${name}"]`).click();
    await view('health');
    await look('phone, health to labs', button(phone.send_health));
    await view('about');
    await button(phone.check_now).click();
    await page.locator('.phone-findings').waitFor();
    await check('phone, integrity');
    for (const path of ['com.apple.example.plist', 'readme.txt', 'sms.db', 'picture.heic', 'memo.m4a', 'cut.amr']) {
      await view('files');
      await page.locator('.phone-main input[type=search]').fill(path);
      await look(`phone, ${path}`, page.locator('.phone-main .phone-link', { hasText: path }).first());
    }
    await page.locator('.phone-search input').fill('Knie');
    await page.keyboard.press('Enter');
    await check('phone, search');
    expect([...untranslated]).toEqual([]);
  });
});
