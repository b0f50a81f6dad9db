import puppeteer, { type KeyInput, type LaunchOptions, type Page } from 'puppeteer-core';
import type { Browser, Engine, Tab } from './tab';

/** Chromium over its DevTools protocol, Firefox over WebDriver BiDi. */
export async function startPuppeteer(options: LaunchOptions): Promise<Engine> {
  const process = await puppeteer.launch({ headless: true, defaultViewport: { width: 1280, height: 900 }, ...options });
  return {
    open: async (): Promise<Browser> => {
      const context = await process.createBrowserContext();
      return { newTab: async () => tabOf(await context.newPage()), close: () => context.close() };
    },
    stop: () => process.close(),
  };
}

function tabOf(page: Page): Tab {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url ?? ''}`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return {
    goto: async (url) => void (await page.goto(url)),
    back: async () => void (await page.goBack()),
    reload: async () => void (await page.reload()),
    resize: (width, height) => page.setViewport({ width, height }),
    evaluate: (expression) => page.evaluate(expression) as Promise<never>,
    clickAt: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: async (keys) => {
      const [last, ...held] = keys.split('+').reverse() as [KeyInput, ...KeyInput[]];
      for (const key of held) await page.keyboard.down(key);
      await page.keyboard.press(last);
      for (const key of held) await page.keyboard.up(key);
    },
    errors: async () => errors,
    close: () => page.close(),
  };
}
