import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { languages as allLanguages } from '../contract/constants.ts'
import { launchBrowser } from '../tests/support/browser.ts'
import { newSample, openOrder } from '../tests/walk/sample.ts'
import { stops } from '../tests/walk/stops.ts'
import { openBuiltVenue } from '../tests/support/builtVenue.ts'
import { visit, visitor } from '../tests/walk/visit.ts'
// @ts-expect-error plain JavaScript, because `npm start` runs it without a compiler
import { isStale } from './fresh.mjs'

/*
 * `npm run screenshots [-- --languages en,de --widths 320,390 --themes light,dark --routes home,fund --out DIR --whole]`:
 * a picture of every page, as a member with data sees it, in a venue of its own. A route is the beginning of a stop's
 * name (tests/walk/stops.ts); `--whole` takes the page to its end, not the first screen alone.
 */
const { values } = parseArgs({
  options: {
    languages: { type: 'string', default: 'en,zh-CN' },
    widths: { type: 'string', default: '320,390,1280' },
    themes: { type: 'string', default: 'light,dark' },
    routes: { type: 'string', default: '' },
    out: { type: 'string', default: 'screenshots' },
    whole: { type: 'boolean', default: false },
  },
})
const list = (text: string): string[] => text.split(',').filter((part) => part !== '')
const languages = values.languages === 'all' ? allLanguages : list(values.languages)
const themes = list(values.themes).map((theme) => (theme === 'dark' ? 'dark' : 'light'))
const routes = list(values.routes)
const heights: Record<string, number> = { 320: 640, 390: 844, 1280: 800 }

const root = join(import.meta.dirname, '..')
if (isStale(root)) execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'ignore' })
const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
const browser = await launchBrowser()
try {
  console.error('A member with data …')
  const sample = await newSample(venue.url, venue.deskKey, { ownVenue: true })
  await mkdir(values.out, { recursive: true })
  for (const language of languages) {
    for (const width of list(values.widths)) {
      for (const colorScheme of themes) await pictures(language, Number(width), colorScheme)
    }
  }

  async function pictures(language: string, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
    const viewport = { width, height: heights[width] ?? 844 }
    const look = { origin: venue.url, language, viewport, colorScheme, reducedMotion: 'reduce' } as const
    const ids = { ...sample, openOrder: await openOrder(sample.client) }
    for (const as of ['guest', 'member'] as const) {
      const { page, context } = await visitor(browser, sample, { ...look, as })
      for (const stop of stops(ids)) {
        const asked = routes.length === 0 || routes.some((name) => stop.name.startsWith(name))
        if (!asked || (stop.guest === true) !== (as === 'guest')) continue
        await visit(page, venue.url, stop)
        const name = `${stop.name}-${language}-${width}-${colorScheme}.png`
        await page.screenshot({ path: join(values.out, name), fullPage: values.whole })
      }
      await context.close()
    }
    console.error(`${language}, ${width} px, ${colorScheme}`)
  }
} finally {
  await browser.close()
  await venue.close()
}
