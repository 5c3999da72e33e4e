import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { configFolder } from '../platform/config/load.ts';
import { forgetVault, readVaultList, rememberVault } from '../platform/config/vault-list.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { randomId } from '../platform/kernel/ids.ts';
import { forgetKeysOf } from '../platform/secrets/remembered-keys.ts';
import { isHeldElsewhere, readHolder } from '../platform/vault/holder.ts';
import { lockVault, VaultInUse } from '../platform/vault/lock.ts';
import { finishMove, planMove } from '../platform/vault/move.ts';
import type { CommandInput } from './command-input.ts';
import { isEncryptionVerb, runEncryption } from './encryption-command.ts';
import { DATABASE_FILE } from '../platform/vault/layout.ts';

/** `hearth vault list`, `use DIR`, `forget DIR`, `move DIR`, `encrypt`, `decrypt`, `password`, `recovery-key` and `status`. */
export async function runVault(input: CommandInput): Promise<number> {
  const { words } = input;
  const [verb = 'list', folder] = words;
  if (verb === 'list') return listVaults(input);
  if (isEncryptionVerb(verb)) return runEncryption(verb, input);
  if (!folder) throw new TypeError('Name the folder of the vault.');
  const path = existsSync(folder) ? realpathSync(folder) : resolve(folder);
  if (verb === 'use') return useVault(path, input);
  if (verb === 'forget') return forgetListed(path, input);
  if (verb === 'move') return moveVault(path, input);
  throw new TypeError('Use list, use DIR, forget DIR, move DIR, encrypt, decrypt, password, recovery-key or status.');
}

function listVaults({ config, print }: CommandInput): number {
  const { recent } = readVaultList(configFolder());
  for (const path of [config['vault.path'], ...recent.filter((one) => one !== config['vault.path'])]) {
    const host =
      existsSync(join(path, DATABASE_FILE)) && isHeldElsewhere(path, systemClock.now())
        ? readHolder(path)?.host
        : undefined;
    const present = existsSync(join(path, DATABASE_FILE)) ? '' : ' (not found)';
    print(`${path === config['vault.path'] ? '*' : ' '} ${path}${host ? ` (open on ${host})` : present}`);
  }
  return 0;
}

function useVault(path: string, { config, print }: CommandInput): number {
  if (!existsSync(join(path, DATABASE_FILE)))
    throw new TypeError(`There is no vault in ${path}. Connect its disk, or make one with --vault.`);
  rememberVault(configFolder(), config['vault.path'], randomId(), false);
  rememberVault(configFolder(), path, randomId(), true);
  print(`The next start opens ${path}.`);
  return 0;
}

/** Takes a vault out of the list, and forgets what opens it without its password. Its files stay. */
function forgetListed(path: string, { config }: CommandInput): number {
  const { recent } = readVaultList(configFolder());
  const others = recent.filter((one) => one !== path);
  const chosen = config['vault.path'];
  forgetKeysOf(configFolder(), path, chosen === path ? others : [chosen, ...others]);
  forgetVault(configFolder(), path, randomId());
  return 0;
}

/** Copies the vault, which must not be open, compares every file, and leaves the previous folder under another name. */
async function moveVault(target: string, { config, print }: CommandInput): Promise<number> {
  const root = realpathSync(config['vault.path']);
  if (`${target}${sep}`.startsWith(`${root}${sep}`)) throw new TypeError('Choose a folder outside of the vault.');
  if (existsSync(target) && readdirSync(target).length > 0) throw new TypeError(`${target} is not empty.`);
  if (isHeldElsewhere(root, systemClock.now())) throw new VaultInUse(readHolder(root));
  const move = planMove(root, target, randomId().slice(0, 8));
  const unlock = lockVault(root);
  try {
    await finishMove(
      move,
      () => undefined,
      () => void rememberVault(configFolder(), target, randomId(), true),
    );
  } finally {
    unlock();
    rmSync(move.unfinished, { recursive: true, force: true });
  }
  print(`The vault is in ${target}. The previous folder was kept as ${move.aside}.`);
  return 0;
}
