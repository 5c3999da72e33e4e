import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type ProxyOptions } from 'vite';
import { FIRST_CHUNKS } from './scripts/first-chunks.ts';

/** Address of a running core for `npm run dev`; a build talks to the address that served it. */
const core = process.env['HEARTH_DEV_CORE'] ?? 'http://127.0.0.1:8070';

/** To the core a page of this server is one of its own; a foreign page stays foreign. */
const toCore: ProxyOptions = {
  target: core,
  changeOrigin: true,
  configure: (proxy) => {
    proxy.on('proxyReq', (out, { headers }) => {
      if (headers.origin === `http://${headers.host}`) out.setHeader('origin', core);
    });
  },
};

/**
 * Leaves of a catalog only its facts (`locales/index.ts`) and the imports that they use: with all, the bundler would
 * put what the catalogs import into the first script, such as the English text of every error.
 */
const keepFacts: Plugin = {
  name: 'hearth:keep-facts',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('?facts')) return undefined;
    const [facts = ''] = /^export const facts[^]*?\};$/m.exec(code) ?? [];
    const imports = [...code.matchAll(/^import \{([^}]*)\} from [^;]+;$/gm)].flatMap(([line, names = '']) =>
      (names.match(/\w+/g) ?? []).some((name) => new RegExp(`\\b${name}\\b`).test(facts)) ? [line] : [],
    );
    return [...imports, facts].join('\n');
  },
};

export default defineConfig({
  root: 'src-renderer',
  base: '/',
  plugins: [keepFacts, react()],
  resolve: {
    alias: { xmlbuilder2: fileURLToPath(new URL('./src-renderer/features/imaging/engine/no-xml.ts', import.meta.url)) },
  },
  // Fonts stay files: the content security policy allows no data: addresses for them.
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The viewer and decoders are loaded when they are used; `npm run bench:start` bounds what the page loads first.
    chunkSizeWarningLimit: 4000,
    // On a slow computer the bundler tells how long its plugins took, which nobody who starts Hearth asked for.
    rolldownOptions: { output: { codeSplitting: { groups: FIRST_CHUNKS } }, checks: { bundlerTimings: false } },
  },
  // Workers are known by their name: they may compile WebAssembly, the page may not (src-main/platform/http/app.ts).
  worker: {
    format: 'es',
    rolldownOptions: {
      output: { entryFileNames: 'assets/worker-[name]-[hash].js' },
      checks: { bundlerTimings: false },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': toCore, '/health': toCore } },
});
