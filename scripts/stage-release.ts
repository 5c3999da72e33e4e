/**
 * `node scripts/stage-release.ts PERCENTAGE FILES…`: writes which share of installations a release reaches at first into
 * the files `latest*.yml` that electron-updater reads. Each installation decides by a number of its own that stays.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** The file with this share; one of an earlier call is replaced. */
export function withPercentage(text: string, percentage: number): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('stagingPercentage:'));
  return `${[...lines, ...(percentage < 100 ? [`stagingPercentage: ${percentage}`] : [])].join('\n')}\n`;
}

if (import.meta.main) {
  const [percentage, ...files] = process.argv.slice(2);
  const share = Number(percentage);
  if (!Number.isInteger(share) || share < 1 || share > 100 || files.length === 0) {
    process.stderr.write('Use: node scripts/stage-release.ts PERCENTAGE FILES…, with a percentage from 1 to 100.\n');
    process.exit(2);
  }
  for (const file of files) writeFileSync(file, withPercentage(readFileSync(file, 'utf8'), share));
}
