import { expect, test } from 'vitest';
import { addressGroup, isForwarded, isLoopback } from './client-address.ts';

test.each([
  ['every address of this computer', ['127.0.0.1', '127.0.0.2', '127.255.1.9', '::1', '::ffff:127.0.0.3'], 'loopback'],
  ['an IPv4 address in both spellings', ['192.168.1.7', '::ffff:192.168.1.7'], '192.168.1.7'],
  [
    'the addresses of an IPv6 network',
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:1:2:3', '2001:DB8:1:2:0:0:0:9'],
    '2001:db8:1:2::/64',
  ],
  ['link-local addresses with their interface', ['fe80::1%eth0', 'fe80::2%wlan0', 'fe80::3'], 'fe80:0:0:0::/64'],
  ['a network of zeros', ['2001:db8::1', '2001:db8:0:0:5::'], '2001:db8:0:0::/64'],
  ['an unknown address', ['unknown'], 'unknown'],
])('%s are one group', (_name, addresses, group) => {
  expect(addresses.map(addressGroup)).toEqual(addresses.map(() => group));
});

test('other addresses and networks are other groups', () => {
  const others = ['10.0.0.1', '10.0.0.2', '2001:db8:1:2::1', '2001:db8:1:3::1', '::2', '128.0.0.1'];
  expect(new Set(others.map(addressGroup)).size).toBe(others.length);
});

test('only addresses of this computer are loopback', () => {
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].filter(isLoopback)).toHaveLength(3);
  expect(['192.168.1.7', '::ffff:10.0.0.1', 'fe80::1%eth0', '2001:db8::1', ''].filter(isLoopback)).toEqual([]);
});

test('a request is forwarded that has a header of a proxy, or is in the version that only proxies speak', () => {
  const isFrom = (headers: Record<string, string>, httpVersion = '1.1'): boolean =>
    isForwarded({ headers, httpVersion });
  const added = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-ssl', 'x-forwarded-prefix', 'cf-ray', 'cdn-loop'];
  expect(added.filter((name) => !isFrom({ host: 'localhost', [name]: '' }))).toEqual([]);
  expect(isFrom({ host: 'localhost', connection: 'close' }, '1.0')).toBe(true);
  expect(isFrom({ host: 'localhost', connection: 'keep-alive', 'x-requested-with': 'XMLHttpRequest' })).toBe(false);
});
