import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src-main/platform/database/connection.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { Client } from '../support/client.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

const DAYS = [
  '2023-01-10',
  '2023-06-02',
  '2023-11-15',
  '2024-03-01',
  '2024-06-20',
  '2024-12-02',
  '2025-05-12',
  '2025-09-02',
  '2026-01-15',
  '2026-06-30',
  '2026-11-12',
];
/** Name, LOINC code, category, unit, range, and the values of the days; `mg/dL` after a value is its own unit. */
const COURSES: [string, string, string, string, number | null, number | null, string[]][] = [
  ['Ferritin', '2276-4', 'Iron', 'µg/L', 30, 300, ['62', '55', '40', '31', '22', '96', '88', '80', '61', '38', '24']],
  [
    'Hämoglobin',
    '718-7',
    'Blood count',
    'g/dL',
    12,
    16,
    ['12.9', '12.7', '12.4', '12.1', '12.0', '13.1', '13.4', '13.3', '13.0', '12.8', '12.6'],
  ],
  [
    'LDL-Cholesterin',
    '22748-8',
    'Lipids',
    'mmol/L',
    null,
    3,
    ['108 mg/dL', '2.7', '2.9', '112 mg/dL', '2.9', '3.0', '119 mg/dL', '3.1', '3.2', '3.3', '3.4'],
  ],
  [
    'CRP',
    '1988-5',
    'Inflammation',
    'mg/L',
    null,
    5,
    ['<0.6', '4.6', '1.3', '<0.6', 'siehe Bem.', '1.2', '<0.6', '0.9', '2.2', '<0.6', '0.8'],
  ],
  [
    'Eisen',
    '14798-3',
    'Iron',
    'µmol/L',
    11,
    28,
    ['15.2', '14.8', '13.9', '12.6', '11.4', '18.3', '17.0', '16.2', '14.9', '13.4', '12.1'],
  ],
  [
    'Transferrinsättigung',
    '2502-3',
    'Iron',
    '%',
    16,
    45,
    ['24', '22', '20', '18', '17', '31', '29', '26', '22', '19', '16'],
  ],
  [
    'Leukozyten',
    '6690-2',
    'Blood count',
    'G/L',
    4,
    10,
    ['6.1', '7.2', '6.4', '5.9', '6.6', '7.0', '6.3', '6.2', '6.8', '6.5', '6.4'],
  ],
  [
    'Thrombozyten',
    '777-3',
    'Blood count',
    'G/L',
    150,
    400,
    ['241', '252', '238', '266', '281', '247', '239', '233', '245', '251', '248'],
  ],
  [
    'HDL-Cholesterin',
    '14646-4',
    'Lipids',
    'mmol/L',
    1,
    null,
    ['1.5', '1.5', '1.6', '1.6', '1.5', '1.7', '1.6', '1.6', '1.6', '1.7', '1.6'],
  ],
  [
    'TSH',
    '3016-3',
    'Thyroid',
    'mIU/L',
    0.4,
    4,
    ['1.80', '2.05', '2.31', '1.92', '2.14', '2.40', '2.02', '1.96', '2.22', '2.18', '2.10'],
  ],
  [
    'Kreatinin',
    '14682-9',
    'Kidney',
    'µmol/L',
    45,
    84,
    ['66', '68', '64', '67', '70', '65', '66', '69', '71', '67', '68'],
  ],
  ['ALT (GPT)', '1742-6', 'Liver', 'U/L', null, 35, ['21', '24', '19', '22', '26', '31', '25', '23', '22', '20', '23']],
];

let served: Served, page: Page, db: Database;
const pageErrors: string[] = [];
test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  const person = new Client(served.url);
  await person.setup();
  db = openDatabase(join(served.vault, 'vault.db'));
  fill(db);
  page = await openPage(browser, { as: person, acceptDownloads: true });
  recordPageErrors(page, pageErrors);
});
afterAll(() => {
  db?.close();
});

/**
 * Reports of two laboratories over four years, one of them twice, a result that outlived its report, and an episode
 * among them.
 */
function fill({ prepare }: Database): void {
  const insert = (table: string, row: Record<string, unknown>): number =>
    Number(
      prepare(
        `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
          .map(() => '?')
          .join(', ')})`,
      ).run(...Object.values(row)).lastInsertRowid,
    );
  const laboratories = ['Synlabor Mittelland', 'Lakeview Diagnostics'].map((name) =>
    insert('facilities', { canonical_code: name, canonical_display: name, name, created_at: 'x' }),
  );
  const report = (day: string, at: number): number =>
    insert('documents', {
      patient_id: 1,
      file_path: `patients/elena-keller/${day}-${at}-${Math.random()}.pdf`,
      original_filename: `report-${day}.pdf`,
      mime_type: 'application/pdf',
      doc_type: 'lab_test',
      event_date: day,
      facility_id: laboratories[at],
      file_size: 1,
      file_hash: `${day}${at}`,
      status: 'done',
      created_at: '2026-01-01T00:00:00',
      updated_at: '2026-01-01T00:00:00',
    });
  const entries = COURSES.map(([name, loinc_code, category]) =>
    insert('norm_lab_tests', {
      canonical_code: `e2e-${name}`,
      canonical_display: name,
      loinc_code,
      category,
      created_at: 'x',
    }),
  );
  const result = (
    document_id: number | null,
    test: number,
    day: string,
    printed: string,
    range?: [number, number],
  ): void => {
    const [name, , , unit, usualLow, usualHigh] = COURSES[test] as (typeof COURSES)[number];
    const [low, high] = range ?? [usualLow, usualHigh];
    const [text = '', own] = /^(\S+) (mg\/dL)$/.exec(printed)?.slice(1) ?? [printed];
    const number = Number(text.replace('<', ''));
    const scale = own ? 38.67 : 1;
    insert('lab_results', {
      document_id,
      patient_id: 1,
      test_name_original: name,
      norm_lab_test_id: entries[test],
      value: Number.isNaN(number) ? null : number,
      value_text: text,
      unit: Number.isNaN(number) ? null : (own ?? unit),
      reference_range_low: low,
      reference_range_high: high === null ? null : Math.round(high * scale),
      is_abnormal: Number((low !== null && number < low) || (high !== null && number > high * scale)),
      test_date: day,
    });
  };
  DAYS.forEach((day, index) => {
    const document = report(day, index === 8 ? 1 : 0);
    COURSES.forEach(([, , , , , , values], test) =>
      result(document, test, day, values[index] ?? '', index === 8 && test === 0 ? [15, 150] : undefined),
    );
  });
  result(report(DAYS[10] ?? '', 1), 0, DAYS[10] ?? '', '24');
  result(null, 0, '2022-05-05', '70');
  insert('events', {
    patient_id: 1,
    title: 'Iron infusion',
    slug: 'iron',
    event_type: 'treatment',
    date_start: '2024-10-10',
    created_at: 'x',
    updated_at: 'x',
  });
  insert('medications', { document_id: report('2024-10-10', 0), brand_name: 'Ferinject', dosage: '500 mg' });
}

const violations = (): Promise<string[]> => findViolations(page);
const shot = (name: string): Promise<Buffer> => page.screenshot({ path: `${SCREENSHOTS}${name}.png` });
const open = async (test: string): Promise<void> => {
  await page.goto(`${served.url}/labs?test=${encodeURIComponent(test)}`);
  await page.getByRole('heading', { level: 1, name: test }).waitFor();
};
const painted = async (): Promise<void> => {
  await page.locator('.lab-plot canvas').waitFor();
};
const rows = (): Promise<string[]> => page.locator('.lab-table').first().locator('tbody tr').allInnerTexts();

describeWith({ browser: true }, 'the trends of lab results', () => {
  it('opens by shortcut, and shows each test with its last value', async () => {
    await page.goto(served.url);
    await page.getByRole('link', { name: 'Labs' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.getByRole('list', { name: 'Tests' }).waitFor();
    expect(await page.locator('.lab-row').first().innerText()).toMatch(/Hämoglobin[\s\S]*12\.6[\s\S]*g\/dL/);
    await page.getByRole('button', { name: 'Out of range' }).click();
    await expect
      .poll(() => page.locator('.lab-row').allInnerTexts())
      .toEqual([expect.stringContaining('Ferritin'), expect.stringContaining('LDL-Cholesterin')]);
    await page.getByRole('button', { name: 'All', exact: true }).first().click();
    await page.getByRole('searchbox', { name: 'Find a test' }).fill('hamo');
    await expect.poll(() => page.locator('.lab-row').count()).toBe(1);
  });

  it('counts duplicates once, moves between results by arrow keys and opens the page of each', LONG, async () => {
    await open('Ferritin');
    await painted();
    expect(await rows()).toHaveLength(12);
    expect((await rows())[0]).toMatch(/24 ▼[\s\S]*also in report-2026-11-12\.pdf/);
    expect(await page.locator('.lab-note').innerText()).toMatch(/1 duplicate was counted once/);
    await page.locator('.lab-chart').focus();
    await page.keyboard.press('ArrowLeft');
    await expect
      .poll(() => page.locator('.lab-chart > .sr-only').innerText())
      .toMatch(/24.µg\/L[\s\S]*below range[\s\S]*12 Nov 2026/);
    expect(
      await page.getByRole('link', { name: /Open page with the result of 12 Nov 2026/ }).getAttribute('href'),
    ).toMatch(/^\/documents\/\d+\?value=lab:\d+$/);
    expect(await violations()).toEqual([]);
    await page.locator('h1:visible').first().click();
    await shot('labs-light');
  });

  it("uses one unit, keeps comparators, and lists separately what can't be drawn", LONG, async () => {
    await open('LDL-Cholesterin');
    await painted();
    expect((await rows()).some((row) => /3\.08[\s\S]*printed as 119.mg\/dL/.test(row))).toBe(true);
    await page.getByLabel('Unit of LDL-Cholesterin').selectOption('mg/dL');
    await page.getByRole('columnheader', { name: 'mg/dL' }).waitFor();
    await open('CRP');
    await painted();
    expect((await rows()).filter((row) => /<.0\.6/.test(row))).toHaveLength(4);
    expect(await page.locator('.lab-apart tbody').innerText()).toMatch(/siehe Bem\.[\s\S]*text, not a number/);
    expect(await violations()).toEqual([]);
  });

  it('compares two tests, and exports a table and an image', LONG, async () => {
    await open('Ferritin');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByPlaceholder('Find a test').last().fill('Hämo');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Without Hämoglobin' }).waitFor();
    expect(await violations()).toEqual([]);
    const saved = async (item: RegExp) => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: item }).click();
      const file = await download;
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
    };
    const table = await saved(/CSV/),
      picture = await saved(/PNG/);
    expect([table.name, table.bytes.toString().trim().split('\r\n').length]).toEqual([
      'Ferritin + Hämoglobin.csv',
      1 + 12 + 11,
    ]);
    expect([picture.name, picture.bytes.subarray(1, 4).toString()]).toEqual(['Ferritin + Hämoglobin.png', 'PNG']);
  });

  it('lists results without a document, each of which can be deleted and restored', async () => {
    await open('Ferritin');
    await page.getByRole('link', { name: 'Without a document · 1' }).click();
    await page.getByRole('button', { name: 'Delete Ferritin of 5 May 2022' }).click();
    await page.getByText('Every result has a document').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Delete Ferritin of 5 May 2022' }).waitFor();
    expect(await violations()).toEqual([]);
  });

  it('is corrected, completed and cleaned up on the page of the report, by keyboard and with undo', LONG, async () => {
    const id = db.prepare("SELECT max(id) FROM documents WHERE event_date = '2026-06-30'").pluck().get() as number;
    const result = (name: string) =>
      page.locator('.result-table tbody tr', { has: page.getByRole('button', { name: `Edit ${name}` }) });
    await page.goto(`${served.url}/documents/${id}`);
    await page.getByRole('button', { name: 'Edit Ferritin' }).click();
    await page.getByLabel('Value', { exact: true }).fill('138');
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await result('Ferritin').getByText('138').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Edit Ferritin');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await result('Ferritin').getByText('38', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add a result' }).click();
    await page.keyboard.type('Kreatinin');
    await expect.poll(() => page.getByLabel('Unit', { exact: true }).inputValue()).toBe('µmol/L');
    await page.keyboard.press('Tab');
    await page.keyboard.type('<20');
    await page.getByLabel('Range', { exact: true }).fill('much');
    await page.keyboard.press('Enter');
    await page.getByText('Enter it as 30-300').waitFor();
    await page.getByLabel('Range', { exact: true }).fill('45-84');
    await page.keyboard.press('Enter');
    await result('Kreatinin').getByText(/<\s20/).waitFor();
    // The next one can be typed at once; Escape ends it.
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === '');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit TSH' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await result('TSH').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await result('TSH').waitFor();
    await page.getByRole('link', { name: 'Ferritin trend' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ferritin' }).waitFor();
    expect(await page.locator('.lab-row[aria-current]').innerText()).toContain('Ferritin');
  });

  it('opens from the palette, and is accessible in the dark, in German and on a phone', LONG, async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ferr');
    await page.getByRole('option', { name: /^Ferritin .*µg\/L/ }).click();
    await painted();
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    expect(await violations()).toEqual([]);
    await shot('labs-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await violations()).toEqual([]);
    await shot('labs-phone');
    await page.evaluate(() => localStorage.setItem('hearth.language', 'de'));
    await page.goto(`${served.url}/labs`);
    await page.getByRole('heading', { name: 'Eisen' }).waitFor();
    expect(await violations()).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});
