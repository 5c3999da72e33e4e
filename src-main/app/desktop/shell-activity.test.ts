import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  appCalls,
  BrowserWindow,
  Menu,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  resetElectron,
  session,
  systemCalls,
  Tray,
} from '../../../test/fakes/electron.ts';
import {
  ask,
  click,
  items,
  NOTHING,
  open,
  openWindow,
  removeShell,
  resetShell,
  signals,
  signIn,
  URL_OF_CORE,
  world,
} from '../../../test/support/fake-shell.ts';
import { MAX_RANGE_BYTES, type ListedPort, type OfferedFile } from '../../../src-shared/contract/bridge.ts';
import { COMMANDS, PAGES } from '../../../src-shared/contract/commands.ts';
import { MENU_TEXTS } from '../../../src-shared/contract/menu-labels.ts';
import type { Activity } from '../shell-api.ts';

vi.mock('electron', () => import('../../../test/fakes/electron.ts'));

beforeEach(resetShell);
afterEach(removeShell);

describe('files that are opened with Hearth', () => {
  const inFolder = (name: string, text: string): string => {
    writeFileSync(join(world.folder, name), text);
    return join(world.folder, name);
  };

  it('wait for the page, are read in parts and are forgotten then', async () => {
    const shell = open();
    const [window] = BrowserWindow.opened;
    const paths = ['letter.pdf', 'IM0001', 'photo.HEIC', 'program.exe', 'missing.pdf'].map((name) =>
      name === 'missing.pdf' ? join(world.folder, name) : inFolder(name, `words of ${name}`),
    );
    await shell.show({ files: [...paths, ...paths, world.folder], path: null });
    expect(signals(window!)).toEqual([{ kind: 'files' }]);
    expect(await ask('offeredFiles', {})).toEqual({ error: 'forbidden' });
    signIn();
    const { value } = (await ask('offeredFiles', {})) as { value: { files: OfferedFile[] } };
    expect(value.files.map(({ name, size }) => [name, size])).toEqual([
      ['letter.pdf', 19],
      ['IM0001', 15],
      ['photo.HEIC', 19],
    ]);
    expect(JSON.stringify(value)).not.toContain(world.folder);
    const { key } = value.files[0]!;
    const read = async (start: number, end: number): Promise<string> => {
      const reply = (await ask('readOfferedFile', { key, start, end })) as { value: { bytes: Uint8Array } };
      return Buffer.from(reply.value.bytes).toString();
    };
    expect([await read(0, 5), await read(9, 500), await read(19, 19)]).toEqual(['words', 'letter.pdf', '']);
    expect(await ask('readOfferedFile', { key, start: 5, end: 2 })).toEqual({ error: 'malformed' });
    expect(await ask('readOfferedFile', { key, start: 0, end: MAX_RANGE_BYTES + 1 })).toEqual({ error: 'malformed' });
    expect(await ask('readOfferedFile', { key: '/etc/passwd', start: 0, end: 9 })).toEqual({ error: 'unknown_folder' });
    await ask('dropOfferedFile', { key });
    expect(await ask('readOfferedFile', { key, start: 0, end: 5 })).toEqual({ error: 'unknown_folder' });
  });

  it('come from the dialog of menu and tray as well', async () => {
    open();
    signIn();
    await ask('setMenuLabels', GERMAN);
    systemCalls.chosenFiles = [inFolder('letter.pdf', 'x')];
    click(items().find(({ id }) => id === 'upload'));
    await expect.poll(() => signals(BrowserWindow.opened[0]!)).toEqual([{ kind: 'files' }]);
    expect(systemCalls.dialogs).toEqual([
      expect.objectContaining({ properties: ['openFile', 'multiSelections'], title: GERMAN.shell.add_title }),
    ]);
  });

  it('are shown in the folder only to those who may see the document', async () => {
    open();
    expect(await ask('revealDocument', { id: 7 })).toEqual({ error: 'forbidden' });
    signIn();
    expect(await ask('revealDocument', { id: 8 })).toEqual({ error: 'forbidden' });
    expect(await ask('revealDocument', { id: '7' })).toEqual({ error: 'malformed' });
    expect(await ask('revealDocument', { id: 7 })).toEqual({ value: {} });
    expect(systemCalls.shownPaths).toEqual(['/home/ada/vault/patients/ada/7.pdf']);
  });
});

describe('the tray', () => {
  const tray = () => Tray.opened[0]!;
  const line = () => tray().template.find(({ id }) => id === 'state')?.label;
  const happen = (next: Partial<Activity>): void => {
    world.activity = { ...world.activity, ...next };
    for (const listener of world.listeners) listener();
  };

  it('tells nothing of the records before somebody signs in, then what is read', async () => {
    world.activity = { ...NOTHING, waiting: 4 };
    open();
    await expect.poll(line).toBe(MENU_TEXTS.state_signed_out);
    expect(tray().template.map(({ id }) => id)).not.toContain('add');
    signIn();
    await ask('setMenuLabels', GERMAN);
    happen({ isReading: true });
    await expect.poll(line).toBe('Wird gelesen: 5');
    expect(tray().template.map(({ id }) => id)).toEqual(['state', undefined, 'add', 'open', 'quit']);
    happen({ isStopped: true });
    await expect.poll(line).toBe('Angehalten: 5');
    click(tray().template.find(({ id }) => id === 'quit'));
    expect(appCalls.quits).toBe(1);
  });

  it('notifies in numbers when reading ends, when something needs a review and when a share is opened', async () => {
    signIn();
    open();
    await expect.poll(line).toBe(MENU_TEXTS.state_idle);
    happen({ waiting: 2 });
    await expect.poll(line).toContain('2');
    happen({ waiting: 0, ended: 2 });
    const texts = () => Notification.shown.map(({ options }) => options.body);
    await expect.poll(texts).toEqual(['Documents read: 2']);
    happen({ isReading: true });
    await expect.poll(line).toContain('1');
    happen({ isReading: false, ended: 3, toReview: 1, openings: 1 });
    await expect.poll(texts).toEqual(['Documents read: 2', MENU_TEXTS.note_opened, 'Documents to review: 1']);
    Notification.shown.at(-1)?.emit('click');
    await expect.poll(() => signals(BrowserWindow.opened[0]!)).toEqual([{ kind: 'go', path: '/review' }]);
    await ask('changeDesktop', { notifications: false });
    happen({ openings: 2, waiting: 1 });
    await expect.poll(line).toContain('1');
    expect(Notification.shown).toHaveLength(3);
  });
});

describe('power', () => {
  it('makes reading wait on battery only if that is wished', async () => {
    signIn();
    open();
    powerMonitor.onBattery = true;
    powerMonitor.emit('on-battery');
    expect(world.held).not.toContain('hold reading.on_battery');
    await ask('changeDesktop', { pause_on_battery: true });
    expect(world.held.at(-1)).toBe('hold reading.on_battery');
    powerMonitor.emit('on-ac');
    expect(world.held.at(-1)).toBe('release reading.on_battery');
    powerMonitor.emit('on-battery');
    expect(world.held.at(-1)).toBe('hold reading.on_battery');
    await ask('changeDesktop', { pause_on_battery: false });
    expect(world.held.at(-1)).toBe('release reading.on_battery');
    await ask('changeDesktop', { pause_on_battery: true });
    world.held = [];
    open();
    expect(world.held).toEqual(['hold reading.on_battery']);
  });

  it('keeps the computer awake while a share is live', async () => {
    world.isShared = true;
    open();
    await expect.poll(() => [...powerSaveBlocker.running.values()]).toEqual(['prevent-app-suspension']);
    world.isShared = false;
    for (const listener of world.listeners) listener();
    await expect.poll(() => powerSaveBlocker.running.size).toBe(0);
  });
});

describe('serial ports', () => {
  const BOARD = { portId: 'p1', portName: 'ttyUSB0', vendorId: '4292', productId: '60000', serialNumber: '0001' };
  const other = { portId: 'p2', portName: 'ttyS0' };
  function select(ports: object[], url = `${URL_OF_CORE}/tickers`): string[] {
    const answers: string[] = [];
    const event = { preventDefault: () => answers.push('own picker') };
    session.defaultSession.emit('select-serial-port', event, ports, { getURL: () => url }, (id: string) =>
      answers.push(id),
    );
    return answers;
  }
  const mayOpen = (device: object, origin = URL_OF_CORE, deviceType = 'serial') =>
    session.defaultSession.device?.({ deviceType, origin, device } as never);

  it('are selected in the page, with the names of known chips, as they come and go', async () => {
    const window = openWindow();
    signIn();
    const answers = select([other]);
    session.defaultSession.emit('serial-port-added', {}, BOARD);
    const [first, second] = signals(window) as { ports: ListedPort[] }[];
    expect(first?.ports).toEqual([{ id: 'p2', name: 'ttyS0', vendor: null, product: null }]);
    expect(second?.ports[1]).toEqual({ id: 'p1', name: 'Silicon Labs CP210x', vendor: '10c4', product: 'ea60' });
    session.defaultSession.emit('serial-port-removed', {}, other);
    expect(await ask('choosePort', { id: 'p2' })).toEqual({ value: {} });
    expect(answers).toEqual(['own picker', '']);
    expect(signals(window).at(-1)).toEqual({ kind: 'ports', ports: null });
  });

  it('are remembered on this computer, by device and not by place, until they are forgotten', async () => {
    openWindow();
    signIn();
    const answers = select([BOARD, other]);
    expect(mayOpen(BOARD)).toBe(false);
    await ask('choosePort', { id: 'p1' });
    expect(answers).toEqual(['own picker', 'p1']);
    expect(mayOpen({ ...BOARD, portId: 'elsewhere' })).toBe(true);
    expect(mayOpen({ ...BOARD, serialNumber: '0002' })).toBe(false);
    expect(mayOpen(other)).toBe(false);
    expect([mayOpen(BOARD, 'https://id.example.org'), mayOpen(BOARD, URL_OF_CORE, 'usb')]).toEqual([false, false]);
    resetElectron();
    openWindow();
    expect(mayOpen(BOARD)).toBe(true);
    signIn();
    expect(await ask('forgetDevices', {})).toMatchObject({ value: { devices: 0 } });
    expect(mayOpen(BOARD)).toBe(false);
  });

  it('are not offered to another page, and one picker ends the other', async () => {
    const window = openWindow();
    expect(select([BOARD], 'https://id.example.org/')).toEqual(['own picker', '']);
    expect(signals(window)).toEqual([]);
    const first = select([BOARD]);
    const second = select([BOARD]);
    signIn();
    await ask('choosePort', { id: null });
    expect([first, second]).toEqual([
      ['own picker', ''],
      ['own picker', ''],
    ]);
  });
});

/** Labels in another language, as the page sends them. */
const labelled = <K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, `${name} auf Deutsch`])) as Record<K, string>;
const GERMAN = {
  shell: {
    ...labelled(Object.keys(MENU_TEXTS) as (keyof typeof MENU_TEXTS)[]),
    ...{ file: 'Ablage', vault: 'Tresorordner anzeigen', window: 'Fenster' },
    ...{ state_reading: 'Wird gelesen: {{count}}', state_stopped: 'Angehalten: {{count}}' },
  },
  pages: labelled(PAGES.map(({ name }) => name)),
  commands: labelled(COMMANDS.map(({ name }) => name)),
};

describe('the menu', () => {
  it('shows the vault folder, in English until the page sends another language', async () => {
    openWindow();
    for (const shell of [MENU_TEXTS, GERMAN.shell]) {
      click(items().find(({ label }) => label === shell.vault));
      expect(await ask('setMenuLabels', GERMAN)).toEqual({ value: {} });
    }
    expect(systemCalls.folders).toEqual(['/home/ada/vault', '/home/ada/vault']);
    expect(Menu.template.map(({ label }) => label)).toEqual(expect.arrayContaining(['Ablage', 'Fenster']));
  });

  it('takes labels from our page only, and only complete ones', async () => {
    openWindow();
    expect(await ask('setMenuLabels', GERMAN, { origin: 'https://id.example.org', parent: null })).toEqual({
      error: 'forbidden',
    });
    const { vault: _vault, ...incomplete } = GERMAN.shell;
    for (const shell of [{ ...GERMAN.shell, vault: '' }, { ...GERMAN.shell, other: 'x' }, incomplete])
      expect(await ask('setMenuLabels', { ...GERMAN, shell })).toEqual({ error: 'malformed' });
    expect(items().map(({ label }) => label)).toContain(MENU_TEXTS.vault);
  });

  it('has every page and command of the palette with its accelerator, each only once', async () => {
    const window = openWindow();
    await ask('setMenuLabels', GERMAN);
    for (const { name, to, accelerator } of PAGES) {
      const item = items().find(({ id }) => id === name);
      expect(item).toMatchObject({ label: `${name} auf Deutsch`, accelerator });
      click(item);
      expect(signals(window).at(-1)).toEqual({ kind: 'go', path: to });
    }
    for (const { name } of COMMANDS.filter((command) => command.name !== 'upload')) {
      click(items().find(({ id }) => id === name));
      expect(signals(window).at(-1)).toEqual({ kind: 'command', name });
    }
    const accelerators = items().flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(accelerators).size).toBe(accelerators.length);
    expect(accelerators).toContain('CmdOrCtrl+K');
  });

  it('shows the log folder, and starts Hearth again in safe mode and back', () => {
    open();
    click(items().find(({ label }) => label === MENU_TEXTS.logs));
    expect(systemCalls.folders).toEqual([world.folder]);
    click(items().find(({ label }) => label === MENU_TEXTS.safe_mode));
    resetElectron();
    open(null, true);
    click(items().find(({ label }) => label === MENU_TEXTS.normal_mode));
    expect(world.restarts).toEqual([true, false]);
  });
});
