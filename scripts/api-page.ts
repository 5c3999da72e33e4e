import type { Endpoint } from '../src-shared/contract/endpoint.ts';
import { ERRORS } from '../src-shared/contract/error-codes.ts';

const INTRO = `# API

Everything that the page does goes through this API, on the address that \`npm run serve\` prints. Times are UTC without a
zone, dates are civil dates. A failed call answers \`{"detail", "code", "params"}\`; the codes below are those of the endpoint
itself. Programs must send \`X-Requested-With: XMLHttpRequest\`. The same as OpenAPI: \`openapi.json\` and
\`openapi-phone-backups.json\` beside this page in the repository.

This page is generated from \`src-shared/contract\`.
`;

/** The API reference: every endpoint by area, generated from the contract. */
export function apiPage(contract: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>): string {
  const areas = Object.entries(contract).map(([area, endpoints]) => {
    const lines = Object.values(endpoints).map(describe);
    return `\n## ${titleOf(area)}\n${lines.join('')}`;
  });
  return `${INTRO}${areas.join('')}`;
}

/** \`vaultBackups\` as \`Vault backups\`. */
function titleOf(area: string): string {
  const words = area.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function describe({ method, path, access, query, errors = [], summary }: Endpoint): string {
  const names = query ? Object.keys(query.shape).map((name) => `\`${name}\``) : [];
  const facts = [
    `Access: ${accessOf(access)}.`,
    ...(names.length > 0 ? [`Query: ${names.join(', ')}.`] : []),
    ...(errors.length > 0
      ? [`Errors: ${errors.map((code) => `\`${code}\` (${ERRORS[code].status})`).join(', ')}.`]
      : []),
  ];
  // Braces are code of templates in the site.
  return `\n### \`${method} ${path}\`\n\n${summary.replaceAll('{', '&#123;')}\n\n${facts.join(' ')}\n`;
}

function accessOf(access: Endpoint['access']): string {
  if (typeof access === 'string') return access === 'public' ? 'everybody' : access;
  const { from: _from, ...needs } = access;
  return Object.entries(needs)
    .map(([subject, need]) => `${need} the ${subject.replaceAll('_', ' ')}`)
    .join(' or ');
}
