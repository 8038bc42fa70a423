import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { WireTick } from '../../contract/chain.ts'
import { genesis, linkHash, sha256Hex, verifyChain } from '../../contract/chain.ts'
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
