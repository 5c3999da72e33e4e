import { join } from 'node:path';
import { randomUuid } from '../../../platform/kernel/ids.ts';
import { serveTasks } from '../../../platform/kernel/serve-tasks.ts';
import { writeFileAtomic } from '../../../platform/vault/atomic.ts';
import { buildBundles } from './bundle.ts';
import { encryptBundle } from './encrypt.ts';
import type { SealTask } from './seal.ts';

/** Encrypts the bundles of a link into files; the value is their number of characters. */
serveTasks(async ({ record, key, folder, now }: SealTask) => {
  const sizes: number[] = [];
  for (const [index, bundle] of buildBundles(record, { newUuid: randomUuid, now }).entries()) {
    const jwe = await encryptBundle(bundle, key);
    writeFileAtomic(join(folder, `${index}.jwe`), jwe, String(index));
    sizes.push(jwe.length);
  }
  return { value: sizes };
});
