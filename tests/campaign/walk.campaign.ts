import AxeBuilder from '@axe-core/playwright'
import { languages } from '../../contract/constants.ts'
import { launchBrowser } from '../support/browser.ts'
import { newSample } from '../walk/sample.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import { faultsOfWalk, walk } from '../walk/walk.ts'
import type { Campaign, Row } from './row.ts'

const widths = [320, 390, 1280]
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Every page in every language and a longer one, at every width, and under axe in both themes. Needs a build. */
export async function run({ say }: Campaign): Promise<Row[]> {
  const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
  const browser = await launchBrowser()
  const origin = venue.url
  const still = { origin, reducedMotion: 'reduce' } as const
  const faults: string[] = []
  let pages = 0
  let tested = 0
  const violations: string[] = []
  try {
    const sample = await newSample(origin, venue.deskKey, { ownVenue: true })
    for (const language of [...languages, 'pseudo']) {
      for (const width of widths) {
        const viewport = { width, height: width === 1280 ? 800 : 720 }
        const found = await faultsOfWalk(browser, sample, { ...still, language, viewport })
        faults.push(...found.map((fault) => `${width} px, ${fault}`))
        pages += 1
        say(`${language}, ${width} px: ${found.length} faults`)
      }
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of widths) {
        const viewport = { width, height: 844 }
        tested += await walk(
          browser,
          sample,
          { ...still, language: 'zh-CN', viewport, colorScheme },
          async ({ page }, stop) => {
            const result = await new AxeBuilder({ page }).setLegacyMode().withTags(axeTags).analyze()
            violations.push(
              ...result.violations.map(({ id }) => `${stop.name}, ${width} px, ${colorScheme}: ${id}`),
            )
          },
        )
        say(`axe, ${colorScheme}, ${width} px: ${violations.length} violations so far`)
      }
    }
  } finally {
    await browser.close()
    await venue.close()
  }
  for (const fault of [...faults, ...violations]) say(fault)
  return [
    { id: 'W1', what: 'walks: nothing cut, covered or untranslated', tried: pages, broken: faults.length },
    { id: 'W2', what: 'pages under axe', tried: tested, broken: violations.length },
  ]
}
