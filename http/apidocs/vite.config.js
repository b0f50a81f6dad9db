import { defineConfig } from 'vite';

// The build is committed, so it must not depend on the machine or the clock.
export default defineConfig({
  base: '/api-docs/',
  build: { target: 'es2022', sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 900 },
});
