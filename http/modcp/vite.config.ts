import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { firstVisit } from './scripts/first-visit.mjs';

const mantine = /node_modules[\\/](@mantine|@floating-ui|react-remove-scroll|react-style-singleton|clsx)/;

// The build is committed, so it must not depend on the machine or the clock:
// names come from content hashes and nothing is stamped with a time.
export default defineConfig({
  plugins: [react(), firstVisit()],
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 300,
    rolldownOptions: {
      output: {
        // What changes at different times is kept apart, what the board needs comes
        // first and in few files, what other screens share in one more, and no file
        // is over 100 KB compressed.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
            // Else the charts hold it, and the rich text editor would load them.
            { name: 'store', test: /node_modules[\\/]use-sync-external-store[\\/]/, priority: 3 },
            { name: 'prosemirror', test: /node_modules[\\/](prosemirror-|orderedmap|rope-sequence|w3c-keyname)/, priority: 3 },
            { name: 'libraries', tags: ['$initial'], test: (id) => mantine.test(id) || /node_modules[\\/](@tanstack|@formatjs|intl-messageformat|react-router)/.test(id), priority: 3 },
            // Who signs in sees the board next, and one file comes sooner than two.
            { name: 'panel', test: /src[\\/](main\.tsx|account[\\/]SignIn\.tsx|api|richtext[\\/](?!RichEditor)|decision[\\/]usePolicies|board[\\/]Board\.tsx|app[\\/]ModShell\.tsx)/, priority: 2 },
            { name: 'forms', test: (id) => mantine.test(id) || /src[\\/]ui[\\/]/.test(id), priority: 1 },
            { name: 'charts-base', test: /node_modules[\\/](victory-vendor|d3-|internmap|@reduxjs|redux|react-redux|reselect|immer|es-toolkit|decimal\.js|eventemitter3|react-is|tiny-invariant)/, priority: 1 },
            { name: 'charts', test: /node_modules[\\/]recharts[\\/]/, priority: 0 },
            { name: 'report', test: /src[\\/](report[\\/](?!replay|reportQuery|evidence[\\/]FieldDifference)|decision[\\/](DecisionFields|PolicyFields|StatementPreview)|reporters[\\/](?!MuteDialog))/, priority: 0 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env.DOCKET_URL ?? 'http://127.0.0.1:8080' } },
  test: { include: ['{src,lint}/**/*.test.{ts,tsx}'] },
});
