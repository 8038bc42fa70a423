import type { Browser, ViewportSize } from '@playwright/test'
import type { Findings } from '../scenarios/findings.ts'
import { layoutViolations } from './layoutViolations.ts'
import { speakPseudo } from './pseudo.ts'
import { withOpenOrders } from './sample.ts'
import type { Sample } from './sample.ts'
import { stops } from './stops.ts'
import type { Stop } from './stops.ts'
import { resize, visit, openVisitor } from './visit.ts'
import type { Visitor, VisitorOptions } from './visit.ts'

export type SweepOptions = Omit<VisitorOptions, 'as'> & {
  /** Names of the stops to visit; all by default. */
  only?: readonly string[]
}

/** Visits every stop once, first as a guest and then as the member, and calls `onStop` at each. */
export async function sweep(
  browser: Browser,
  sample: Sample,
  options: SweepOptions,
  onStop: (visitor: Visitor, stop: Stop) => Promise<void>,
): Promise<number> {
  const { only, ...rest } = options
  const all = stops(await withOpenOrders(sample)).filter(
    ({ name }) => only === undefined || only.includes(name),
  )
  for (const as of ['guest', 'member'] as const) {
    const language = options.language === 'pseudo' ? 'en' : options.language
    const visitor = await openVisitor(browser, sample, { ...rest, language, as })
    if (options.language === 'pseudo') await speakPseudo(visitor.context)
    for (const stop of all) {
      if ((stop.guest === true) !== (as === 'guest')) continue
      await visit(visitor.page, options.origin, stop)
      await onStop(visitor, stop)
    }
    await visitor.context.close()
  }
  return all.length
}

/** Checks the layout of every stop in each viewport; `tried` counts the layouts. */
export async function sweepViolations(
  browser: Browser,
  sample: Sample,
  {
    viewports,
    ...options
  }: Omit<SweepOptions, 'viewport'> & { viewports: readonly [ViewportSize, ...ViewportSize[]] },
): Promise<Findings> {
  const found: Findings = { tried: 0, violations: [] }
  await sweep(browser, sample, { ...options, viewport: viewports[0] }, async ({ page }, stop) => {
    const fontSize = await page.evaluate(() =>
      parseFloat(getComputedStyle(document.documentElement).fontSize),
    )
    if (fontSize !== 16 * (options.textScale ?? 1))
      found.violations.push(`${stop.name}: a font size of ${fontSize} px`)
    for (const viewport of viewports) {
      if (viewports.length > 1) await resize(page, viewport)
      const where = `${stop.name}, ${options.language}, ${viewport.width}×${viewport.height}`
      found.tried += 1
      found.violations.push(...(await layoutViolations(page)).map((violation) => `${where}: ${violation}`))
    }
  })
  return found
}
