import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The page of recipients: a bundle of its own, so that strangers load nothing of the household's pages. */
export default defineConfig({
  root: 'src-renderer',
  base: '/share/',
  plugins: [react()],
  publicDir: false,
  build: {
    outDir: '../dist/share',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src-renderer/share.html',
      // Of the file of a language the page needs one export; the spreads in the others have no effects to keep.
      treeshake: { propertyReadSideEffects: false },
      checks: { bundlerTimings: false },
    },
  },
});
