import { describe, expect, test } from 'vitest';
import { contract } from '../../src-shared/contract/index.ts';
import { share } from '../../src-shared/contract/share.ts';
import { SHARE_PATH } from '../../src-shared/contract/share-limits.ts';
import { phoneBackups } from '../../src-shared/contract/phone-backups/service.ts';
import { PHONE_HEALTH_PATH } from '../../src-shared/contract/phone-backups/addresses.ts';
import { rootsOf } from '../platform/http/roots.ts';
import { CONTRACT_PARTS } from './contract-parts.ts';

/** Bound at the start or by others. */
const ELSEWHERE = ['auth', 'share'];

describe('contracts that are loaded when they are first needed', () => {
  test.each(Object.entries(CONTRACT_PARTS))('the addresses of %s begin as declared', async (_name, { roots, load }) => {
    expect([...roots].sort()).toEqual([...rootsOf(await load())].sort());
  });

  test('every feature of the contract is bound', async () => {
    const loaded = new Set<unknown>(await Promise.all(Object.values(CONTRACT_PARTS).map(({ load }) => load())));
    const unbound = Object.entries(contract).filter(([, table]) => !loaded.has(table));
    expect(unbound.map(([name]) => name).sort()).toEqual(ELSEWHERE);
  });

  test('recipients call addresses under one path', () => {
    expect([...rootsOf(share)]).toEqual([SHARE_PATH]);
  });

  test('the phone-backup service says under the path of its contract that it runs', () => {
    expect(phoneBackups.healthz.path).toBe(PHONE_HEALTH_PATH);
  });
});
