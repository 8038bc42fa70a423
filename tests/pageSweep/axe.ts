import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export type AxeViolation = { where: string; id: string; nodes: string[] }

/**
 * What axe finds on a page in its current state. The page has reduced motion from then on.
 * @param rules the only ones to check
 */
export async function axeViolations(
  page: Page,
  where: string,
  rules?: readonly string[],
): Promise<AxeViolation[]> {
  // A button that is enabled while axe looks would be half faded: from here on nothing fades, and what does already ends.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(finishAnimations)
  // Routes are one document, in which axe is loaded once; an empty source would mean the whole one.
  const isLoaded = await page.evaluate(() => 'axe' in globalThis)
  const axe = new AxeBuilder(isLoaded ? { page, axeSource: ';' } : { page })
    // The document has no frames, so axe does not need a page of its own for each of a hundred runs.
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
  const { violations } = await (rules ? axe.withRules([...rules]) : axe.withTags(tags)).analyze()
  return violations.map(({ id, nodes }) => ({
    where,
    id,
    nodes: nodes.map(({ target }) => target.join(' ')),
  }))
}

/** What fades in is half transparent until then, and axe would find it hard to read. Endless ones, such as spinners, go on. */
function finishAnimations(): void {
  for (const animation of document.getAnimations()) {
    const end = animation.effect?.getComputedTiming().endTime
    if (typeof end === 'number' && Number.isFinite(end)) animation.finish()
  }
}
