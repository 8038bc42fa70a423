import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstValueFrom, toArray } from 'rxjs'
import { describe, expect, it, test } from 'vitest'
import { parseRecording } from 'uptick'
import { ticks, toMarbles } from 'uptick/marbles'
import { replayTicks, virtualClock } from 'uptick/replay'
import { market } from 'uptick/vitest'
import { check } from '../../packages/uptick/src/cli/check.ts'
import { convert } from '../../packages/uptick/src/cli/convert.ts'
import { exchange } from '../../packages/uptick/src/cli/exchange.ts'
import { info } from '../../packages/uptick/src/cli/info.ts'
import { record } from '../../packages/uptick/src/cli/record.ts'
import { replay } from '../../packages/uptick/src/cli/replay.ts'
import { verify } from '../../packages/uptick/src/cli/verify.ts'
import { witness } from '../../packages/uptick/src/cli/witness.ts'

// The examples of docs/replay.md, word for word: the last test compares them.

const onDay = test.extend(
  market({ BTCUSD: 'streams/recordings/BTCUSD_PERP_binance_coinm_2024-08-08T2354.csv.gz' }),
)

onDay('a gap makes quotes stale, and ends', async ({ market }) => {
  market.gap('10s', '20s')
  await market.play('16s')
  expect(market.quote()?.stale).toBe(true)
  await market.play('30s')
  expect(market.quote()?.stale).toBe(false)
})

it('replays ticks', () => {
  const clock = virtualClock()
  const seen: number[] = []
  const recording = parseRecording(
    'ts_ms,price,size,bid,ask\n1700000000000,10.00,1,,\n1700000060000,10.01,2,,\n',
    2,
  )
  replayTicks(recording, { scheduler: clock, speed: 20 }).subscribe(({ price }) => seen.push(price))
  clock.advanceTo(3000)
  expect(seen).toEqual([1000, 1001])
})

it('draws ticks', async () => {
  const drawn = await firstValueFrom(ticks('a-b--(ab)|', { a: 100.01, b: 100.02 }).pipe(toArray()))
  expect(toMarbles(drawn)).toEqual({ marbles: 'a-b--(ab)', prices: { a: 100.01, b: 100.02 } })
})

describe('docs/replay.md', () => {
  const root = join(import.meta.dirname, '../..')
  const page = readFileSync(join(root, 'docs/replay.md'), 'utf8')
  const blocks = (language: string): string[] =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text)
  /** Names of imports stand together here, and the formatter breaks lines by their indent. */
  const words = (text: string): string => text.replaceAll(/,(?=\s*\))|\s/g, '')

  it('has the examples above', () => {
    const here = words(readFileSync(import.meta.filename, 'utf8'))
    const code = blocks('ts').map((text) => text.replaceAll(/^import .*\n/gm, ''))
    expect(code).toHaveLength(3)
    for (const text of code) expect(here).toContain(words(text))
  })

  it('has commands and options that exist', () => {
    const commands = [check, convert, exchange, info, record, replay, verify, witness]
    const lines = blocks('sh').flatMap((text) =>
      text.split('\n').filter((line) => line.startsWith('uptick ')),
    )
    const used = new Set(lines.map((line) => line.split(' ')[1]!))
    expect([...used].sort()).toEqual(commands.map(({ name }) => name))
    for (const line of lines) {
      const usage = commands.find(({ name }) => name === line.split(' ')[1])!.usage
      for (const option of line.match(/ --?[a-z]+/g) ?? []) expect(usage).toContain(option.trim())
    }
  })
})
