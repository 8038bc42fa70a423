import { describe, expect, it } from 'vitest'
import { exchangeNames } from '../../server/market/feed/live/exchanges.ts'
import { mergeFindings } from '../scenarios/findings.ts'
import { driveLiveFeed } from '../scenarios/liveFeed.ts'
import { testSeed } from '../support/testSeed.ts'

const scripts = 20

describe.each(exchangeNames)('two products of %s', (exchange) => {
  it(`lose nothing outside a gap and heal by themselves under ${scripts} scripts of faults`, async () => {
    // Every third script is about one product only.
    const seed = testSeed()
    const all = []
    for (let i = 0; i < scripts; i++) all.push(await driveLiveFeed(exchange, seed + i))
    const { tried, violations } = mergeFindings(all)
    expect(violations).toEqual([])
    expect(tried).toBeGreaterThan(scripts * 100)
    expect(all.reduce((sum, { gaps }) => sum + gaps, 0)).toBeGreaterThan(2 * scripts)
  })
})
