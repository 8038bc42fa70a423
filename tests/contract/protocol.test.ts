import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { genesis, linkHash, sha256Hex, verifyChain, type Head, type WireTick } from '../../contract/chain.ts'
import { errorCodes, fieldCodes } from '../../contract/errors.ts'
import { fillOf, wireExitOf } from '../../contract/fills.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import { canonicalJson } from '../../contract/canonicalJson.ts'
import { refundReasons, type Order } from '../../contract/orders.ts'
import { fieldsNotSigned, type SignedField } from '../../contract/receipt.ts'
import { isInBatch, parseSignedReceipt } from '../../contract/signedReceipt.ts'
import { parseVerifierKey, verifyNote } from '../../contract/tlog/note.ts'
import { formatSize, formatUnits, parsePrice } from '../../contract/price.ts'
import { priceUnits, sizeUnits } from '../../contract/units.ts'
import { parseRecording, scheduleRecording, tickAt } from '../../contract/recording.ts'
import type { Route } from '../../contract/route.ts'
import { ownErrors } from '../../contract/routeErrors.ts'
import { routes } from '../../contract/routes.ts'
import { settle, type Gap, type SettleOrder, type SettleSource, type Terms } from '../../contract/settle.ts'
import { decodeDelta, decodeTicks } from '../../contract/tickFrame.ts'
import { clientEvents, memberResources, venueEvents } from '../../contract/socketEvents.ts'
import { errorStatus } from '../../contract/errorStatus.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/protocol.md'), 'utf8')
/** A file of examples that the page links. */
const vectorOf = (name: string): unknown => {
  expect(page).toContain(`(vectors/${name}.json)`)
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../docs/vectors/${name}.json`), 'utf8'))
}

type ReceiptVector = {
  logKey: string
  memberId: string
  receiptSalt: string
  order: Pick<Order, SignedField>
  termsText: string
  head: Head
  receipt: string
}

describe('the vectors of docs/protocol.md', () => {
  type ChainExample = { productId: string; before: Head; ticks: WireTick[]; texts: string[]; after: Head }
  it('hash as stated, for both versions of the chain', () => {
    const examples = vectorOf('chain') as ChainExample[]
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

  it('have a receipt that is signed as stated', async () => {
    const { logKey, memberId, receiptSalt, order, termsText, head, receipt } = vectorOf(
      'receipt',
    ) as ReceiptVector
    const signed = parseSignedReceipt(receipt)!
    expect([signed.batch.size, isInBatch(signed)]).toEqual([3, true])
    expect(await verifyNote(signed.note, parseVerifierKey(logKey)!)).toBe(true)
    const stated = signed.receipt
    expect(fieldsNotSigned(stated, order)).toEqual([])
    expect(canonicalJson(order.terms)).toBe(termsText)
    expect(stated).toMatchObject({ terms: sha256Hex(termsText), head })
    expect(stated.account).toBe(sha256Hex(`uptick-account/v1\n${receiptSalt}\n${memberId}\n`))
  })

  type FrameExample = {
    index: Record<string, number>
    decimals: Record<string, [number, number]>
    frame: number[]
    delta: number[]
    ticks: Record<string, WireTick[]>
  }
  it('decode as stated', () => {
    const { index, decimals, frame, delta, ticks } = vectorOf('frames') as FrameExample
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
    const examples = vectorOf('settle') as SettleExample[]
    expect(examples.map(({ terms }) => terms.rule)).toEqual(['R1', 'R2', 'R2', 'R2', 'R2'])
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
    const { csv, priceDecimals, epoch, periodMs, ticks, ticksWithPeriod, ...settings } = vectorOf(
      'replay',
    ) as ReplayExample
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

/** Members never meet them. */
const ofOffice: ReadonlySet<string> = new Set([
  'FORBIDDEN',
  'CONFLICT',
  'OPEN_FIRST',
  'REFERENCE_USED',
  'FREEZE_PROPOSED',
  'SECOND_PERSON',
  'CLAIMED',
  'CLAIMS_LIMIT',
  'RECORDS_LIMIT',
])

/** What a letter before a call stands for besides a session and a key; the page lists the codes of each. */
const confirmedChanges = [
  'OLD_PASSWORD_WRONG',
  'LOCKED',
  'CHALLENGE_EXPIRED',
  'PASSKEY_INVALID',
  'PASSKEYS_UNAVAILABLE',
]
const confirmedTransactions = [
  'TRANSACTION_PASSWORD_WRONG',
  'TRANSACTION_PASSWORD_LOCKED',
  ...confirmedChanges.slice(2),
]
const codesOfLetter: Readonly<Record<string, readonly string[]>> = {
  P: confirmedChanges,
  T: confirmedTransactions,
}

describe('the lists of docs/protocol.md', () => {
  /** The items of the lists, each as one line. */
  const lines = page
    .replaceAll(/\n {2}(?=\S)/g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('- '))
  const codesIn = (text = ''): string[] => [...text.matchAll(/`([A-Z_]{4,})`/g)].map(([, code = '']) => code)

  it('have calls with their session, their key, their freeze and their own errors', () => {
    const calls = lines.flatMap((line) => {
      const match = /^- (?:([AKFPT]+) )?((?:`[A-Z]+ \/\S+`(?:, )?)+)(?::(.*))?$/.exec(line)
      if (!match) return []
      const [, letters = '', names = '', rest] = match
      const codes = [
        ...codesIn(rest),
        ...Array.from(letters).flatMap((letter) => codesOfLetter[letter] ?? []),
      ]
      const marks = letters.replace(/[PT]/g, '')
      return [...names.matchAll(/`(.+?)`/g)].map(([, name]) => `${name} ${marks} ${codes.toSorted().join()}`)
    })
    const expected = new Set(
      Object.entries(routes as Record<string, Route>).map(([name, route]) => {
        const marks = `${route.member ? 'A' : ''}${route.keyed ? 'K' : ''}${route.unlessFrozen ? 'F' : ''}`
        const own = ownErrors[name as keyof typeof routes].toSorted().join()
        return `${route.method} ${route.path} ${marks} ${own}`
      }),
    )
    expect(calls.filter((call) => !expected.has(call))).toEqual([])
    expect(new Set(calls).size).toBeGreaterThan(15)
  })

  it('name the codes of each letter', () => {
    const [, legend = ''] = /## Calls\n([\s\S]*?)\n- /.exec(page) ?? []
    const named = ['ACCOUNT_FROZEN', ...confirmedChanges, ...confirmedTransactions.slice(0, 2)]
    expect(codesIn(legend)).toEqual(named)
  })

  it('have every error code under its status, and every field code', () => {
    const listed = lines
      .map((line) => /^- ([45]\d\d): (.*)$/.exec(line))
      .flatMap((match) => codesIn(match?.[2]).map((code) => `${match?.[1]} ${code}`))
    const members = errorCodes.filter((code) => !ofOffice.has(code))
    expect(listed.toSorted()).toEqual(members.map((code) => `${errorStatus[code]} ${code}`).toSorted())
    expect(fieldCodes.filter((code) => !page.includes(`\`${code}\``))).toEqual([])
    expect(refundReasons.filter((code) => !page.includes(`- \`${code}\`:`))).toEqual([])
  })

  it('have every event', () => {
    const events = Object.keys({ ...clientEvents, ...venueEvents, ...memberResources })
    for (const event of events) expect(page).toContain(`\`${event}\``)
  })
})
