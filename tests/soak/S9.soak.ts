import { minuteMs } from '../../contract/time.ts'
import {
  countdownErrorMs,
  loseNetwork,
  moveDeviceClock,
  onProduct,
  placeForAMinute,
  placeForHours,
  sleepAnHour,
} from '../e2e/network.ts'
import { openLeapingVenue } from '../support/leapingVenue.ts'
import { seededRandom } from '../support/random.ts'
import { spread, withPhones, type Phone } from './browsers.ts'
import type { SoakRun, Row } from './row.ts'

/** A client that has received nothing for this long must have stopped trading (quality.md, S9). */
const staleWithinMs = 6000
/** After waking: one check each second, and the rendering of its result. */
const resumedWithinMs = 2000
const phones = 4
const cutsEach = 25
const sleepTimes = 5
const clocks = [10, -10, 24 * 60, -24 * 60].map((minutes) => minutes * minuteMs)

const ready = ({ page, network }: Phone): Promise<void> => onProduct(page, network)
const readyLate = async (phone: Phone, i: number): Promise<void> => {
  await moveDeviceClock(phone.page, clocks[i] ?? 0)
  await ready(phone)
}

/** The client never shows stale data as fresh: in a real browser, with a failing network and a wrong device clock. */
export async function run(options: SoakRun): Promise<Row[]> {
  return [await cuts(options), await wrongClocks(options), await sleeps(options)]
}

async function sleeps({ log }: SoakRun): Promise<Row> {
  const found: Awaited<ReturnType<typeof sleepAnHour>>[] = []
  for (let i = 0; i < sleepTimes; i++) {
    const venue = await openLeapingVenue()
    const sleep = async ({ page }: Phone) => sleepAnHour(page, venue, await placeForHours(page))
    found.push(...(await withPhones(1, ready, sleep, venue)))
    await venue.close()
    log(`slept for an hour: ${JSON.stringify(found.at(-1))}`)
  }
  const late = found.filter(({ fooledMs, errorMs }) => fooledMs > resumedWithinMs || errorMs > 1000)
  const maxMs = Math.round(Math.max(...found.map(({ fooledMs }) => fooledMs)))
  return {
    id: 'S9c',
    what: 'slept for an hour: refreshed before trading',
    tried: found.length,
    broken: late.length,
    note: `detected after ${maxMs} ms at most`,
  }
}

async function cuts({ seed, log }: SoakRun): Promise<Row> {
  const random = seededRandom(seed)
  const ways = Array.from({ length: phones * cutsEach }, () => (random.next() < 0.5 ? 'cut' : 'stall'))
  let broken = 0
  const seen = await withPhones(phones, ready, async ({ page, network }, phone) => {
    const loadedAt = await page.evaluate(() => performance.timeOrigin)
    const times: { offMs: number; backMs: number }[] = []
    for (const way of ways.slice(phone * cutsEach, (phone + 1) * cutsEach)) {
      try {
        const lost = await loseNetwork(page, network, way)
        times.push(lost)
        if (lost.offMs <= staleWithinMs) continue
        broken += 1
        log(`phone ${phone}, ${way}: trading on for ${lost.offMs} ms`)
      } catch (error) {
        broken += 1
        log(`phone ${phone}, ${way}: ${String(error).split('\n')[0]}`)
        network.restore()
        await onProduct(page, network)
      }
    }
    if (loadedAt !== (await page.evaluate(() => performance.timeOrigin))) log(`phone ${phone} was reloaded`)
    return times
  })
  const all = seen.flat()
  return {
    id: 'S9a',
    what: 'network lost: trading off within 6 s, back by itself',
    tried: ways.length,
    broken,
    note: `off ${spread(all.map(({ offMs }) => offMs))}; back ${spread(all.map(({ backMs }) => backMs))}`,
  }
}

async function wrongClocks({ log }: SoakRun): Promise<Row> {
  const errors = await withPhones(clocks.length, readyLate, async ({ page }, i) => {
    const order = await placeForAMinute(page)
    const found: number[] = []
    for (let n = 0; n < 10; n++) found.push(Math.abs(await countdownErrorMs(page, order)))
    log(`device ${(clocks[i] ?? 0) / minuteMs} min off: at most ${Math.max(...found)} ms`)
    return found
  })
  const all = errors.flat()
  return {
    id: 'S9b',
    what: 'device clock ± 10 min, ± 1 day: countdown within 1 s',
    tried: all.length,
    broken: all.filter((ms) => ms > 1000).length,
    note: `max ${Math.max(...all)} ms`,
  }
}
