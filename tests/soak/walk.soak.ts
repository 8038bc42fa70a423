import { languages } from '../../contract/constants.ts'
import { launchBrowser } from '../support/browser.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import { axeViolations } from '../pageSweep/axe.ts'
import { createSample } from '../pageSweep/sample.ts'
import { simulateTrouble, troubles } from '../pageSweep/troubles.ts'
import { stops } from '../pageSweep/stops.ts'
import { openVisitor } from '../pageSweep/visit.ts'
import { sweepViolations, sweep } from '../pageSweep/sweep.ts'
import type { SoakRun, Row } from './row.ts'

const widths = [320, 390, 1280]
const phone = { width: 390, height: 844 }

/**
 * Every page in every language and a longer one, at every width and in letters twice as large, and under axe in both
 * themes and in trouble. Needs a build.
 */
export async function run({ log }: SoakRun): Promise<Row[]> {
  const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
  const browser = await launchBrowser()
  const origin = venue.url
  const still = { origin, reducedMotion: 'reduce' } as const
  const faults: string[] = []
  let pages = 0
  let tested = 0
  const violations: string[] = []
  try {
    const sample = await createSample(origin, venue.backOfficeKey, { ownVenue: true })
    for (const language of [...languages, 'pseudo']) {
      for (const width of widths) {
        const viewport = { width, height: width === 1280 ? 800 : 720 }
        const found = await sweepViolations(browser, sample, { ...still, language, viewports: [viewport] })
        faults.push(...found.map((fault) => `${width} px, ${fault}`))
        pages += 1
        log(`${language}, ${width} px: ${found.length} faults`)
      }
    }
    for (const language of languages) {
      const found = await sweepViolations(browser, sample, {
        ...still,
        language,
        viewports: [phone],
        textScale: 2,
      })
      faults.push(...found.map((fault) => `letters twice as large, ${fault}`))
      pages += 1
      log(`${language}, letters twice as large: ${found.length} faults`)
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of widths) {
        const viewport = { width, height: 844 }
        tested += await sweep(
          browser,
          sample,
          { ...still, language: 'zh-CN', viewport, colorScheme },
          async ({ page }, stop) => {
            const found = await axeViolations(page, stop.name)
            violations.push(...found.map(({ id }) => `${stop.name}, ${width} px, ${colorScheme}: ${id}`))
          },
        )
        log(`axe, ${colorScheme}, ${width} px: ${violations.length} violations so far`)
      }
      const chosen = stops(sample).filter(({ guest }) => !guest)
      for (const state of troubles) {
        const look = { ...still, language: 'zh-CN', viewport: phone, colorScheme }
        const here = await openVisitor(browser, sample, { ...look, as: 'member' })
        await simulateTrouble(here, origin, state, chosen)
        for (const { name, href } of chosen) {
          await here.page.goto(origin + href)
          await here.page.locator('h1').first().waitFor()
          const found = await axeViolations(here.page, name)
          violations.push(...found.map(({ id }) => `${name}, ${state}, ${colorScheme}: ${id}`))
          tested += 1
        }
        await here.context.close()
        log(`axe, ${colorScheme}, ${state}: ${violations.length} violations so far`)
      }
    }
  } finally {
    await browser.close()
    await venue.close()
  }
  for (const fault of [...faults, ...violations]) log(fault)
  return [
    { id: 'W1', what: 'walks: nothing cut, covered or untranslated', tried: pages, broken: faults.length },
    { id: 'W2', what: 'pages under axe', tried: tested, broken: violations.length },
  ]
}
