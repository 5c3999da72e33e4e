/**
 * Writes what derives from the source: API reference, page of configuration keys, table of units. `--check` compares
 * instead.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Endpoint } from '../src-shared/contract/endpoint.ts';
import { contract } from '../src-shared/contract/index.ts';
import { dicomWeb } from '../src-shared/contract/dicom-web.ts';
import { ERRORS } from '../src-shared/contract/error-codes.ts';
import { healthLinkReader } from '../src-shared/contract/health-links.ts';
import { openApi } from '../src-shared/contract/openapi.ts';
import {
  API_TOKEN_HEADER,
  BACKUP_SESSION_HEADER,
  PHONE_PREFIX,
  phoneBackups,
} from '../src-shared/contract/phone-backups/service.ts';
import { adrIndex } from './adr-index.ts';
import { apiPage } from './api-page.ts';
import { KEYS } from '../src-main/platform/config/config.ts';
import { readResource } from '../src-main/reading/knowledge/load.ts';
import { unitTableSource } from './unit-table.ts';

const root = new URL('..', import.meta.url);

const CONFIGURATION_INTRO = `# Configuration

Hearth reads its configuration from these sources, where later ones override earlier ones: defaults, \`config.json\` in
the configuration folder, environment variables, command-line flags. Settings that an administrator saves in Hearth
override all of them until they are reset. The description of such a key names the setting.

This page is generated from \`src-main/platform/config/config.ts\`.

| key | environment variable | default | description |
|---|---|---|---|
`;

function configurationPage(): string {
  const rows = Object.entries(KEYS).map(([name, key]) => {
    const { success, data } = key.schema.safeParse(undefined);
    const variable = 'env' in key && key.env ? code(key.env) : '';
    const fallback = success && data !== '' ? code(String(data)) : '';
    return `| ${code(name)} | ${variable} | ${fallback} | ${key.doc} |\n`;
  });
  return `${CONFIGURATION_INTRO}${rows.join('')}`;
}

const core = openApi(
  { ...contract, healthLinkReader, dicomWeb },
  {
    title: 'Hearth',
    description: 'The household record keeper. Times are UTC without a zone, dates are civil dates.',
    schemes: {
      session: { type: 'apiKey', in: 'cookie', name: 'vault_session' },
      viewer: { type: 'http', scheme: 'bearer' },
    },
  },
);
const phones = openApi(
  { phoneBackups },
  {
    title: 'Hearth: phone backups',
    description: [
      'Browses phone backups on a port of its own.',
      `The core serves the same endpoints to a logged-in administrator under ${PHONE_PREFIX}.`,
      'Input that does not match its schema answers 400. Times are UTC without a zone.',
    ].join(' '),
    schemes: {
      token: { type: 'apiKey', in: 'header', name: API_TOKEN_HEADER },
      backup_session: { type: 'apiKey', in: 'header', name: BACKUP_SESSION_HEADER },
    },
  },
);
/**
 * Method and path of every endpoint, and the form field of a file that it takes. The page needs nothing else of the
 * contract, whose schemas are large.
 */
function addressSource(): string {
  const areas = Object.entries(contract).map(([area, endpoints]) => {
    const lines = Object.entries<Endpoint>(endpoints).map(
      ([name, { method, path, file }]) =>
        `    ${name}: { method: '${method}', path: '${path}'${file ? `, file: '${file}'` : ''} },\n`,
    );
    return `  ${area}: {\n${lines.join('')}  },\n`;
  });
  return `/** Generated from the contract: method and path of every endpoint. */\nexport const ADDRESSES = {\n${areas.join('')}} as const;\n`;
}

/** The status of every error code, without its English text: pages have the text of their own language. */
function statusSource(): string {
  const lines = Object.entries(ERRORS).map(([name, { status }]) => `  '${name}': ${status},\n`);
  return `/** Generated from the error codes: the status of each. */\nexport const ERROR_STATUSES = {\n${lines.join('')}} as const;\n`;
}

const code = (text: string): string => `\`${text}\``;
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const files: Record<string, string> = {
  'docs/openapi.json': json(core),
  'docs/openapi-phone-backups.json': json(phones),
  'docs/configuration.md': configurationPage(),
  'docs/api.md': apiPage(contract),
  'docs/adr/README.md': adrIndex(),
  'src-shared/contract/generated/addresses.ts': addressSource(),
  'src-shared/contract/generated/error-statuses.ts': statusSource(),
  'src-shared/medical/generated/unit-table.ts': unitTableSource(readResource('units.tsv')),
};
let stale = 0;
for (const [path, text] of Object.entries(files)) {
  const file = new URL(path, root);
  if (process.argv.includes('--check')) {
    if (read(file) === text) continue;
    stale += 1;
    process.stderr.write(`${path} is out of date: run "npm run generate".\n`);
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
