import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { languages as allLanguages } from '../contract/constants.ts'
import { launchBrowser } from '../tests/support/browser.ts'
import { newClient } from '../tests/walk/client.ts'
import { newSample, openOrder } from '../tests/walk/sample.ts'
import { trouble, troubles } from '../tests/walk/states.ts'
import { stops } from '../tests/walk/stops.ts'
import { openBuiltVenue } from '../tests/support/builtVenue.ts'
import { visit, visitor } from '../tests/walk/visit.ts'
// @ts-expect-error plain JavaScript, because `npm start` runs it without a compiler
import { isStale } from './fresh.mjs'

/*
 * `npm run screenshots [-- --languages en,de --widths 320,390 --themes light,dark --states loaded,new --routes home,fund
 * --out DIR --whole]`: a picture of every page, as a member with data sees it, in a venue of its own. A route is the
 * beginning of a stop's name (tests/walk/stops.ts). States: `loaded`, `new` (a member without data), `resting` (the
 * whole site in maintenance), and the troubles of tests/walk/states.ts. `--whole` takes the page to its end, not the
 * first screen alone.
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
const known = ['loaded', 'new', 'resting', ...troubles]
const unknown = list(values.states).filter((state) => !known.includes(state))
if (unknown.length > 0) {
  console.error(`No such state: ${unknown.join(', ')}. There are ${known.join(', ')}.`)
  process.exit(2)
}
/** A page in trouble has said so by then: patience with a lost line is a second and a half. */
const toldAfterMs = 2500
const heights: Record<string, number> = { 320: 640, 390: 844, 1280: 800 }

const root = join(import.meta.dirname, '..')
if (isStale(root)) execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'ignore' })
const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
const browser = await launchBrowser()
try {
  console.error('A member with data …')
  const sample = await newSample(venue.url, venue.deskKey, { ownVenue: true })
  await mkdir(values.out, { recursive: true })
  const newcomer = { ...sample, client: await newClient(venue.url, venue.deskKey) }
  for (const state of list(values.states)) {
    if (state === 'resting') await sample.client.desk('POST', '/site/maintenance', {})
    for (const language of languages) {
      for (const width of list(values.widths)) {
        for (const colorScheme of themes) await pictures(state, language, Number(width), colorScheme)
      }
    }
    if (state === 'resting') await sample.client.desk('POST', '/site/open')
  }

  async function pictures(
    state: string,
    language: string,
    width: number,
    colorScheme: 'light' | 'dark',
  ): Promise<void> {
    const viewport = { width, height: heights[width] ?? 844 }
    const look = { origin: venue.url, language, viewport, colorScheme, reducedMotion: 'reduce' } as const
    const who = state === 'new' ? newcomer : sample
    const ids = state === 'loaded' ? { ...sample, openOrder: await openOrder(sample.client) } : sample
    for (const as of ['guest', 'member'] as const) {
      const here = await visitor(browser, who, { ...look, as })
      const chosen = stops(ids).filter(
        ({ name, guest }) =>
          (routes.length === 0 || routes.some((route) => name.startsWith(route))) &&
          (guest === true) === (as === 'guest'),
      )
      const troubled = troubles.find((one) => one === state)
      if (troubled !== undefined) await trouble(here, venue.url, troubled, chosen)
      for (const stop of chosen) {
        if (troubled === undefined) await visit(here.page, venue.url, stop)
        else {
          await here.page.goto(venue.url + stop.href)
          await here.page.waitForTimeout(toldAfterMs)
        }
        const name = `${stop.name}${state === 'loaded' ? '' : `-${state}`}-${language}-${width}-${colorScheme}.png`
        await here.page.screenshot({ path: join(values.out, name), fullPage: values.whole })
      }
      await here.context.close()
    }
    console.error(`${state}, ${language}, ${width} px, ${colorScheme}`)
  }
} finally {
  await browser.close()
  await venue.close()
}
