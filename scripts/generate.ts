/** Writes what derives from the source: API reference, page of configuration keys, table of units. `--check` compares instead. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { contract } from '../src-shared/contract/index.ts';
import { openApi } from '../src-shared/contract/openapi.ts';
import {
  API_TOKEN_HEADER,
  BACKUP_SESSION_HEADER,
  PHONE_PREFIX,
  phoneBackups,
} from '../src-shared/contract/phone-backups/service.ts';
import { KEYS } from '../src-main/platform/config/config.ts';
import { readResource } from '../src-main/reading/knowledge/load.ts';
import { unitTableSource } from './unit-table.ts';

const root = new URL('..', import.meta.url);

function configuration(): string {
  const documented = Object.entries(KEYS).filter(([, key]) => !('reserved' in key));
  const rows = documented.map(([name, key]) => {
    const fallback = key.schema.safeParse(undefined);
    return `| \`${name}\` | ${'env' in key && key.env ? `\`${key.env}\`` : ''} | ${fallback.success && fallback.data !== '' ? `\`${String(fallback.data)}\`` : ''} | ${key.doc} |`;
  });
  return `# Configuration\n\nDefaults < \`config.json\` in the configuration folder < environment < flags. What an administrator saves in the settings stands above these until it is put back; its key names the setting. This page is generated from \`src-main/platform/config/config.ts\`.\n\n| key | environment | default | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

const core = openApi(contract, {
  title: 'Hearth',
  description: 'The household record keeper. Times are UTC without a zone, dates are civil dates.',
  schemes: { session: { type: 'apiKey', in: 'cookie', name: 'vault_session' } },
});
const phones = openApi(
  { phoneBackups },
  {
    title: 'Hearth: phone backups',
    description: `Browses backups of phones, on a listener of its own; the core serves the same to a signed-in administrator under ${PHONE_PREFIX}. What does not fit its schema is answered with 400. Times are UTC without a zone.`,
    schemes: {
      token: { type: 'apiKey', in: 'header', name: API_TOKEN_HEADER },
      backup_session: { type: 'apiKey', in: 'header', name: BACKUP_SESSION_HEADER },
    },
  },
);
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const files: Record<string, string> = {
  'docs/openapi.json': json(core),
  'docs/openapi-phone-backups.json': json(phones),
  'docs/configuration.md': configuration(),
  'src-shared/medical/generated/unit-table.ts': unitTableSource(readResource('units.tsv')),
};
let stale = 0;
for (const [path, text] of Object.entries(files)) {
  const file = new URL(path, root);
  if (process.argv.includes('--check')) {
    if (read(file) === text) continue;
    stale += 1;
    process.stderr.write(`${path} is not current: run "npm run generate".\n`);
  } else {
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, text);
  }
}
process.exit(stale ? 1 : 0);

function read(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
