import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHLViewer } from 'kill-the-clipboard';
import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import { Recipient } from '../support/recipient.ts';
import { describeWith } from '../support/requirements.ts';
import { letter } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import { freePort, makeSshServer, type SshServer } from '../support/ssh-server.ts';
import { LONG } from '../support/long.ts';

let household: Household, owner: Client, door: string, browser: Browser;
const errors: string[] = [];
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always' },
});
it.beforeAll(({ served, household: records, browser: chromium }) => {
  [household, browser, door] = [records, chromium, served.shareUrl ?? ''];
  owner = household.as('owner');
});
it.afterAll(() => expect(errors).toEqual([]));

const home = (as: Client): Promise<Page> => openPage(browser, { as });
const setTheme = (page: Page, theme: 'light' | 'dark'): Promise<void> =>
  page.evaluate((name) => void (document.documentElement.dataset['theme'] = name), theme);
/** Looks at the page in both themes. */
async function look(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(page, theme);
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, `shares-${name}-${theme}.png`) });
  }
}

describeWith({ browser: true }, 'the pages of the household for shares', () => {
  it('shares two documents, reads the code aloud, sees who is there and what they did, and ends it', LONG, async () => {
    const patient = household.make.patient();
    household.make.use(patient);
    for (let made = 0; made < 3; made += 1) household.make.document();
    household.make.use(household.patient);
    const page = await home(owner);
    recordPageErrors(page, errors);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    // The page asks every few seconds what recipients did.
    const askAgain = (): Promise<void> => page.clock.fastForward(6000);
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

    await page.goto(`${owner.url}/shares?patient=${patient}`);
    await page.getByText('Nothing is shared').waitFor();
    await page.goto(`${owner.url}/documents?patient=${patient}`);
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .waitFor();
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    // Whether the user may share is known once the list of people is here, which can be after the rows.
    await page.getByRole('toolbar').getByRole('button', { name: 'Share' }).waitFor();
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'New share' }).waitFor();
    await page.getByRole('button', { name: 'Create share and copy link' }).click();
    await page.getByText('Enter the name that is printed on every page.').waitFor();
    await page.getByLabel('Name on every page').fill('Dr. med. Regula Aebischer');
    await expect.poll(() => page.getByRole('radio', { name: /^By e-mail/ }).isDisabled()).toBe(true);
    await page.getByText('No mail server is set up yet. An administrator can set one up in the settings.').waitFor();
    await page.getByRole('button', { name: '2 weeks' }).click();
    await page.getByText(/Regula Aebischer can view 2 documents for 2 weeks/).waitFor();
    await page.getByRole('region', { name: 'Medical documents' }).getByText('For Dr. med. Regula Aebischer').waitFor();
    await look(page, 'new');
    await page.getByRole('button', { name: 'Create share and copy link' }).click();
    await page.getByRole('heading', { name: 'Dr. med. Regula Aebischer', level: 1 }).waitFor();
    const [share] = (await owner.get(`/api/shares?patient_id=${patient}`)).body;
    expect(await copied()).toBe(share.share_url);
    const days = (Date.parse(`${share.expires_at}Z`) - Date.parse(`${share.created_at}Z`)) / 86_400_000;
    expect([share.document_count, days]).toEqual([2, 14]);

    const recipient = new Recipient(door, '198.51.100.7');
    const token = new URL(share.share_url).pathname.split('/')[2] ?? '';
    await page.getByText('No code has been requested').waitFor();
    await recipient.post(`/api/share/${token}/request-otp`);
    await askAgain();
    await page.getByRole('timer', { name: 'Time left' }).waitFor();
    await page.getByRole('link', { name: /Aebischer Code requested/ }).waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('The code was copied').waitFor();
    const code = await copied();
    expect(code).toMatch(/^\d{6}$/);
    expect((await recipient.post(`/api/share/${token}/verify-otp`, { code })).status).toBe(200);
    await recipient.get(`/api/share/documents/${share.document_ids[0]}`);

    await askAgain();
    const seats = page.getByRole('region', { name: 'Who is there' });
    await seats.getByRole('button', { name: 'Disconnect' }).waitFor();
    await seats.getByText(/reading “/).waitFor();
    const story = page.getByRole('region', { name: 'What happened' });
    for (const sentence of ['The share was created', 'Requested a code', 'Entered the code correctly', /^Opened “/])
      await story.getByText(sentence).waitFor();
    await page.getByText('No code has been requested').waitFor();
    await new Recipient(door, '198.51.100.8').post(`/api/share/${token}/request-otp`);
    await askAgain();
    await page.getByRole('timer', { name: 'Time left' }).waitFor();
    await look(page, 'detail');
    await page.getByRole('button', { name: 'Cancel code' }).click();
    await story.getByText('The code was cancelled').waitFor();
    await page.getByText('No code has been requested').waitFor();
    expect((await owner.get(`/api/shares/${share.share_id}/active-otp`)).body).toEqual({ active_otp: null });
    const download = page.waitForEvent('download');
    await story.getByRole('button', { name: 'Save what happened as CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Share for Dr. med. Regula Aebischer.csv');
    const csv = readFileSync(await file.path(), 'utf8').split('\r\n');
    expect(csv[0]).toBe('\uFEFFTime (UTC),What happened,Document,Device,Address,Detail');
    expect(csv[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,The share was created,,,,2 documents$/);

    await page.getByRole('region', { name: 'Documents' }).getByRole('button', { name: 'Add' }).click();
    const picker = page.getByRole('dialog');
    await picker.getByRole('checkbox').check();
    await picker.getByRole('button', { name: 'Add 1 document' }).click();
    await story.getByText('Documents were added').waitFor();
    const listed = page.getByRole('region', { name: 'Documents' }).getByRole('listitem');
    await listed
      .first()
      .getByRole('button', { name: /^Take “.*” out of the share$/ })
      .click();
    await story.getByText(/^Took “.*” out of the share$/).waitFor();
    await expect.poll(() => listed.count()).toBe(2);
    expect((await recipient.get(`/api/share/documents/${share.document_ids[0]}`)).status).toBe(404);
    await page.keyboard.press('Control+z');
    await expect.poll(() => listed.count()).toBe(3);
    await page.getByRole('button', { name: 'Preview as recipient' }).click();
    await page.getByRole('dialog').getByText('shows you 3 documents').waitFor();
    await page.keyboard.press('Escape');
    await seats.getByRole('button', { name: 'Disconnect' }).click();
    await seats.getByText('Nobody has the share open.').waitFor();
    expect((await recipient.get('/api/share/me')).status).toBe(401);

    await page.getByRole('link', { name: 'Print a slip with the QR code' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await page.getByText('Geben Sie die sechs Ziffern ein.').waitFor();
    await page.getByLabel('Phone number to call').fill('+41 79 555 01 88');
    await page.getByText('Press “Request the code” and call +41 79 555 01 88.').waitFor();
    await look(page, 'slip');
    await page.getByRole('link', { name: 'Back to the share' }).click();

    await page.getByRole('button', { name: 'End share' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End share' }).click();
    await page.getByText('The share for Dr. med. Regula Aebischer has ended').waitFor();
    expect((await owner.get(`/api/shares?patient_id=${patient}`)).body[0].status).toBe('revoked');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => (await owner.get(`/api/shares?patient_id=${patient}`)).body).toEqual([]);
    await page.context().close();
  });

  it('makes a link for health apps, is warned before it is lost, sees it opened, and ends it', LONG, async () => {
    const patient = household.make.patient();
    household.make.use(patient);
    const shared = household.make.share();
    household.make.use(household.patient);
    const page = await home(owner);
    recordPageErrors(page, errors);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${owner.url}/shares?patient=${patient}&share=${shared.id}`);
    const panel = page.getByRole('region', { name: 'Links for health apps' });
    await panel.getByRole('button', { name: 'New link' }).click();
    const dialog = page.getByRole('dialog');
    const passcode = dialog.getByLabel('Passcode (recommended)');
    expect(await passcode.inputValue()).toMatch(/^\d{4} \d{4}$/);
    await passcode.fill('abc');
    await dialog.getByRole('button', { name: 'Make link' }).click();
    await dialog.getByText('A passcode has at least 6 characters.').waitFor();
    await passcode.fill('4821 9037');
    await dialog.getByRole('button', { name: '1 week' }).click();
    await look(page, 'health-link-new');
    await dialog.getByRole('button', { name: 'Make link' }).click();
    await dialog.getByText('The link can be opened now.').waitFor();
    await look(page, 'health-link-ready');
    // It is not lost by a click beside the dialog.
    await page.keyboard.press('Escape');
    await dialog.getByText('You have neither copied nor printed the link.').waitFor();
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('The link was copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const viewer = new SHLViewer({ shlinkURI: link });
    await expect(viewer.resolveSHL({ recipient: 'Praxis am Bach', passcode: '111111' })).rejects.toThrow();
    const { fhirResources } = await viewer.resolveSHL({ recipient: 'Praxis am Bach', passcode: '4821 9037' });
    expect(fhirResources).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await panel.getByText(/passcode, 9 tries left · .*opened once/).waitFor();
    await page.getByRole('region', { name: 'What happened' }).getByText('An app opened a link').waitFor();
    await look(page, 'health-link-list');
    await panel.getByRole('button', { name: 'End “For Dr. Frisch”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await panel.getByText('Ended').waitFor();
    await expect(viewer.resolveSHL({ recipient: 'Praxis', passcode: '4821 9037' })).rejects.toThrow();
    await page.context().close();
  });

  it('sees that the link of a share has an old address, and copies the new one with one click', LONG, async () => {
    const share = household.make.share({ recipient_label: 'Praxis Lindenhof', link_origin: 'https://gone.example' });
    const page = await home(owner);
    recordPageErrors(page, errors);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${owner.url}/shares?share=${share.id}`);
    await page.getByText('the old one leads nowhere any more').waitFor();
    await page
      .getByRole('link', { name: /Praxis Lindenhof/ })
      .getByText('Address changed')
      .waitFor();
    await look(page, 'link-moved');
    await page.getByRole('button', { name: 'Copy new link' }).click();
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/share/${share.token}$`));
    expect(await page.getByText('the old one leads nowhere any more').count()).toBe(0);
    await page.context().close();
  });

  it('sees which file recipients cannot open, before it is shared and after', LONG, async () => {
    const share = household.make.share({ recipient_label: 'Praxis Rosental' });
    writeFileSync(join(household.vault, household.make.pathOf(share.document)), 'not a PDF any more');
    const page = await home(owner);
    recordPageErrors(page, errors);
    await page.goto(`${owner.url}/shares/new?of=${household.patient}&documents=${share.document}`);
    const told = page.getByText('Recipients cannot open it: The file is damaged');
    await told.waitFor();
    await look(page, 'new-unopenable');
    await page.goto(`${owner.url}/shares?share=${share.id}`);
    await told.waitFor();
    await page.context().close();
  });

  it('sees that a link for health apps has an old address, and makes it anew', LONG, async () => {
    const shared = household.make.share({ recipient_label: 'Praxis am Bach' });
    household.make.healthLink(shared, { origin: 'https://gone.example', label: 'For the practice', uses_left: 1 });
    const page = await home(owner);
    recordPageErrors(page, errors);
    await page.goto(`${owner.url}/shares?share=${shared.id}`);
    const panel = page.getByRole('region', { name: 'Links for health apps' });
    await panel.getByText('The address of this computer has changed').waitFor();
    await look(page, 'health-link-moved');
    await panel.getByRole('button', { name: 'Make anew: “For the practice”' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Name of the link').inputValue()).toBe('For the practice');
    expect(await dialog.getByRole('checkbox', { name: 'For one use' }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Make link' }).click();
    await dialog.getByText('The link can be opened now.').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await panel.getByText('Can be opened').waitFor();
    await panel.getByText('Ended').waitFor();
    expect(await panel.getByText('The address of this computer has changed').count()).toBe(0);
    await page.context().close();
  });

  it('reopens a locked share, and an administrator closes and opens the service', LONG, async () => {
    const share = household.make.share({ failed_codes: 99, recipient_label: 'Helvia Krankenkasse' });
    const page = await home(household.as('keeper'));
    recordPageErrors(page, errors);
    await page.goto(`${owner.url}/?patient=${household.patient}`);
    const waiting = page.getByRole('region', { name: 'Shares' }).getByRole('listitem');
    await waiting
      .filter({ hasText: 'Helvia Krankenkasse' })
      .filter({ hasText: 'locked by wrong codes' })
      .getByRole('link', { name: 'Open' })
      .click();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('The share for Helvia Krankenkasse is open again').waitFor();
    expect((await owner.get(`/api/shares/${share.id}/audit`)).body.share.status).toBe('active');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close everything' }).click();
    await page.getByRole('heading', { name: 'Sharing is off' }).waitFor();
    await expect.poll(() => fetch(`${door}/share/x`).catch(() => 'closed')).toBe('closed');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('heading', { name: 'Sharing is on' }).waitFor();
    await look(page, 'service');
    await page.context().close();
  });

  it('offers no sharing to somebody who may only read the record', async () => {
    const patient = household.make.patient();
    household.make.use(patient);
    household.make.document();
    household.make.use(household.patient);
    household.db
      .prepare("INSERT INTO patient_access (user_id, patient_id, role) VALUES (?, ?, 'viewer')")
      .run(household.ids.other, patient);
    const page = await home(household.as('other'));
    await page.goto(`${owner.url}/documents?patient=${patient}`);
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .waitFor();
    for (const key of ['j', 'x']) await page.keyboard.press(key);
    const bar = page.getByRole('toolbar');
    await bar.getByText('1 selected').waitFor();
    expect(await bar.getByRole('button', { name: 'Share' }).count()).toBe(0);
    await page.keyboard.press('s');
    await bar.waitFor();
    await page.context().close();
    const reader = await home(household.as('viewer'));
    await reader.goto(`${owner.url}/shares`);
    await reader.getByText('Only the owners of a record can share its documents.').waitFor();
    expect(await reader.getByRole('link', { name: 'New share' }).count()).toBe(0);
    await reader.context().close();
  });
});

describeWith(
  { browser: true, programs: ['ssh', 'ssh-keygen', 'sshd', 'ps'] },
  'a household that publishes shares through a server of its own',
  () => {
    /** Enters the server into the form of the tunnel. */
    async function enterServer(panel: Locator, server: SshServer, port: number): Promise<void> {
      await panel.getByRole('button', { name: 'Change' }).click();
      await panel.getByRole('radio', { name: /^A server of yours, through SSH/ }).check();
      for (const [label, text] of [
        ['Server', '127.0.0.1'],
        ['SSH port', String(server.port)],
        ['User on the server', server.user],
        ['Key file', server.keyFile],
        ['File of known hosts', server.knownHostsFile],
        ['Public port', String(port)],
      ] as const)
        await panel.getByLabel(label, { exact: true }).fill(text);
    }
    const imageOf = (page: Page, number: number): Locator =>
      page.getByRole('img', { name: `Page ${number} of “Laboratory report”` });

    it('shows a document on a phone through ssh, while the tunnel fails and returns, and closes', LONG, async () => {
      const server = await makeSshServer();
      await server.start();
      const port = await freePort();
      const page = await home(household.as('keeper'));
      recordPageErrors(page, errors);
      await page.goto(`${owner.url}/shares?patient=${household.patient}&view=service`);
      const panel = page.getByRole('region', { name: 'Address of the links' });
      await enterServer(panel, server, port);
      await look(page, 'tunnel-form');
      await panel.getByRole('button', { name: 'Save and open' }).click();
      await panel.getByText('The tunnel is open', { exact: true }).waitFor();
      await panel.getByText(`http://127.0.0.1:${port}`, { exact: true }).waitFor();
      await panel.getByText('This address is not encrypted').waitFor();
      await look(page, 'tunnel-open');

      const made = household.make.share({ recipient_label: 'Dr. Rundweg' });
      const pages = await letter([[{ text: 'The first page', y: 100 }], [{ text: 'The second page', y: 100 }]]);
      writeFileSync(join(household.vault, household.make.pathOf(made.document)), pages);
      household.db.prepare('UPDATE documents SET page_count = 2 WHERE id = ?').run(made.document);
      const listed = (await owner.get('/api/shares')).body.find(({ id }: { id: string }) => id === made.id);
      expect(listed.share_url).toBe(`http://127.0.0.1:${port}/share/${made.token}`);
      const phone = await openPage(browser, {
        ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      });
      await phone.goto(listed.share_url);
      await phone.getByRole('button', { name: 'Request the code' }).click();
      await phone.getByLabel('Code of six digits').waitFor();
      const codeOf = async () => (await owner.get(`/api/shares/${made.id}/active-otp`)).body.active_otp?.code;
      await expect.poll(codeOf).toBeDefined();
      await phone.getByLabel('Code of six digits').fill(await codeOf());
      await phone.getByRole('button', { name: /^Laboratory report/ }).click();
      await imageOf(phone, 1).waitFor();
      await page.getByRole('region', { name: 'Connected now' }).getByText('for Dr. Rundweg').waitFor();

      await server.stop();
      await panel.getByText('The tunnel failed', { exact: true }).waitFor();
      await panel.getByText('The server 127.0.0.1 does not answer.').waitFor();
      await look(page, 'tunnel-failed');
      await phone.getByRole('button', { name: 'Next page' }).click();
      await phone.getByText('This page could not be shown.').waitFor();
      await server.start();
      await panel.getByText('The tunnel is open', { exact: true }).waitFor({ timeout: 60_000 });
      await phone.getByRole('button', { name: 'Try again' }).click();
      await imageOf(phone, 2).waitFor();

      await page.getByRole('button', { name: 'Close everything' }).click();
      await page
        .getByText(`Everything is closed · 127.0.0.1:${port} no longer leads here · 1 person disconnected`)
        .waitFor();
      await panel.getByText('The tunnel is closed', { exact: true }).waitFor();
      await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
      expect((await owner.get(`/api/shares/${made.id}/sessions`)).body.active).toEqual([]);
      await page.getByRole('button', { name: 'Turn on' }).click();
      await panel.getByText('The tunnel is open', { exact: true }).waitFor();
      await panel.getByRole('button', { name: 'Change' }).click();
      await panel.getByRole('radio', { name: /^A fixed address/ }).check();
      await panel.getByRole('button', { name: 'Save and open' }).click();
      await panel.getByText('This address works only on this computer.').waitFor();
      await Promise.all([page.context().close(), phone.context().close()]);
      await server.close();
    });
  },
);
