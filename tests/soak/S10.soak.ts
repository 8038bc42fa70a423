import { onProduct, ordersOf, placeUnanswered } from '../e2e/network.ts'
import { seededRandom } from '../support/random.ts'
import type { Loss } from '../support/faultProxy.ts'
import { spread, withPhones, type Phone } from './browsers.ts'
import type { SoakRun, Row } from './row.ts'

/** After a lost answer the outcome must be shown within this. */
const outcomeWithinMs = 10_000
const phones = 4
const lossesEach = 50
const ways: readonly Loss[] = ['hang', 'reset', 'request']

const ready = ({ page, network }: Phone): Promise<void> => onProduct(page, network)

/** After a lost answer the outcome is shown as unknown, then as known, and the order is never placed twice. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const random = seededRandom(seed)
  const losses = Array.from(
    { length: phones * lossesEach },
    () => ways[Math.floor(random.next() * 3)] ?? 'hang',
  )
  let broken = 0
  const outcomes = await withPhones(phones, ready, async ({ page, network }, phone) => {
    const results: { ms: number; outcome: 'accepted' | 'rejected' }[] = []
    for (const way of losses.slice(phone * lossesEach, (phone + 1) * lossesEach)) {
      const result = await placeUnanswered(page, network, way)
      results.push(result)
      const late = result.ms > outcomeWithinMs
      const wrong = (result.outcome === 'rejected') !== (way === 'request')
      const accepted = results.filter(({ outcome }) => outcome === 'accepted').length
      const placed = (await ordersOf(page)).length
      if (late || wrong || placed !== accepted) {
        broken += 1
        log(
          `phone ${phone}, ${way}: ${result.outcome} after ${result.ms} ms, ${placed} orders for ${accepted} shown as accepted`,
        )
      }
    }
    return results
  })
  const all = outcomes.flat()
  const accepted = all.filter(({ outcome }) => outcome === 'accepted').length
  const note = `${accepted} accepted, ${all.length - accepted} rejected; known ${spread(all.map(({ ms }) => ms))}`
  return [
    {
      id: 'S10',
      what: 'answer lost: outcome shown within 10 s, never placed twice',
      tried: losses.length,
      broken,
      note,
    },
  ]
}
