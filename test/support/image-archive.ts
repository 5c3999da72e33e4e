import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { freePort } from './ssh-server.ts';

const NAME = 'HOUSE';

/**
 * Puts DICOM files into dcmtk's image archive, `dcmqrscp`, and returns the SOP Instance UIDs that it then knows of these
 * studies.
 */
export async function listInArchive(files: readonly string[], studies: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-archive-'));
  const storage = join(folder, 'storage');
  mkdirSync(storage);
  const copies = files.map((file, number) => {
    const copy = join(storage, `${number}.dcm`);
    copyFileSync(file, copy);
    return copy;
  });
  execFileSync('dcmqridx', [storage, ...copies], { stdio: 'pipe' });
  const port = await freePort();
  const config = join(folder, 'archive.cfg');
  writeFileSync(
    config,
    `NetworkTCPPort = ${port}\nMaxPDUSize = 16384\nMaxAssociations = 4\nHostTable BEGIN\nHostTable END\n` +
      `VendorTable BEGIN\nVendorTable END\nAETable BEGIN\n${NAME} ${storage} R (9, 100mb) ANY\nAETable END\n`,
  );
  const archive = spawn('dcmqrscp', ['-c', config], { stdio: 'ignore' });
  try {
    await expect.poll(() => studies.every((study) => askFor(study, port).length > 0)).toBe(true);
    return studies.flatMap((study) => askFor(study, port)).sort();
  } finally {
    archive.kill();
    rmSync(folder, { recursive: true });
  }
}

/** Empty while the archive does not listen yet. */
function askFor(study: string, port: number): string[] {
  const keys = ['0008,0052=IMAGE', `0020,000d=${study}`, '0020,000e', '0008,0018'].flatMap((key) => ['-k', key]);
  const { stderr } = spawnSync('findscu', ['-S', '-aec', NAME, ...keys, '127.0.0.1', String(port)], {
    encoding: 'latin1',
  });
  return [...stderr.matchAll(/\(0008,0018\) UI \[([\d.]+)/g)].map(([, uid]) => uid!);
}
