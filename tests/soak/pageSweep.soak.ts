import { languages } from '../../contract/constants.ts'
import { launchBrowser } from '../support/browser.ts'
import type { Findings } from '../scenarios/findings.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import { axeViolations } from '../pageSweep/axe.ts'
import { createSample } from '../pageSweep/sample.ts'
import { simulateTrouble, troubles } from '../pageSweep/troubles.ts'
import { stops } from '../pageSweep/stops.ts'
import { openVisitor, type Layout } from '../pageSweep/visit.ts'
import { checkLayouts, sweep } from '../pageSweep/sweep.ts'
import type { SoakRun, Row } from './row.ts'

const widths = [320, 390, 820, 1024, 1180, 1280]
const phone = { width: 390, height: 844 }

/**
 * Every page in every language and a pseudo-language with longer words, at every width and with text twice as large, and
 * under axe in both themes and with troubles. Needs a build.
 */
export async function run({ log }: SoakRun): Promise<Row[]> {
  const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
  const browser = await launchBrowser()
  const origin = venue.url
  const common = { origin, reducedMotion: 'reduce' } as const
  const layouts: Findings = { tried: 0, violations: [] }
  const axe: Findings = { tried: 0, violations: [] }
  try {
    const sample = await createSample(origin, venue.deskKey, { ownVenue: true })
    const atAllWidths: Layout[] = widths.map((width) => ({ width, height: width >= 1180 ? 800 : 720 }))
    for (const language of [...languages, 'pseudo']) {
      const sizes = language === 'pseudo' ? atAllWidths : [...atAllWidths, { ...phone, textScale: 2 }]
      const options = { ...common, language, viewport: phone }
      await sweep(browser, sample, options, ({ page }, stop) =>
        checkLayouts(page, `${stop.name}, ${language}`, sizes, layouts),
      )
      log(`${language}: ${layouts.violations.length} violations so far`)
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of widths) {
        const viewport = { width, height: 844 }
        axe.tried += await sweep(
          browser,
          sample,
          { ...common, language: 'zh-CN', viewport, colorScheme },
          async ({ page }, stop) => {
            const found = await axeViolations(page, stop.name)
            axe.violations.push(...found.map(({ id }) => `${stop.name}, ${width} px, ${colorScheme}: ${id}`))
          },
        )
        log(`axe, ${colorScheme}, ${width} px: ${axe.violations.length} violations so far`)
      }
      const chosen = stops(sample).filter(({ guest }) => !guest)
      for (const state of troubles) {
        const options = { ...common, language: 'zh-CN', viewport: phone, colorScheme }
        const visitor = await openVisitor(browser, sample, { ...options, as: 'member' })
        await simulateTrouble(visitor, origin, state, chosen)
        for (const { name, href } of chosen) {
          await visitor.page.goto(origin + href)
          await visitor.page.locator('h1').first().waitFor()
          const found = await axeViolations(visitor.page, name)
          axe.violations.push(...found.map(({ id }) => `${name}, ${state}, ${colorScheme}: ${id}`))
          axe.tried += 1
        }
        await visitor.context.close()
        log(`axe, ${colorScheme}, ${state}: ${axe.violations.length} violations so far`)
      }
    }
  } finally {
    await browser.close()
    await venue.close()
  }
  for (const violation of [...layouts.violations, ...axe.violations]) log(violation)
  return [
    {
      id: 'W1',
      what: 'page layouts: nothing cut, covered or untranslated',
      tried: layouts.tried,
      broken: layouts.violations.length,
    },
    { id: 'W2', what: 'pages under axe', tried: axe.tried, broken: axe.violations.length },
  ]
}
