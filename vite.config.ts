import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Address of a running core for `vite dev`; a build talks to the address that served it. */
const core = process.env['HEARTH_DEV_CORE'] ?? 'http://127.0.0.1:4310';

export default defineConfig({
  root: 'src-renderer',
  base: '/',
  plugins: [react()],
  // Fonts stay files: the content security policy allows no data: addresses for them.
  build: { outDir: '../dist/renderer', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { host: '127.0.0.1', proxy: { '/api': core, '/health': core } },
});
