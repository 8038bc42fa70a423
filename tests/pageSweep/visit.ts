import {
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type ViewportSize,
} from '@playwright/test'
import { storedBy } from '../e2e/member.ts'
import type { Sample } from './sample.ts'
import type { Stop } from './stops.ts'

export type Visitor = { page: Page; context: BrowserContext }

export type VisitorOptions = BrowserContextOptions & {
  origin: string
  language: string
  /** `guest`: in the middle of a registration. */
  as: 'member' | 'guest'
}

/** What a page is looked at in. */
export type Layout = ViewportSize & {
  /** The member's text size relative to the default. */
  textScale?: number
}

/** Opens the app in a new browser context, in a language, logged in without the form. */
export async function openVisitor(
  browser: Browser,
  sample: Pick<Sample, 'client' | 'registerInfo'>,
  { origin, language, as, ...options }: VisitorOptions,
): Promise<Visitor> {
  const { client, registerInfo } = sample
  const session =
    as === 'member' ? { token: client.token, userInfo: client.user } : { token: null, registerInfo }
  const context = await browser.newContext({
    timezoneId: 'Asia/Shanghai',
    ...options,
    storageState: storedBy(origin, language, session, {
      cookies: as === 'member' ? await client.cookies() : [],
      items: [{ name: 'preferences', value: JSON.stringify({ favourites: ['BTCUSDT', 'EURUSD'] }) }],
    }),
  })
  const page = await context.newPage()
  // esbuild compiles the page scripts of tests and names their functions with this helper.
  await page.addInitScript('globalThis.__name = (f) => f')
  return { page, context }
}

/** Opens a stop and waits until it has no placeholders. */
export async function visit(page: Page, origin: string, { href }: Pick<Stop, 'href'>): Promise<void> {
  await page.goto(origin + href)
  await waitUntilComplete(page)
}

/** Resizes the page and its text, as turning a tablet or changing the browser's text size does. */
export async function applyLayout(page: Page, { textScale = 1, ...viewport }: Layout): Promise<void> {
  await page.setViewportSize(viewport)
  await page.evaluate((scale) => {
    document.documentElement.style.fontSize = scale === 1 ? '' : `${scale * 100}%`
  }, textScale)
  await waitUntilComplete(page)
}

async function waitUntilComplete(page: Page): Promise<void> {
  await waitForPaint(page)
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page.locator('[data-skeleton], main use[href$="#circle-notch"]')).toHaveCount(0, {
    timeout: 60_000,
  })
  await waitForPaint(page)
}

/** Waits two frames, so that the changes of an event are painted. */
async function waitForPaint(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => done()))
      }),
  )
}
