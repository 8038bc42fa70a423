import { dirname, join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Findings } from '../scenarios/findings.ts'
import { layoutViolations } from '../pageSweep/layoutViolations.ts'
import type { Sample } from '../pageSweep/sample.ts'
import { sweep } from '../pageSweep/sweep.ts'

/** Visits every page in the Chromium at `path`, an old one with its libraries in `lib/` beside it. Returns its version. */
export async function visitInOldChromium(
  path: string,
  sample: Sample,
  origin: string,
  found: Findings,
): Promise<string> {
  const env = { ...process.env, LD_LIBRARY_PATH: join(dirname(path), 'lib') } as Record<string, string>
  const args = ['--no-sandbox', '--headless', '--no-zygote', '--disable-gpu']
  const browser = await chromium.launch({ executablePath: path, env, args })
  const note = (stop: string) => (error: Error) => void found.violations.push(`${stop}: ${error.message}`)
  try {
    const options = { origin, language: 'en', viewport: { width: 390, height: 844 } }
    found.tried += await sweep(browser, sample, options, async ({ page }, stop) => {
      page.removeAllListeners('pageerror').on('pageerror', note(`after ${stop.name}`))
      found.violations.push(
        ...(await layoutViolations(page)).map((violation) => `${stop.name}: ${violation}`),
      )
    })
    return `Chromium ${browser.version()}`
  } finally {
    await browser.close()
  }
}
