import { outcomeWithinMs, onProduct, ordersOf, placeUnanswered } from '../e2e/network.ts'
import { seededRandom } from '../support/random.ts'
import type { Loss } from '../support/faultProxy.ts'
import { spread, withPhones } from './browsers.ts'
import type { Phone } from './browsers.ts'
import type { SoakRun, Row } from './row.ts'

const phones = 4
const lossesEach = 50
const ways: readonly Loss[] = ['hang', 'reset', 'request']

const ready = ({ page, network }: Phone): Promise<void> => onProduct(page, network)

/** A lost answer is told as unknown, then known, and never placed twice. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const random = seededRandom(seed)
  const losses = Array.from(
    { length: phones * lossesEach },
    () => ways[Math.floor(random.next() * 3)] ?? 'hang',
  )
  let broken = 0
  const told = await withPhones(phones, ready, async ({ page, network }, phone) => {
    const times: { ms: number; outcome: 'accepted' | 'rejected' }[] = []
    for (const way of losses.slice(phone * lossesEach, (phone + 1) * lossesEach)) {
      const one = await placeUnanswered(page, network, way)
      times.push(one)
      const late = one.ms > outcomeWithinMs
      const wrong = (one.outcome === 'rejected') !== (way === 'request')
      const accepted = times.filter(({ outcome }) => outcome === 'accepted').length
      const placed = (await ordersOf(page)).length
      if (late || wrong || placed !== accepted) {
        broken += 1
        log(
          `phone ${phone}, ${way}: ${one.outcome} after ${one.ms} ms, ${placed} orders for ${accepted} told`,
        )
      }
    }
    return times
  })
  const all = told.flat()
  const accepted = all.filter(({ outcome }) => outcome === 'accepted').length
  const note = `${accepted} accepted, ${all.length - accepted} refused; known ${spread(all.map(({ ms }) => ms))}`
  return [
    { id: 'S10', what: 'answer lost: told within 10 s, never twice', tried: losses.length, broken, note },
  ]
}
