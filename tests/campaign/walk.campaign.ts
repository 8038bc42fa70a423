import { languages } from '../../contract/constants.ts'
import { launchBrowser } from '../support/browser.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import { violationsOf } from '../walk/axe.ts'
import { newSample } from '../walk/sample.ts'
import { trouble, troubles } from '../walk/states.ts'
import { stops } from '../walk/stops.ts'
import { visitor } from '../walk/visit.ts'
import { faultsOfWalk, walk } from '../walk/walk.ts'
import type { Campaign, Row } from './row.ts'

const widths = [320, 390, 1280]
const phone = { width: 390, height: 844 }

/**
 * Every page in every language and a longer one, at every width and in letters twice as large, and under axe in both
 * themes and in trouble. Needs a build.
 */
export async function run({ say }: Campaign): Promise<Row[]> {
  const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
  const browser = await launchBrowser()
  const origin = venue.url
  const still = { origin, reducedMotion: 'reduce' } as const
  const faults: string[] = []
  let pages = 0
  let tested = 0
  const violations: string[] = []
  try {
    const sample = await newSample(origin, venue.deskKey, { ownVenue: true })
    for (const language of [...languages, 'pseudo']) {
      for (const width of widths) {
        const viewport = { width, height: width === 1280 ? 800 : 720 }
        const found = await faultsOfWalk(browser, sample, { ...still, language, viewports: [viewport] })
        faults.push(...found.map((fault) => `${width} px, ${fault}`))
        pages += 1
        say(`${language}, ${width} px: ${found.length} faults`)
      }
    }
    for (const language of languages) {
      const found = await faultsOfWalk(browser, sample, {
        ...still,
        language,
        viewports: [phone],
        textScale: 2,
      })
      faults.push(...found.map((fault) => `letters twice as large, ${fault}`))
      pages += 1
      say(`${language}, letters twice as large: ${found.length} faults`)
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of widths) {
        const viewport = { width, height: 844 }
        tested += await walk(
          browser,
          sample,
          { ...still, language: 'zh-CN', viewport, colorScheme },
          async ({ page }, stop) => {
            const found = await violationsOf(page, stop.name)
            violations.push(...found.map(({ id }) => `${stop.name}, ${width} px, ${colorScheme}: ${id}`))
          },
        )
        say(`axe, ${colorScheme}, ${width} px: ${violations.length} violations so far`)
      }
      const chosen = stops(sample).filter(({ guest }) => !guest)
      for (const state of troubles) {
        const look = { ...still, language: 'zh-CN', viewport: phone, colorScheme }
        const here = await visitor(browser, sample, { ...look, as: 'member' })
        await trouble(here, origin, state, chosen)
        for (const { name, href } of chosen) {
          await here.page.goto(origin + href)
          await here.page.locator('h1').first().waitFor()
          const found = await violationsOf(here.page, name)
          violations.push(...found.map(({ id }) => `${name}, ${state}, ${colorScheme}: ${id}`))
          tested += 1
        }
        await here.context.close()
        say(`axe, ${colorScheme}, ${state}: ${violations.length} violations so far`)
      }
    }
  } finally {
    await browser.close()
    await venue.close()
  }
  for (const fault of [...faults, ...violations]) say(fault)
  return [
    { id: 'W1', what: 'walks: nothing cut, covered or untranslated', tried: pages, broken: faults.length },
    { id: 'W2', what: 'pages under axe', tried: tested, broken: violations.length },
  ]
}
