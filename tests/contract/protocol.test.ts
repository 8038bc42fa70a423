import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { genesis, linkHash, sha256Hex, verifyChain } from '../../contract/chain.ts'
import type { Head, WireTick } from '../../contract/chain.ts'
import { errorCodes, fieldCodes } from '../../contract/errors.ts'
import { fillOf, wireExitOf } from '../../contract/fills.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import { refundReasons } from '../../contract/orders.ts'
import { formatSize, formatUnits, parsePrice } from '../../contract/price.ts'
import { priceUnits, sizeUnits } from '../../contract/brand.ts'
import { parseRecording, scheduleRecording, tickAt } from '../../contract/recording.ts'
import type { Route } from '../../contract/route.ts'
import { ownErrors } from '../../contract/routeErrors.ts'
import { routes } from '../../contract/routes.ts'
import { settle } from '../../contract/settle.ts'
import type { Gap, SettleOrder, SettleSource, Terms } from '../../contract/settle.ts'
import { decodeDelta, decodeTicks } from '../../contract/tickFrame.ts'
import { clientEvents, memberResources, venueEvents } from '../../contract/socketEvents.ts'
import { errorStatus } from '../../server/http/errorStatus.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/protocol.md'), 'utf8')
/** The page's examples of one kind: blocks of JSON that are named after the language. */
const examplesOf = <T>(kind: string): T[] =>
  [...page.matchAll(/^```json (\w+)\n([^`]*)```/gm)]
    .filter(([, name]) => name === kind)
    .map(([, , text = '']) => JSON.parse(text) as T)

describe('the examples of docs/protocol.md', () => {
  type ChainExample = { productId: string; before: Head; ticks: WireTick[]; texts: string[]; after: Head }
  it('hash as stated, for both versions of the chain', () => {
    const examples = examplesOf<ChainExample>('chain')
    expect(examples.map(({ ticks }) => ticks[0]!.length)).toEqual([4, 6])
    for (const { productId, before, ticks, texts, after } of examples) {
      expect(before).toEqual(genesis(productId))
      let { hash } = before
      for (const [i, tick] of ticks.entries()) {
        expect(texts[i]).toBe([hash, productId, ...tick].join('|'))
        expect(sha256Hex(texts[i]!)).toBe(linkHash(hash, productId, tick))
        hash = sha256Hex(texts[i]!)
      }
      expect(verifyChain(productId, before, ticks, after)).toMatchObject({ ok: true, head: after })
    }
  })

  type FrameExample = {
    index: Record<string, number>
    decimals: Record<string, [number, number]>
    frame: number[]
    delta: number[]
    ticks: Record<string, WireTick[]>
  }
  it('decode as stated', () => {
    const [example] = examplesOf<FrameExample>('frame')
    const { index, decimals, frame, delta, ticks } = example!
    const { at, blocks } = decodeTicks(frame)!
    expect(decodeDelta(delta)).toEqual({ at, blocks })
    expect(at).toBe(frame[0])
    const decoded = Object.keys(index).map((id) => {
      const { seq0, values } = blocks.find(({ ix }) => ix === index[id])!
      const [price, size] = decimals[id]!
      const rows = Array.from({ length: values.length / 3 }, (_, i) => {
        const [instant, units, sized] = values.slice(i * 3) as [number, number, number]
        return [seq0 + i, instant, formatUnits(units, price), formatSize(sizeUnits(sized), size)]
      })
      return [id, rows]
    })
    expect(Object.fromEntries(decoded)).toEqual(ticks)
  })

  type SettleExample = {
    terms: Terms
    order: Omit<SettleOrder, 'amount'> & { amount: string }
    ticks: WireTick[]
    gaps: Gap[]
    sources: SettleSource[]
    result: object
  }
  it('settle as stated, by both rules', () => {
    const examples = examplesOf<SettleExample>('settle')
    expect(examples.map(({ terms }) => terms.rule)).toEqual(['R1', 'R2'])
    for (const { terms, order, ticks, gaps, sources, result } of examples) {
      const { priceDecimals: decimals } = terms
      const settled = settle(
        terms,
        { ...order, amount: moneyOf(order.amount) },
        ticks.map(([seq, at, price]) => ({ seq, at, price: priceUnits(parsePrice(price, decimals)!) })),
        gaps,
        sources,
      )
      expect({
        status: settled.status,
        reason: settled.reason,
        entry: settled.entry && fillOf(settled.entry, decimals),
        exit: settled.exit && wireExitOf(settled.exit, decimals),
        payout: formatMoney(settled.payout),
        pnl: formatMoney(settled.pnl),
      }).toEqual(result)
    }
  })

  type ReplayExample = {
    csv: string[]
    priceDecimals: number
    pauseMs: number
    closedPauseMs: number
    periodMs: number
    epoch: number
    ticks: unknown[]
    ticksWithPeriod: unknown[]
  }
  it('replay as stated, with and without a period', () => {
    const [example] = examplesOf<ReplayExample>('replay')
    const { csv, priceDecimals, epoch, periodMs, ticks, ticksWithPeriod, ...settings } = example!
    const replayed = (period: { periodMs?: number }): unknown[] => {
      const recording = parseRecording(csv.join('\n'), priceDecimals, 0)
      const schedule = scheduleRecording(recording, { ...settings, ...period })
      return ticks.map((_, n) => {
        const { at, price } = tickAt(schedule, epoch, n)
        return [n, at, formatUnits(price, priceDecimals)]
      })
    }
    expect(replayed({})).toEqual(ticks)
    expect(replayed({ periodMs })).toEqual(ticksWithPeriod)
  })
})

describe('the tables of docs/protocol.md', () => {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  const codesIn = (text = ''): string[] => [...text.matchAll(/`([A-Z_]{4,})`/g)].map(([, code = '']) => code)

  it('have every call once, with its session, its key and its own errors', () => {
    const calls = rows.flatMap(([, name = '', , errors]) => {
      const match = /^(GET|POST|PUT|PATCH|DELETE) (\S+)( \(A(, K)?\))?$/.exec(name)
      return match ? [`${match[1]} ${match[2]} ${match[3] ?? ''} ${codesIn(errors).toSorted().join()}`] : []
    })
    const expected = Object.entries(routes as Record<string, Route>).map(([name, route]) => {
      const marks = route.keyed ? ' (A, K)' : route.member ? ' (A)' : ''
      const own = ownErrors[name as keyof typeof routes].toSorted().join()
      return `${route.method} ${route.path} ${marks} ${own}`
    })
    expect(calls.toSorted()).toEqual(expected.toSorted())
  })

  it('have every error code under its status, and every field code', () => {
    const listed = rows
      .filter(([, status = '']) => /^[45]\d\d$/.test(status))
      .flatMap(([, status, codes]) => codesIn(codes).map((code) => `${status} ${code}`))
    const members = errorCodes.filter(
      (code) => !['FORBIDDEN', 'CONFLICT', 'SECOND_PERSON', 'CLAIMED'].includes(code),
    )
    expect(listed.toSorted()).toEqual(members.map((code) => `${errorStatus[code]} ${code}`).toSorted())
    expect(fieldCodes.filter((code) => !page.includes(`\`${code}\``))).toEqual([])
    expect(refundReasons.filter((code) => !page.includes(`- \`${code}\`:`))).toEqual([])
  })

  it('have every event', () => {
    const events = Object.keys({ ...clientEvents, ...venueEvents, ...memberResources })
    for (const event of events) expect(page).toContain(`\`${event}\``)
  })
})
