import { mkdirSync } from 'node:fs'
import { openBuiltVenue } from '../tests/support/builtVenue.ts'
import { launchBrowser } from '../tests/support/browser.ts'
import { createSample } from '../tests/pageSweep/sample.ts'
import { sweep } from '../tests/pageSweep/sweep.ts'
import { applyLayout } from '../tests/pageSweep/visit.ts'
import { layoutViolations } from '../tests/pageSweep/layoutViolations.ts'
const out = process.env['OUT'] ?? '/tmp/faults-shots'
mkdirSync(out, { recursive: true })
const only = process.argv.slice(2)
const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
const browser = await launchBrowser()
try {
  const sample = await createSample(venue.url, venue.backOfficeKey, { ownVenue: true })
  const layouts = [{ width: 320, height: 640 }, { width: 390, height: 844 }, { width: 844, height: 390 }, { width: 1280, height: 800 }, { width: 390, height: 844, textScale: 2 }, { width: 844, height: 390, textScale: 2 }, { width: 1280, height: 800, textScale: 2 }]
  await sweep(browser, sample, { origin: venue.url, reducedMotion: 'reduce', language: process.env['LANGUAGE_OF'] ?? 'en', viewport: { width: 390, height: 844 }, ...(only.length ? { only } : {}) }, async ({ page }, stop) => {
    for (const l of layouts) {
      await applyLayout(page, l)
      const v = await layoutViolations(page)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      const name = `${stop.name}-${l.width}x${l.height}${l.textScale ? '-t2' : ''}`
      await page.screenshot({ path: `${out}/${name}.png` })
      if (v.length || wide > 0) console.log(name, wide, v)
    }
  })
} finally { await browser.close(); await venue.close() }
