import type { Browser, ViewportSize } from '@playwright/test'
import { faultsOf } from './faults.ts'
import { speakPseudo } from './pseudo.ts'
import { openOrder } from './sample.ts'
import type { Sample } from './sample.ts'
import { stops } from './stops.ts'
import type { Stop } from './stops.ts'
import { resize, visit, visitor } from './visit.ts'
import type { Visitor, VisitorOptions } from './visit.ts'

export type Look = Omit<VisitorOptions, 'as'> & {
  /** Names of the stops to make; left out, all. */
  only?: readonly string[]
}

/** Goes through every stop once, first as a guest and then as the member, and lets `see` look at each. */
export async function walk(
  browser: Browser,
  sample: Sample,
  look: Look,
  see: (visitor: Visitor, stop: Stop) => Promise<void>,
): Promise<number> {
  const { only, ...rest } = look
  const all = stops({ ...sample, openOrder: await openOrder(sample.client) }).filter(
    ({ name }) => only === undefined || only.includes(name),
  )
  for (const as of ['guest', 'member'] as const) {
    const language = look.language === 'pseudo' ? 'en' : look.language
    const here = await visitor(browser, sample, { ...rest, language, as })
    if (look.language === 'pseudo') await speakPseudo(here.context)
    for (const stop of all) {
      if ((stop.guest === true) !== (as === 'guest')) continue
      await visit(here.page, look.origin, stop)
      await see(here, stop)
    }
    await here.context.close()
  }
  return all.length
}

/** Every fault of a walk with where it was; each stop is seen in every one of the sizes. */
export async function faultsOfWalk(
  browser: Browser,
  sample: Sample,
  { viewports, ...look }: Omit<Look, 'viewport'> & { viewports: readonly [ViewportSize, ...ViewportSize[]] },
): Promise<string[]> {
  const faults: string[] = []
  await walk(browser, sample, { ...look, viewport: viewports[0] }, async ({ page }, stop) => {
    const letters = await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize))
    if (letters !== 16 * (look.textScale ?? 1)) faults.push(`${stop.name}: letters of ${letters} px`)
    for (const viewport of viewports) {
      if (viewports.length > 1) await resize(page, viewport)
      const where = `${stop.name}, ${look.language}, ${viewport.width}×${viewport.height}`
      faults.push(...(await faultsOf(page)).map((fault) => `${where}: ${fault}`))
    }
  })
  return faults
}
