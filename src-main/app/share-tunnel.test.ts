import { afterEach, describe, expect, test } from 'vitest';
import { loadConfig, type Overrides } from '../platform/config/load.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { createLog } from '../platform/kernel/log.ts';
import { createShareTunnel, type ShareTunnel } from './share-tunnel.ts';

let tunnel: ShareTunnel;
const audited: string[] = [];
let changed = (): unknown => undefined;
function tunnelWith(overrides: Overrides): ShareTunnel {
  tunnel = createShareTunnel({
    config: loadConfig({ 'vault.path': '/nowhere', ...overrides }, { XDG_CONFIG_HOME: '/nowhere' }),
    clock: systemClock,
    log: createLog('silent'),
    audit: { record: ({ action }) => void audited.push(action) },
    onChange: () => changed(),
  });
  return tunnel;
}
afterEach(async () => {
  changed = () => undefined;
  await tunnel.follow(null);
  audited.length = 0;
});

describe('X-Forwarded-For is believed', () => {
  const listed = { 'share.trusted_proxy': '127.0.0.1,10.0.0.5' };
  const own = { 'share.public_base_url': 'https://records.example.org' };
  test.each([
    ['of the proxies of a fixed address', { 'share.tunnel': 'fixed', ...own, ...listed }, ['127.0.0.1', '10.0.0.5']],
    ['of nobody through ssh, whose end here adds no header', { 'share.tunnel': 'ssh', ...listed }, []],
    ['of proxies in front of ssh', { 'share.tunnel': 'ssh', ...own, ...listed }, ['127.0.0.1', '10.0.0.5']],
    ['of nobody while cloudflared has no connection', { 'share.tunnel': 'cloudflared', ...listed }, []],
    [
      'of whom the settings name with another program',
      { 'share.tunnel': 'command', ...listed },
      ['127.0.0.1', '10.0.0.5'],
    ],
  ])('%s', (_, overrides, expected) => {
    expect(tunnelWith(overrides).proxies()).toEqual(expected);
  });
});

test('a fixed address begins links also while the service does not run, and is not audited as a tunnel', async () => {
  tunnelWith({ 'share.public_base_url': 'https://records.example.org/' });
  expect([tunnel.address(), tunnel.report().state]).toEqual(['https://records.example.org', 'off']);
  await tunnel.follow(4711);
  expect(tunnel.report()).toMatchObject({ state: 'open', address: 'https://records.example.org' });
  expect(audited).toEqual([]);
});

test('without an address, nothing is published', async () => {
  await tunnelWith({}).follow(4711);
  expect([tunnel.address(), tunnel.report().state]).toEqual(['', 'off']);
});

describe('a command', () => {
  /** A script without blanks. */
  const program = (text: string): string =>
    `console.log(${JSON.stringify(text)}+process.argv[1]);setInterval(()=>{},1e4)`;
  const start = async (command: string): Promise<void> => {
    await tunnelWith({ 'share.tunnel': 'command', 'share.tunnel_command': command }).follow(4711);
    await tunnel.settled();
  };

  test('has an argument in each line', async () => {
    await start([process.execPath, '-e', program('open at https://bore.example:'), '{port}'].join('\n'));
    expect(tunnel.address()).toBe('https://bore.example:4711');
    expect(audited).toEqual(['share.tunnel.open']);
    await tunnel.follow(null);
    expect([tunnel.address(), tunnel.report().state]).toEqual(['', 'off']);
    expect(audited).toEqual(['share.tunnel.open', 'share.tunnel.close']);
  });

  test('has arguments between blanks if it is one line, and starts anew with another port', async () => {
    await start(`${process.execPath} -e ${program('https://bore.example:')} {port}`);
    expect(tunnel.address()).toBe('https://bore.example:4711');
    await tunnel.follow(4712);
    await tunnel.settled();
    expect(tunnel.address()).toBe('https://bore.example:4712');
  });

  test('that failed is tried again when somebody asks for it, and not before', async () => {
    const states: string[] = [];
    await start('hearth-no-such-program');
    expect(tunnel.report()).toMatchObject({ error: { code: 'tunnel.program_missing' }, retry_at: null });
    changed = () => states.push(tunnel.report().state);
    await tunnel.follow(4711);
    expect(states).toEqual([]);
    tunnel.retry();
    await tunnel.follow(4711);
    await tunnel.settled();
    expect(states).toEqual(['off', 'opening', 'failed']);
  });
});
