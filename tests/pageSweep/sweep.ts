import type { Browser, Page } from '@playwright/test'
import type { Findings } from '../scenarios/findings.ts'
import { layoutViolations } from './layoutViolations.ts'
import { speakPseudo } from './pseudo.ts'
import { endOrderBeside, withOpenOrders, type Sample } from './sample.ts'
import { stops, type Stop } from './stops.ts'
import { applyLayout, visit, openVisitor, type Layout, type Visitor, type VisitorOptions } from './visit.ts'

export type SweepOptions = Omit<VisitorOptions, 'as'> & {
  /** Names of the stops to visit; all by default. */
  only?: readonly string[]
}

/**
 * Visits every stop, first as a guest and then as the member, and calls `onStop` at each; again at one whose order ended
 * meanwhile.
 * @returns how often it called `onStop`
 */
export async function sweep(
  browser: Browser,
  sample: Sample,
  options: SweepOptions,
  onStop: (visitor: Visitor, stop: Stop) => Promise<void>,
): Promise<number> {
  const { only, ...rest } = options
  let visited = 0
  const all = stops(sample).filter(({ name }) => only === undefined || only.includes(name))
  for (const as of ['guest', 'member'] as const) {
    const language = options.language === 'pseudo' ? 'en' : options.language
    const visitor = await openVisitor(browser, sample, { ...rest, language, as })
    if (options.language === 'pseudo') await speakPseudo(visitor.context)
    for (const { name, guest } of all) {
      if ((guest === true) !== (as === 'guest')) continue
      const stop = await currentStop(sample, name)
      let isAsSeen = async () => true
      do {
        await visit(visitor.page, options.origin, stop)
        if (stop.orderEnds) {
          isAsSeen = await endOrderBeside(sample)
          await visitor.page.locator(howItEnded).first().waitFor()
        }
        await onStop(visitor, stop)
        visited += 1
      } while (!(await isAsSeen()))
    }
    await visitor.context.close()
  }
  return visited
}

/** How an order of the page ended: beside the heading on a phone, else among the closed ones. */
const howItEnded = 'main [role=status] a[href*="/order/"]'

/** A stop with orders that are still open: those of the stop before may have settled. */
async function currentStop(sample: Sample, name: string): Promise<Stop> {
  const stop = stops(await withOpenOrders(sample)).find((known) => known.name === name)
  if (stop === undefined) throw new Error(`no stop ${name}`)
  return stop
}

/** Checks a page in one layout after another; `tried` counts the layouts. */
export async function checkLayouts(
  page: Page,
  where: string,
  layouts: readonly Layout[],
  found: Findings,
): Promise<void> {
  for (const layout of layouts) {
    const { width, height, textScale = 1 } = layout
    await applyLayout(page, layout)
    const place = `${where}, ${width}×${height}${textScale === 1 ? '' : `, text × ${textScale}`}`
    const fontSize = await page.evaluate(() =>
      parseFloat(getComputedStyle(document.documentElement).fontSize),
    )
    if (fontSize !== 16 * textScale) found.violations.push(`${place}: a font size of ${fontSize} px`)
    found.tried += 1
    found.violations.push(...(await layoutViolations(page)).map((violation) => `${place}: ${violation}`))
  }
}
