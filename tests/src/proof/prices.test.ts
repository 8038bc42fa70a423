import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { CompleteProof } from '../../../src/proof/completeProof.ts'
import { checkPrices } from '../../../src/proof/prices.ts'
import { acceptedAt, closeAt, sampleProof } from '../../support/sampleProof.ts'
import { expectedReplay } from '../../support/blackBoxClient.ts'

const folder = mkdtempSync(join(tmpdir(), 'prices-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [pauseMs, closedPauseMs] = [600_000, 60_000]
/** Two sessions a day apart, with some ticks at the same instant. */
const rows = Array.from({ length: 300 }, (_, i) => {
  const at = i * 250 - (i % 5 === 0 ? 250 : 0) + (i < 150 ? 250 : 86_400_000)
  return `${1_600_000_000_000 + at},${(100 + ((i * 37) % 23) / 10).toFixed(3)},1,,`
})
const csv = `ts_ms,price,size,bid,ask\n${rows.join('\n')}\n`
const zipped = gzipSync(csv)
const file = join(folder, 'tape.csv.gz')
writeFileSync(file, zipped)
const sha256 = createHash('sha256').update(zipped).digest('hex')
const fingerprint = `replay:${sha256}:${pauseMs}:${closedPauseMs}`

/** The ticks from an instant on, by an independently written oracle; the epoch decides which pass they are in. */
function servedTicks(epoch: number, from: number, until: number, periodMs?: number): CompleteProof['ticks'] {
  const replay = expectedReplay(file, 2, pauseMs, periodMs === undefined ? closedPauseMs : 0, periodMs)
  const ticks: CompleteProof['ticks'] = []
  for (let n = 0, at = epoch; at <= until; n++) {
    const [instant, price, size] = replay.tick(epoch, n)
    at = instant
    if (at >= from && at <= until) ticks.push([ticks.length + 1, at, price, size])
  }
  return ticks
}

function proofOf(epoch: number, part: Partial<CompleteProof> = {}): CompleteProof {
  const proof = sampleProof()
  const ticks = servedTicks(epoch, acceptedAt - 1000, closeAt + 1000)
  const terms = { ...proof.order.terms, source: fingerprint }
  const sources = [{ sinceAt: 0, fingerprint, epoch, text: 'tape' }]
  return { ...proof, order: { ...proof.order, terms }, ticks, source: fingerprint, sources, ...part }
}
const epochs = [acceptedAt - 1000, acceptedAt - 40_000, acceptedAt - 150_000, acceptedAt - 250_000]
const inside = (proof: CompleteProof) => proof.ticks.filter(([, at]) => at > acceptedAt && at <= closeAt)

describe('checkPrices', () => {
  it.each(epochs)('accepts prices equal to the recording, in every pass (epoch %i)', (epoch) => {
    const proof = proofOf(epoch)
    expect(checkPrices(proof, zipped, csv)).toEqual({ ok: true, count: inside(proof).length })
  })

  it('reports a changed, added or missing tick', () => {
    const proof = proofOf(epochs[0]!)
    const [seq, at, price, size] = inside(proof)[20]!
    const changed = proof.ticks.map((tick) =>
      tick[0] === seq ? [seq, at, `${price}9`.slice(1), size] : tick,
    )
    expect(checkPrices({ ...proof, ticks: changed as CompleteProof['ticks'] }, zipped, csv)).toEqual({
      ok: false,
      why: 'tick',
      seq,
    })
    const without = proof.ticks.filter((tick) => tick[0] !== seq)
    expect(checkPrices({ ...proof, ticks: without }, zipped, csv)).toMatchObject({ ok: false, why: 'tick' })
    const cut = proof.ticks.filter((tick) => tick[0] < seq)
    expect(checkPrices({ ...proof, ticks: cut }, zipped, csv)).toEqual({ ok: false, why: 'missing', at })
    const last = inside(proof).at(-1)!
    const more = proof.ticks.flatMap((tick) => (tick[0] === last[0] ? [tick, tick] : [tick]))
    expect(checkPrices({ ...proof, ticks: more }, zipped, csv)).toMatchObject({ ok: false, why: 'tick' })
  })

  it('expects no ticks in a gap, and none of another source', () => {
    const [from, to] = [acceptedAt + 5000, acceptedAt + 9000]
    const whole = proofOf(epochs[0]!)
    const ticks = whole.ticks.filter(([, at]) => at <= from || at > to)
    const gapped = { ...whole, ticks, gaps: [{ from, to }] }
    expect(checkPrices(gapped, zipped, csv)).toEqual({ ok: true, count: inside(gapped).length })
    const other = { sinceAt: from, fingerprint: 'synthetic:1', epoch: from, text: '' }
    const changed = { ...whole, sources: [...whole.sources, other] }
    const count = whole.ticks.filter(([, at]) => at > acceptedAt && at <= from).length
    expect(checkPrices(changed, zipped, csv)).toEqual({ ok: true, count })
  })

  it('rejects another epoch or another file', () => {
    const proof = proofOf(epochs[0]!)
    const [source] = proof.sources
    const moved = { ...proof, sources: [{ ...source!, epoch: source!.epoch + 250 }] }
    expect(checkPrices(moved, zipped, csv).ok).toBe(false)
    expect(checkPrices(proof, gzipSync(`${csv}1,1,1,,\n`), csv)).toEqual({ ok: false, why: 'file' })
  })

  it.each([0, 1, 2, 3])('accepts the prices of a daily replay, recorded and mirrored (pass %i)', (pass) => {
    const periodMs = 2 * 86_400_000
    const daily = `replay:${sha256}:${pauseMs}:0:${periodMs}`
    const epoch = acceptedAt - 10_000 - pass * periodMs
    const ticks = servedTicks(epoch, acceptedAt - 1000, closeAt + 1000, periodMs)
    const proof = proofOf(epoch, {
      ticks,
      source: daily,
      sources: [{ sinceAt: 0, fingerprint: daily, epoch, text: 'tape' }],
    })
    proof.order.terms.source = daily
    expect(inside(proof).length).toBeGreaterThan(50)
    expect(checkPrices(proof, zipped, csv)).toEqual({ ok: true, count: inside(proof).length })
  })
})
