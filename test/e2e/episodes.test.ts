/** @module-tag long */
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { onEveryPage } from '../support/every-page.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { Client } from '../support/client.ts';
import { findOutOfReach, findSmallTargets, findTabsWithoutState, walkByTab } from '../support/touch-and-keys.ts';
import { labReport, letter } from '../support/sample-documents.ts';
import { inDepth } from '../support/depth.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';

const DISCHARGE = [
  'Kantonsspital Rheinau',
  'Austrittsbericht',
  'Dr. med. Jana Weidmann',
  'Patient: Elena Keller',
  'Datum: 14.11.2024',
  'Diagnosen',
  '1. Vorhofflimmern (I48.9)',
  '2. Arterielle Hypertonie (I10)',
  'Medikamente bei Austritt',
  'Metformin 500 mg Tabletten 1-0-1-0',
  'Pantoprazol 40 mg Tabletten 1-0-0-0',
];
const EVENTS = [
  { title: 'Hypertension', event_type: 'chronic_condition', date_start: '2014-03-01', is_ongoing: true },
  { title: 'Pregnancy', event_type: 'pregnancy', date_start: '2011-02-10', date_end: '2011-11-05' },
  { title: 'Knee arthroscopy', event_type: 'surgery', date_start: '2018-06-12', date_end: '2018-06-14' },
  { title: 'Rehabilitation', event_type: 'treatment', date_start: '2018-06-15', date_end: '2019-01-20' },
  { title: 'Iron deficiency', event_type: 'diagnosis', date_start: '2015-01-10', date_end: '2016-04-01' },
  { title: 'Broken wrist', event_type: 'injury', date_start: '2021-01-20', date_end: '2021-03-15' },
];

let served: Served, page: Page, person: Client, discharge: number;
const pageErrors: string[] = [];

test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup();
  for (const event of EVENTS) await person.post('/api/events', { patient_id: 1, ...event });
  for (let n = 0; n < 12; n += 1)
    await person.upload(
      await labReport({ seed: n, collected: `${String(3 + n).padStart(2, '0')}.0${1 + (n % 9)}.${2012 + n}` }),
      `labor-${n}.pdf`,
    );
  discharge = (
    await person.upload(await letter([DISCHARGE.map((text, index) => ({ text, y: 60 + index * 26 }))]), 'austritt.pdf')
  ).body.document_id;
  await person.idle();
  page = await openPage(browser, { as: person });
  recordPageErrors(page, pageErrors);
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  process.stderr.write(`${pageErrors.join('\n')}\n`);
  await page?.screenshot({ path: `test-results/${task.name.slice(0, 30).replace(/\W+/g, '-')}.png` });
});

const theme = (name: 'light' | 'dark'): Promise<void> =>
  page.evaluate((value) => {
    document.documentElement.dataset['theme'] = value;
  }, name);
const undo = (): Promise<void> => page.getByRole('button', { name: 'Undo' }).last().click();
const current = async () => (await person.get(`/api/documents/${discharge}`)).body;

const violations = (): Promise<string[]> => findViolations(page);

describeWith({ browser: true }, 'the rows, links and event of a document', () => {
  it('are edited in place, with undo', async () => {
    await page.goto(`${served.url}/documents/${discharge}`);
    await page.getByRole('button', { name: 'Edit Metformin 500 mg' }).click();
    await page.getByLabel('Strength').fill('850 mg');
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit Metformin 850 mg' }).waitFor();
    expect((await current()).medications[0]).toMatchObject({ dosage: '850 mg', frequency: '1-0-1-0' });
    await undo();
    await page.getByRole('button', { name: 'Edit Metformin 500 mg' }).waitFor();

    await page.getByRole('button', { name: 'Edit Vorhofflimmern' }).click();
    await page.getByLabel('Admission', { exact: true }).fill('05.05.2024');
    await page.getByLabel('Discharge', { exact: true }).fill('01.05.2024');
    await page.keyboard.press('Enter');
    await page.getByText('The discharge is before the admission').waitFor();
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Edit Vorhofflimmern');
  });

  it('are added and deleted', async () => {
    await page.getByRole('button', { name: 'Add a vaccination' }).click();
    await page.getByLabel('Vaccine').fill('Boostrix');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit Boostrix' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Boostrix” was moved to the trash').waitFor();
    expect((await current()).vaccinations).toEqual([]);
    await undo();
    await page.getByRole('button', { name: 'Edit Boostrix' }).waitFor();
  });

  it('are linked with another document, visible from both', async () => {
    await page.getByRole('button', { name: 'Link to a document' }).click();
    await page.getByLabel('How they are related').selectOption('follow_up');
    await page.locator('.popover .menu-item').first().click();
    await page.getByText('Follow-up of').waitFor();
    expect(await violations()).toEqual([]);
    await page.locator('.link-words a').click();
    await page.getByText('Follow-up:').waitFor();
    await page.goBack();
  });

  it('are moved with the file into a new event', async () => {
    await page.getByRole('button', { name: 'Edit Event' }).click();
    await page.keyboard.type('Atrial fibrillation');
    await page.getByRole('option', { name: 'New event “Atrial fibrillation”' }).click();
    await expect.poll(async () => (await current()).file_path).toContain('/2024/atrial-fibrillation/');
    await page.getByRole('button', { name: 'timeline', exact: true }).click();
    await page.getByRole('dialog', { name: 'Atrial fibrillation' }).getByRole('link').waitFor();
  });
});

describeWith({ browser: true }, 'the timeline', () => {
  it('is accessible in both themes', async () => {
    await page.goto(`${served.url}/timeline`);
    await page.getByRole('button', { name: /^Rehabilitation/ }).waitFor();
    for (const name of ['light', 'dark'] as const) {
      await theme(name);
      expect([name, await violations()]).toEqual([name, []]);
      await page.screenshot({ path: `${SCREENSHOTS}timeline${name === 'dark' ? '-dark' : ''}.png` });
    }
    await theme('light');
    await page.getByRole('button', { name: 'Table' }).click();
    expect(await page.getByRole('row', { name: /Knee arthroscopy/ }).innerText()).toMatch(
      /12 Jun 2018 – 14 Jun 2018.*Operation/s,
    );
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Axis' }).click();
  });

  it('zooms and pans by wheel, keys and drag, keeps the range in the address, and resets it', async () => {
    await page.goto(`${served.url}/timeline`);
    await page.getByRole('button', { name: /^Rehabilitation/ }).waitFor();
    const shown = async (): Promise<string> => (await page.locator('.tl').getAttribute('aria-label')) ?? '';
    const all = await shown();
    await page.locator('.tl').hover({ position: { x: 700, y: 60 } });
    for (let n = 0; n < 6; n += 1) await page.mouse.wheel(0, -200);
    await expect.poll(() => page.url()).toMatch(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
    const near = await shown();
    expect(near).not.toBe(all);
    await page.locator('.tl').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shown()).not.toBe(near);
    await page.reload();
    await page.locator('.tl-event').first().waitFor();
    expect(await shown()).not.toBe(all);
    await page.locator('.tl').focus();
    await page.keyboard.press('0');
    await expect.poll(shown).toBe(all);
  });

  it('creates, changes and deletes an event, each with undo', async () => {
    await page.keyboard.press('n');
    await page.getByLabel('Title').fill('Tonsillitis');
    await page.getByLabel('Start').fill('05.05.2016');
    await page.getByLabel('End').fill('01.05.2016');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The event ends before it begins').waitFor();
    await page.getByLabel('End').fill('15.05.2016');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Tonsillitis' }).getByText('5 May 2016 – 15 May 2016').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('menuitem', { name: 'Delete the event and keep its documents' }).click();
    await page.getByText('“Tonsillitis” was moved to the trash').waitFor();
    await undo();
    await page.getByRole('button', { name: /^Tonsillitis/ }).waitFor();
  });

  it('fits the screen of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${served.url}/timeline`);
    await page.locator('.tl-event').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await violations()).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});

describeWith({ browser: true }, 'the view of everyone', () => {
  const rest = () => page.getByRole('region', { name: 'Paul Keller' });

  it('marks every row with whose it is, in the order in which people were added', async () => {
    const { body } = await person.post('/api/patients', { display_name: 'Paul Keller', date_of_birth: '2017-01-17' });
    const report = await labReport({ seed: 2, patient: 'Paul Keller', born: '17.01.2017' });
    await person.upload(report, 'paul.pdf', body.id);
    await person.post('/api/events', {
      patient_id: body.id,
      title: 'Asthma',
      event_type: 'diagnosis',
      date_start: '2019-02-01',
    });
    await person.idle();
    await page.setViewportSize({ width: 1440, height: 900 });
    // A server that is slow with the rows does not hold up the page.
    const answer = Promise.withResolvers<void>();
    await page.route(/\/api\/documents\?/, (route) => answer.promise.then(() => route.continue()));
    await page.goto(`${served.url}/documents`);
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
    answer.resolve();
    const row = page.getByRole('row', { name: /Paul/ });
    await row.getByText('Paul', { exact: true }).waitFor();
    expect(await row.locator('.person-mark').getAttribute('data-color')).toBe('1');
    expect(await page.getByRole('cell', { name: 'Elena', exact: true }).count()).toBeGreaterThan(5);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Patient', { exact: true }).uncheck();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('columnheader', { name: 'Patient' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Patient', { exact: true }).check();
    await page.keyboard.press('Escape');
    expect(await violations()).toEqual([]);
  });

  it('has results out of range of each person in one block, and one lane a person', async () => {
    await page.goto(`${served.url}/labs`);
    await rest().getByText('1 out of range').waitFor();
    await rest()
      .getByRole('link', { name: /Ferritin/ })
      .waitFor();
    await page
      .getByRole('region', { name: 'Elena Keller' })
      .getByRole('link', { name: /Ferritin/ })
      .waitFor();
    expect(await violations()).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}labs-everyone.png` });
    await rest()
      .getByRole('link', { name: /Ferritin/ })
      .click();
    await page.getByRole('heading', { name: 'Ferritin', level: 1 }).waitFor();
    await page.goto(`${served.url}/timeline`);
    await page.getByRole('heading', { name: 'Paul Keller' }).waitFor();
    await page.getByRole('button', { name: /^Asthma/ }).click();
    await page.getByRole('dialog', { name: 'Asthma' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Rehabilitation/ }).waitFor();
    expect(await violations()).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}timeline-everyone.png` });
  });

  it('is left for the person who was shown last, at a fresh start only', async () => {
    const shown = async () => (await page.locator('.patient').textContent()) ?? '';
    await page.goto(`${served.url}/documents?patient=2`);
    await expect.poll(shown).toContain('Paul Keller');
    await page.goto(served.url);
    await expect.poll(shown).toContain('Paul Keller');
    await page.goto(`${served.url}/documents`);
    await expect.poll(shown).toContain('Everyone');
    await page.locator('.patient').click();
    await page.getByRole('menuitem', { name: 'Everyone' }).click();
    await page.goto(served.url);
    await page.getByRole('heading', { name: 'New', exact: true }).waitFor();
    expect(await shown()).toContain('Everyone');
    expect(pageErrors).toEqual([]);
  });
});

/** Every page, with the records of the household. */
const PAGES = [
  '/',
  '/documents?patient=1',
  '/documents?layout=grid',
  '/review',
  '/timeline?patient=1',
  '/timeline?patient=1&view=table',
  '/labs',
  '/labs?patient=1',
  '/shares',
  '/shares/new',
  '/names?type=doctors',
  '/vault',
  '/phones',
  '/settings',
  ...['people', 'reading', 'sign-in', 'sessions', 'backups', 'sharing', 'trash', 'audit', 'log', 'about'].map(
    (one) => `/settings/${one}`,
  ),
];

/** Calls `check` on every page; returns what it found, by page. */
async function onPages(
  on: Page,
  check: (on: Page) => Promise<string[]>,
  pages: readonly string[] = PAGES,
): Promise<Record<string, string[]>> {
  await on.goto(served.url);
  return onEveryPage(on, [...pages, `/documents/${discharge}?patient=1`], check);
}

describeWith({ browser: true }, 'every page', () => {
  test('has targets of 44 pixels for fingers on a phone, without scrolling sideways', async ({ browser }) => {
    const phone = await openPage(browser, { as: person, viewport: { width: 390, height: 844 }, hasTouch: true });
    expect(
      await onPages(phone, async (on) => [...(await findSmallTargets(on)), ...(await findOutOfReach(on))]),
    ).toEqual({});
    await phone.context().close();
  });

  it('can be walked by the keyboard alone, and its tabs say which one is selected', async () => {
    const walk = async (on: Page) => [...(await findTabsWithoutState(on)), ...(await walkByTab(on))];
    // Each kind of control once; every page in the deep tests.
    const pages = inDepth(
      ['/documents?patient=1', '/timeline?patient=1', '/labs', '/vault', '/settings/people'],
      PAGES,
    );
    expect(await onPages(page, walk, pages)).toEqual({});
  });
});
