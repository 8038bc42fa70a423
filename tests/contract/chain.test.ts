import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { genesis, linkHash, sha256Hex, verifyChain, type WireTick } from '../../contract/chain.ts'
import { fc } from '../support/fastCheck.ts'

const nodeSha = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
const ticks: WireTick[] = [
  [1, 1000, '1.14278', '1'],
  [2, 1000, '1.14279', '0'],
  [3, 1500, '1.14270', '2.5'],
]

it('sha256Hex hashes like node:crypto', () => {
  fc.assert(fc.property(fc.string(), (text) => sha256Hex(text) === nodeSha(text)))
})

it('links a hash as the contract says', () => {
  const h0 = nodeSha('EURUSD')
  const h1 = nodeSha(`${h0}|EURUSD|1|1000|1.14278|1`)
  expect(genesis('EURUSD')).toEqual({ seq: 0, hash: h0 })
  expect(linkHash(h0, 'EURUSD', ticks[0]!)).toBe(h1)
})

it('verifyChain returns the head of an unchanged run', () => {
  const verified = verifyChain('EURUSD', genesis('EURUSD'), ticks)
  expect(verified).toMatchObject({ ok: true, hashes: 3, head: { seq: 3 } })
  if (verified.ok) expect(verifyChain('EURUSD', genesis('EURUSD'), ticks, verified.head)).toEqual(verified)
})

it('verifyChain detects every changed field, and missing or duplicate ticks', () => {
  const verified = verifyChain('EURUSD', genesis('EURUSD'), ticks)
  if (!verified.ok) throw new Error('the unchanged run must pass')
  const changes: WireTick[][] = [
    ticks.filter((tick) => tick[0] !== 2),
    [ticks[0]!, ticks[0]!, ticks[1]!, ticks[2]!],
    [ticks[1]!, ticks[0]!, ticks[2]!],
    ...ticks.flatMap((tick, i) =>
      (
        [
          [tick[0], tick[1] + 1, tick[2], tick[3]],
          [tick[0], tick[1], `${tick[2]}1`, tick[3]],
          [tick[0], tick[1], tick[2], `${tick[3]}1`],
        ] as WireTick[]
      ).map((changed) => ticks.with(i, changed)),
    ),
  ]
  for (const changed of changes) {
    expect(verifyChain('EURUSD', genesis('EURUSD'), changed, verified.head).ok).toBe(false)
  }
  expect(verifyChain('EURUSE', genesis('EURUSE'), ticks, verified.head)).toMatchObject({
    ok: false,
    why: 'hash',
  })
})

describe('a tick of a live source', () => {
  const live = [
    [1, 1000, '1.10', '5', '8123', 950],
    [2, 1000, '1.11', '0', 'b5e0|x', 951],
  ] as const satisfies WireTick[]

  it('is hashed with the id and the instant of its source', () => {
    const { hash } = genesis('EURUSD')
    expect(linkHash(hash, 'EURUSD', live[0])).toBe(sha256Hex(`${hash}|EURUSD|1|1000|1.10|5|8123|950`))
  })

  it('follows and precedes ticks without them in one chain, and no field can be changed or left out', () => {
    const [first, second] = live
    const computed: WireTick = [3, 1200, '1.12', '1']
    const log: WireTick[] = [first, second, computed]
    const verified = verifyChain('EURUSD', genesis('EURUSD'), log)
    if (!verified.ok) throw new Error('an unchanged run is not verified')
    const isSame = (changed: WireTick[]): boolean =>
      verifyChain('EURUSD', genesis('EURUSD'), changed, verified.head).ok
    expect(isSame(log)).toBe(true)
    expect(isSame([[1, 1000, '1.10', '5', '8124', 950], second, computed])).toBe(false)
    expect(isSame([[1, 1000, '1.10', '5', '8123', 949], second, computed])).toBe(false)
    expect(isSame([[1, 1000, '1.10', '5'], second, computed])).toBe(false)
    expect(isSame([first, [2, 1000, '1.11', '0', 'b5e0', 951], computed])).toBe(false)
    expect(isSame([first, second, [3, 1200, '1.12', '1', '1', 1]])).toBe(false)
  })
})
