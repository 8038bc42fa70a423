import { spawn, type ChildProcess } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { systemClock } from '../../server/platform/clock.ts'
import type { LiveFeed } from '../../server/market/feed/feed.ts'
import { exchangeNames, Exchanges, type ExchangeName } from '../../server/market/feed/live/exchanges.ts'
import { systemRandom } from '../../server/platform/random.ts'
import { sampleSymbols, speeches } from '../support/exchange/speech.ts'
import type { Row } from './row.ts'

const main = new URL('../support/exchange/main.ts', import.meta.url).pathname
/** Trades come in bursts, so that their cost is measured and not that of waiting for them. */
const burst = 5000
const burstsAtMs = [7000, 9000, 11_000, 13_000]
const [calmFromMs, fromMs, endMs] = [3000, 6900, 15_000]
const readEveryMs = 50
/** A quote needs an instant of its own, so there are no bursts of them. */
const quotesPerSecond = 200

type Result = {
  count: number
  microseconds: number
  lost: number
  /** The longest pauses of the event loop, with and without bursts: a busy machine makes some of its own. */
  longestMs: number
  calmMs: number
  megabytes: number
}

/**
 * P12: a live feed over the network, read as the tick log reads it, from an exchange of ours in another process: processor
 * time of this process for a trade (on both lines, with the socket), memory, and what 5,000 trades at once do.
 */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  const limited = (what: string, value: number, unit: string, limit: number): void =>
    void rows.push({ id: 'P12', what, value, unit, limit: `≤ ${limit}`, ok: value <= limit })
  for (const name of exchangeNames) {
    const { count, microseconds, lost, longestMs, calmMs, megabytes } = await measure(name)
    limited(`${name}: memory`, megabytes, 'MB', 5)
    if (!speeches[name].isNumbered) {
      rows.push({ id: 'P12', what: `${name}: a quote, one at a time`, value: microseconds, unit: 'µs' })
      continue
    }
    if (count < burst) throw new Error(`only ${count} trades arrived`)
    limited(`${name}: processor time of a trade on both lines`, microseconds, 'µs', 40)
    limited(`${name}: lost with ${burst} trades at once`, lost, '', 0)
    limited(`${name}: longest pause of the event loop then`, longestMs, 'ms', 50)
    rows.push({ id: 'P12', what: `${name}: longest pause before that`, value: calmMs, unit: 'ms' })
  }
  return rows
}

async function measure(name: ExchangeName): Promise<Result> {
  const { isNumbered } = speeches[name]
  const rate = isNumbered ? 2 : quotesPerSecond
  const faults = isNumbered ? burstsAtMs.map((at) => `burst@${at}msx${burst}`).join(',') : ''
  const options = ['--protocol', name, '--port', '0', '--rate', String(rate), '--faults', faults]
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await addressOf(child)
    const startedAt = performance.now()
    const until = (ms: number): Promise<void> => pause(startedAt + ms - performance.now())
    const feed = openFeed(name, url)
    let [count, first, last] = [0, 0, 0]
    const reader = setInterval(() => {
      const { ticks, coveredUntil } = feed.read(Date.now())
      count += ticks.length
      if (first === 0) first = Number(ticks[0]?.sourceId ?? 0)
      last = Number(ticks.at(-1)?.sourceId ?? last)
      feed.committed(coveredUntil)
    }, readEveryMs)
    const before = heapMb()
    await feed.start()
    const calm = monitorEventLoopDelay({ resolution: 1 })
    await until(calmFromMs)
    calm.enable()
    await until(fromMs)
    calm.disable()
    const [cpu, countBefore] = [process.cpuUsage(), count]
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    await until(endMs)
    delay.disable()
    const used = process.cpuUsage(cpu)
    const megabytes = heapMb() - before
    clearInterval(reader)
    await feed.close()
    const microseconds = (used.user + used.system) / (count - countBefore)
    return {
      count,
      microseconds,
      lost: last - first + 1 - count,
      longestMs: delay.max / 1e6,
      calmMs: calm.max / 1e6,
      megabytes,
    }
  } finally {
    child.kill()
  }
}

function openFeed(name: ExchangeName, url: string): LiveFeed {
  const product = { id: 'P', exchange: name, symbol: sampleSymbols[name], priceDecimals: 2, sizeDecimals: 5 }
  const hours = { open: true, opensAt: null, closesAt: null }
  return new Exchanges({ urls: { [name]: url }, oandaToken: 't', oandaAccount: '1' })
    .source({ ...product, tradingHoursAt: () => hours })
    .open({ clock: systemClock(), random: systemRandom, logLine: () => undefined })
}

function addressOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    // It stays open: the exchange goes on writing.
    stdout?.on('data', (data: Buffer) => {
      output += data.toString()
      const url = /"(\w+:\/\/[^"]+)"/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
    stdout?.on('end', () => reject(new Error(`the exchange ended: ${output}`)))
  })
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heapMb(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1024 / 1024
}
