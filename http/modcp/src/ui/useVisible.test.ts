// @vitest-environment jsdom
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, it, vi } from 'vitest';
import { useVisible } from './useVisible';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
afterEach(() => vi.restoreAllMocks());

const Page = () => (useVisible() ? 'seen' : 'hidden');

it('follows a tab from the background to the front', async () => {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const place = document.createElement('div');
  const root = createRoot(place);
  await act(() => root.render(createElement(Page)));
  expect(place.textContent).toBe('hidden');

  state.mockReturnValue('visible');
  await act(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(place.textContent).toBe('seen');
  await act(() => root.unmount());
});
