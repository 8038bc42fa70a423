import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { languages as allLanguages } from '../contract/constants.ts'
import { launchBrowser } from '../tests/support/browser.ts'
import { openApiClient } from '../tests/pageSweep/apiClient.ts'
import { createSample, endOrderBeside, withOpenOrders } from '../tests/pageSweep/sample.ts'
import { simulateTrouble, troubles } from '../tests/pageSweep/troubles.ts'
import { stops } from '../tests/pageSweep/stops.ts'
import { openBuiltVenue } from '../tests/support/builtVenue.ts'
import { visit, openVisitor } from '../tests/pageSweep/visit.ts'
// @ts-expect-error plain JavaScript, because `npm start` runs it without a compiler
import { isStale } from './buildFreshness.mjs'

/*
 * `npm run screenshots [-- --languages en,de --widths 320,390 --themes light,dark --states loaded,new --routes home,fund
 * --out DIR --whole]`: a screenshot of every page, as a member with data sees it, on a venue of its own. A route is the
 * beginning of a stop's name (tests/pageSweep/stops.ts). States: `loaded`, `new` (a member without data), `resting` (the
 * whole site in maintenance), and the troubles of tests/pageSweep/troubles.ts. `--whole` takes the full page, not only
 * the first screen.
 */
const { values } = parseArgs({
  options: {
    languages: { type: 'string', default: 'en,zh-CN' },
    widths: { type: 'string', default: '320,390,1280' },
    themes: { type: 'string', default: 'light,dark' },
    states: { type: 'string', default: 'loaded' },
    routes: { type: 'string', default: '' },
    out: { type: 'string', default: 'screenshots' },
    whole: { type: 'boolean', default: false },
  },
})
const list = (text: string): string[] => text.split(',').filter((part) => part !== '')
const languages = values.languages === 'all' ? allLanguages : list(values.languages)
const themes = list(values.themes).map((theme) => (theme === 'dark' ? 'dark' : 'light'))
const routes = list(values.routes)
const knownStates = ['loaded', 'new', 'resting', ...troubles]
const unknown = list(values.states).filter((state) => !knownStates.includes(state))
if (unknown.length > 0) {
  console.error(`No such state: ${unknown.join(', ')}. There are ${knownStates.join(', ')}.`)
  process.exit(2)
}
/** By then a page shows its trouble: a lost connection is reported after a second and a half. */
const noticeDelayMs = 2500
const heights: Record<string, number> = { 320: 640, 390: 844, 1280: 800 }

const root = join(import.meta.dirname, '..')
if (isStale(root)) execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'ignore' })
const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
const browser = await launchBrowser()
try {
  console.error('Creating a member with data …')
  const sample = await createSample(venue.url, venue.deskKey, { ownVenue: true })
  await mkdir(values.out, { recursive: true })
  const newcomer = { ...sample, client: await openApiClient(venue.url, venue.deskKey) }
  for (const state of list(values.states)) {
    if (state === 'resting') await sample.client.office('POST', '/site/maintenance', {})
    for (const language of languages) {
      for (const width of list(values.widths)) {
        for (const colorScheme of themes) await takeScreenshots(state, language, Number(width), colorScheme)
      }
    }
    if (state === 'resting') await sample.client.office('POST', '/site/open')
  }

  async function takeScreenshots(
    state: string,
    language: string,
    width: number,
    colorScheme: 'light' | 'dark',
  ): Promise<void> {
    const viewport = { width, height: heights[width] ?? 844 }
    const appearance = {
      origin: venue.url,
      language,
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
    } as const
    const account = state === 'new' ? newcomer : sample
    const ids = state === 'loaded' ? await withOpenOrders(sample) : sample
    for (const as of ['guest', 'member'] as const) {
      const session = await openVisitor(browser, account, { ...appearance, as })
      const chosen = stops(ids).filter(
        ({ name, guest }) =>
          (routes.length === 0 || routes.some((route) => name.startsWith(route))) &&
          (guest === true) === (as === 'guest'),
      )
      const trouble = troubles.find((name) => name === state)
      if (trouble !== undefined) await simulateTrouble(session, venue.url, trouble, chosen)
      for (const stop of chosen) {
        if (trouble === undefined) {
          await visit(session.page, venue.url, stop)
          if (stop.orderEnds && state === 'loaded') await endOrderBeside(sample)
        } else {
          await session.page.goto(venue.url + stop.href)
          await session.page.waitForTimeout(noticeDelayMs)
        }
        const name = `${stop.name}${state === 'loaded' ? '' : `-${state}`}-${language}-${width}-${colorScheme}.png`
        await session.page.screenshot({ path: join(values.out, name), fullPage: values.whole })
      }
      await session.context.close()
    }
    console.error(`${state}, ${language}, ${width} px, ${colorScheme}`)
  }
} finally {
  await browser.close()
  await venue.close()
}
