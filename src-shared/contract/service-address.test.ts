import { describe, expect, test } from 'vitest';
import { isSecureAddress, isServiceAddress } from './service-address.ts';

const service = (text: string): boolean => isServiceAddress(new URL(text));
const secure = (text: string): boolean => isSecureAddress(new URL(text));

test.each([
  'http://169.254.169.254/latest/meta-data',
  'https://169.254.169.254',
  'http://0xa9fea9fe',
  'http://2852039166',
  'http://0251.0376.0251.0376',
  'http://[::ffff:169.254.169.254]',
  'http://[::ffff:a9fe:a9fe]',
  'http://[64:ff9b::a9fe:a9fe]',
  'http://[fe80::1]',
  'http://[febf::1]',
  'http://[fd00:ec2::254]',
  'http://100.100.100.200',
  'http://192.0.0.192',
  'http://0.0.0.0:11434',
  'http://0',
  'http://[::]',
  'http://[::169.254.169.254]',
  'http://[ff02::1]',
  'http://224.0.0.1',
  'http://239.255.255.250',
  'http://255.255.255.255',
  'http://metadata.google.internal',
  'http://metadata.google.internal.',
  'http://METADATA',
  'ftp://192.168.1.5',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://user:word@ocr.example',
])('%s is never called', (address) => {
  expect([service(address), secure(address)]).toEqual([false, false]);
});

describe('plain HTTP', () => {
  test.each([
    'http://localhost:11434',
    'http://ollama.localhost',
    'http://127.0.0.1:11434',
    'http://127.1',
    'http://[::1]:8000',
    'http://[::ffff:127.0.0.1]',
  ])('is allowed to %s', (address) => {
    expect([service(address), secure(address)]).toEqual([true, true]);
  });

  test.each([
    'http://10.0.0.7:9000',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.1.20:11434',
    'http://100.64.0.9',
    'http://[fd12:3456::1]',
    'http://nas:11434',
    'http://nas.local',
    'http://ocr.home.arpa',
  ])('is allowed to %s, but not for signing in', (address) => {
    expect([service(address), secure(address)]).toEqual([true, false]);
  });

  test.each([
    'http://ocr.example',
    'http://8.8.8.8',
    'http://172.32.0.1',
    'http://192.169.0.1',
    'http://[2001:db8::1]',
  ])('is refused to %s, and HTTPS is not', (address) => {
    const withTls = address.replace('http:', 'https:');
    expect([service(address), secure(address), service(withTls), secure(withTls)]).toEqual([false, false, true, true]);
  });
});
