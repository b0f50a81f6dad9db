import { localStorageColorSchemeManager } from '@mantine/core';

/** Shares its storage key with public/boot.js, which sets the theme before the first paint. */
export const schemeManager = localStorageColorSchemeManager({ key: 'docket.scheme' });
