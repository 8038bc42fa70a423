import type { Browser } from '@playwright/test'
import { faultsOf } from './faults.ts'
import { speakPseudo } from './pseudo.ts'
import { openOrder } from './sample.ts'
import type { Sample } from './sample.ts'
import { stops } from './stops.ts'
import type { Stop } from './stops.ts'
import { visit, visitor } from './visit.ts'
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

/** Every fault of a walk with where it was. */
export async function faultsOfWalk(browser: Browser, sample: Sample, look: Look): Promise<string[]> {
  const faults: string[] = []
  await walk(browser, sample, look, async ({ page }, stop) => {
    faults.push(...(await faultsOf(page)).map((fault) => `${stop.name}, ${look.language}: ${fault}`))
  })
  return faults
}
