import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The build is committed, so it must not depend on the machine or the clock:
// names come from content hashes and nothing is stamped with a time.
export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 300,
    rolldownOptions: {
      output: {
        // What changes at different times is kept apart, and no file is over
        // 100 KB compressed.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 3 },
            { name: 'prosemirror', test: /node_modules[\\/](prosemirror-|orderedmap|rope-sequence|w3c-keyname)/, priority: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env.DOCKET_URL ?? 'http://127.0.0.1:8080' } },
  test: { environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'] },
});
