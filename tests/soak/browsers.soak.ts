import { mkdir } from 'node:fs/promises'
import { mainJob } from '../browsers/mainJob.ts'
import { otherBrowsers } from '../browsers/installed.ts'
import { visitInOldChromium } from '../browsers/oldChromium.ts'
import { visitRoutes } from '../browsers/routes.ts'
import { createSample } from '../pageSweep/sample.ts'
import type { Findings } from '../scenarios/findings.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import type { SoakRun, Row } from './row.ts'

const sizes = [
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1280, height: 800 },
]
const looks = [
  { language: 'en', theme: 'light' },
  { language: 'zh-CN', theme: 'dark' },
] as const

/**
 * The main job and every page in Firefox and WebKit, where they are installed, and every page in an old Chromium if
 * `OLD_CHROMIUM` is the path of one (CONTRIBUTING.md). With `PICTURES` a picture of each page goes into that folder. Needs a
 * build.
 */
export async function run({ log }: SoakRun): Promise<Row[]> {
  const job: Findings = { tried: 0, violations: [] }
  const pages: Findings = { tried: 0, violations: [] }
  const pictures = process.env['PICTURES']
  if (pictures !== undefined) await mkdir(pictures, { recursive: true })
  const venue = await openBuiltVenue()
  const notes: string[] = []
  try {
    const sample = await createSample(venue.url, venue.deskKey, { ownVenue: true })
    const oldChromium = process.env['OLD_CHROMIUM']
    if (oldChromium !== undefined) {
      notes.push(await visitInOldChromium(oldChromium, sample, venue.url, pages))
      log(`old Chromium: ${pages.violations.length} violations so far`)
    }
    for (const { name, open, missing } of otherBrowsers()) {
      if (open === null) {
        notes.push(`${name} left out: ${missing}`)
        continue
      }
      const tab = await open()
      notes.push(tab.name)
      try {
        for (const size of sizes) {
          await tab.resize(size)
          job.tried += 1
          const problems = await mainJob(tab, venue.url).catch((error: unknown) => [String(error)])
          job.violations.push(...problems.map((problem) => `${tab.name}, ${size.width}: ${problem}`))
          log(`${tab.name}, main job, ${size.width} px: ${problems.join('; ') || 'done'}`)
        }
        for (const look of looks) {
          await visitRoutes(tab, sample, { origin: venue.url, sizes, pictures, ...look }, pages)
          log(`${tab.name}, ${look.language}: ${pages.violations.length} violations so far`)
        }
      } finally {
        await tab.close()
      }
    }
  } finally {
    await venue.close()
  }
  for (const violation of [...job.violations, ...pages.violations]) log(violation)
  const note = notes.join(', ')
  return [
    { id: 'B1', what: 'main job in other browsers', tried: job.tried, broken: job.violations.length, note },
    { id: 'B2', what: 'pages in other browsers', tried: pages.tried, broken: pages.violations.length, note },
  ]
}
