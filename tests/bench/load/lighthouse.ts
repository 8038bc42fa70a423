import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { openHome, product } from '../../e2e/member.ts'
import { browserLaunch } from '../../support/browser.ts'
import { openBuiltVenue } from '../../support/builtVenue.ts'

export type Score = {
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  lcpMs: number
  cls: number
}

/** The part of Lighthouse's result that is used. */
type Result = {
  lhr: {
    categories: Record<string, { score: number | null } | undefined>
    audits: Record<string, { numericValue?: number } | undefined>
  }
}
type Lighthouse = (
  url: string,
  flags: { port: number; output: 'json'; logLevel: 'error' },
) => Promise<Result | undefined>

/** A folder with its own packages, because they are 150 MB that nothing else needs. */
const folder = join(import.meta.dirname, 'lighthouse')

/** @throws Error with the command that installs it */
async function loadLighthouse(): Promise<Lighthouse> {
  try {
    const path = createRequire(join(folder, 'package.json')).resolve('lighthouse')
    const { default: lighthouse } = (await import(pathToFileURL(path).href)) as { default: Lighthouse }
    return lighthouse
  } catch (cause) {
    throw new Error('install it first: npm ci --prefix tests/bench/load/lighthouse', { cause })
  }
}

const debugPort = 18_471
const runs = Number(process.env['RUNS'] ?? 5)

/**
 * Lighthouse's mobile defaults (slow 4G, 4 × slower processor, nothing cached): the welcome page as a visitor sees it, then
 * home and a product as a member does, with the venue's own products. @returns the scores of each run, by page
 */
export async function lighthouseScores(): Promise<ReadonlyMap<string, Score[]>> {
  const lighthouse = await loadLighthouse()
  const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
  // Lighthouse uses the browser's default profile, not a context of Playwright's.
  const profile = mkdtempSync(join(tmpdir(), 'uptick-load-'))
  const launch = await browserLaunch()
  const context = await chromium.launchPersistentContext(profile, {
    ...launch,
    baseURL: venue.url,
    args: [...(launch.args ?? []), `--remote-debugging-port=${debugPort}`],
  })
  try {
    const scores = new Map([['welcome', await scoresOf(lighthouse, `${venue.url}/`)]])
    const page = await context.newPage()
    await openHome(page, venue.url)
    // Its prices would take processor time from the page that is measured.
    await page.close()
    scores.set('home', await scoresOf(lighthouse, `${venue.url}/#/pages/index/index`))
    scores.set('product', await scoresOf(lighthouse, venue.url + product('BTCUSDT')))
    return scores
  } finally {
    await context.close()
    await venue.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

async function scoresOf(lighthouse: Lighthouse, url: string): Promise<Score[]> {
  const scores: Score[] = []
  for (let run = 0; run < runs; run++) {
    // It empties the caches; cookies and local storage, and so the session, stay.
    const result = await lighthouse(url, { port: debugPort, output: 'json', logLevel: 'error' })
    if (!result) throw new Error('Lighthouse gave no result')
    const { categories, audits } = result.lhr
    const points = (name: string): number => Math.round((categories[name]?.score ?? 0) * 100)
    scores.push({
      performance: points('performance'),
      accessibility: points('accessibility'),
      bestPractices: points('best-practices'),
      seo: points('seo'),
      lcpMs: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
      cls: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    })
  }
  return scores
}
