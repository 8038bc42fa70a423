import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Findings } from '../scenarios/findings.ts'
import { inspectPage, violationsIn } from '../pageSweep/layoutViolations.ts'
import { withOpenOrders, type Sample } from '../pageSweep/sample.ts'
import { stops } from '../pageSweep/stops.ts'
import { errorsOf, follow, openIn } from './mainJob.ts'
import { call, type Size, type Tab } from './tab.ts'

export type RouteVisit = {
  origin: string
  language: string
  theme: 'light' | 'dark'
  sizes: readonly Size[]
  /** Where a picture of each page goes, if anywhere. */
  pictures?: string | undefined
}

/** Visits every page of the app, as a guest and then as the member, and looks for what is cut, covered or broken. */
export async function visitRoutes(
  tab: Tab,
  sample: Sample,
  visit: RouteVisit,
  found: Findings,
): Promise<void> {
  const { origin, language, theme, sizes, pictures } = visit
  const preferences = { theme, favourites: ['BTCUSDT', 'EURUSD'] }
  const guest = { v: 1, token: null, registerInfo: sample.registerInfo }
  for (const as of ['guest', 'member'] as const) {
    const session = as === 'guest' ? guest : await call(tab, logIn, sample.client.member)
    await openIn(tab, origin, language, { preferences, session })
    const current = stops(await withOpenOrders(sample))
    for (const { name, href } of current.filter((stop) => (stop.guest === true) === (as === 'guest'))) {
      const place = `${tab.name}, ${name}, ${language}, ${theme}`
      await follow(tab, href.slice(1))
      for (const size of sizes) {
        await tab.resize(size)
        found.tried += 1
        const isComplete = await call(tab, untilComplete)
        const violations = isComplete ? violationsIn(await call(tab, inspectPage)) : ['it stays incomplete']
        found.violations.push(...violations.map((violation) => `${place}, ${size.width}: ${violation}`))
        if (pictures !== undefined)
          await writeFile(
            join(pictures, `${name}-${language}-${size.width}-${tab.name}.png`),
            await tab.picture(),
          )
      }
    }
    found.violations.push(
      ...(await errorsOf(tab)).map((error) => `${tab.name}, ${language}, ${as}: ${error}`),
    )
  }
}

/* What runs in the page. */

/** Logs in without the form, and returns what the app stores then. */
async function logIn({ account, password }: { account: string; password: string }): Promise<object> {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch('/api/auth/login', {
    method: 'POST',
    headers,
    body: JSON.stringify({ account, password }),
  })
  const { token, user } = (await answer.json()) as { token: string; user: unknown }
  return { v: 1, token, userInfo: user }
}

function untilComplete(): Promise<boolean> {
  const until = performance.now() + 30_000
  const isComplete = (): boolean =>
    document.querySelector('h1') !== null &&
    document.querySelector('[data-skeleton], main use[href$="#circle-notch"]') === null
  return new Promise((resolve) => {
    const look = (): void => {
      if (isComplete()) requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))
      else if (performance.now() > until) resolve(false)
      else setTimeout(look, 50)
    }
    // Two frames, so that the new route has begun.
    requestAnimationFrame(() => requestAnimationFrame(look))
  })
}
