import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type DefaultTheme } from 'vitepress';

const ADR = new URL('../adr/', import.meta.url);

/** The records by number, with their titles. */
const records = (): DefaultTheme.SidebarItem[] =>
  readdirSync(ADR)
    .filter((name) => /^\d{4}-/.test(name))
    .toSorted()
    .map((name) => ({
      text: /^# (.*)$/m.exec(readFileSync(new URL(name, ADR), 'utf8'))?.[1] ?? name,
      link: `/adr/${name.replace(/\.md$/, '')}`,
    }));

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

/** The site of the documentation: `npm run docs`. It loads nothing from elsewhere. */
export default defineConfig({
  title: 'Hearth',
  description: 'Keeps the records of a household on your own computer.',
  outDir: '../dist/docs',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: false,
  // Files of the repository outside of the site; test/api/documentation.test.ts checks that they exist.
  ignoreDeadLinks: [/LICENSE$/, /resources\/licences$/, /third-party-notices/],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Privacy', link: '/privacy' },
      { text: 'API', link: '/api' },
    ],
    sidebar: [
      {
        text: 'Guide',
        items: [
          page('Getting started', '/getting-started'),
          page('Documents', '/guide/documents'),
          page('Import an archive', '/guide/import'),
          page('Results and trends', '/guide/labs'),
          page('Imaging', '/guide/imaging'),
          page('Ask', '/guide/ask'),
          page('Share', '/guide/share'),
          page('Phone backups', '/guide/phone-backups'),
          page('Tickers', '/guide/tickers'),
          page('Assistants', '/assistants'),
        ],
      },
      {
        text: 'Keep it safe',
        items: [
          page('Privacy and security', '/privacy'),
          page('Backup and restore', '/backup'),
          page('Vaults and disks', '/vaults'),
          page('Encrypt the vault', '/encryption'),
        ],
      },
      {
        text: 'Reference',
        items: [
          page('Command line', '/command-line'),
          page('Configuration', '/configuration'),
          page('API', '/api'),
          page('Build from source', '/building'),
          page('Licenses', '/licences'),
        ],
      },
      { text: 'Decisions', collapsed: true, items: records() },
    ],
  },
});
