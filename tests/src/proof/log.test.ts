import { describe, expect, it } from 'vitest'
import type { LogProof } from '../../../contract/orders.ts'
import { toBase64 } from '../../../contract/tlog/base64.ts'
import { nodeHash } from '../../../contract/tlog/merkle.ts'
import { createSigner } from '../../../server/market/publicLog/signer.ts'
import { checkProof } from '../../../src/proof/check.ts'
import type { CompleteProof } from '../../../src/proof/completeProof.ts'
import { collectProof } from '../../../src/proof/collect.ts'
import { cosigned, hashOf, logKeys, logOf, origin, other, signer } from '../../support/sampleLog.ts'
import { closeAt, headAt, log as ticksOfLog, sampleProof } from '../../support/sampleProof.ts'

const check = (proof: CompleteProof, keys: typeof logKeys | undefined = logKeys) =>
  checkProof(proof, { agreed: null, heads: [], logKeys: keys }, () => Promise.resolve())
const checkLog = async (log: LogProof | null, keys?: typeof logKeys) =>
  (await check({ ...sampleProof(), log }, keys ?? logKeys)).log

describe('the public log of a proof', () => {
  it('holds if it is signed and has the head that the ticks lead to', async () => {
    const report = await check({ ...sampleProof(), log: cosigned(logOf()) })
    expect(report).toMatchObject({
      ok: true,
      log: { ok: true, held: true, at: closeAt + 900, index: 1, witnesses: ['w.test'] },
    })
    expect(await checkLog(logOf())).toMatchObject({ held: true, witnesses: [] })
  })

  it('is unchecked without a leaf, without a key, and with the key of another log', async () => {
    expect(await checkLog(null)).toEqual({ ok: true, held: false, why: 'none' })
    const unsigned = { ok: true, held: false, why: 'unsigned' }
    expect(
      (await checkProof({ ...sampleProof(), log: logOf() }, { agreed: null, heads: [] }, async () => {})).log,
    ).toEqual(unsigned)
    expect(await checkLog(logOf(), { ...logKeys, logKey: signer.verifierKey('venue.test/log/2') })).toEqual(
      unsigned,
    )
  })

  const wrong = (why: 'signature' | 'leaf') => ({ ok: false, why })
  it.each([
    [
      'a signature of another key',
      {
        checkpoint: createSigner(new Uint8Array(32)).sign({
          origin,
          size: 2,
          root: nodeHash(other, hashOf(logOf().leaf)),
        }),
      },
      'signature',
    ],
    ['another leaf', { leaf: logOf({ at: closeAt + 901 }).leaf }, 'leaf'],
    ['another number', { index: 0 }, 'leaf'],
    ['another path', { path: [toBase64(hashOf('x'))] }, 'leaf'],
    ['a leaf before the close', logOf({ at: closeAt - 1 }), 'leaf'],
    ['a leaf more than five minutes after the close', logOf({ at: closeAt + 300_001 }), 'leaf'],
    ['a leaf of other products', logOf({ heads: [{ productId: 'B', ...headAt(1) }] }), 'leaf'],
    [
      'a head before the last tick of the order',
      logOf({ heads: [{ productId: 'A', ...headAt(20) }] }),
      'leaf',
    ],
    ['a head after the ticks of the proof', logOf({ heads: [{ productId: 'A', ...headAt(60) }] }), 'leaf'],
  ] as const)('fails with %s', async (_what, change, why) => {
    const log: LogProof = { ...logOf(), ...(change as Partial<LogProof>) }
    // Of another key, the id in the signature is another one too: nobody signed for the log.
    expect(await checkLog(log)).toEqual(wrong(why))
  })

  it('fails on the chain if its head is not that of the ticks', async () => {
    const seq = headAt(ticksOfLog.findIndex(([, at]) => at > closeAt) + 2).seq
    const log = logOf({ heads: [{ productId: 'A', seq, hash: 'ab'.repeat(32) }] })
    const report = await check({ ...sampleProof(), log })
    expect(report).toMatchObject({
      ok: false,
      chain: { ok: false, why: 'hash', seq, expected: 'ab'.repeat(32) },
    })
  })

  it('is reached by the ticks that complete a proof', async () => {
    const whole = sampleProof()
    const head = headAt(58)
    const log = logOf({ heads: [{ productId: 'A', ...head }] })
    const { seams: _, ...first } = { ...whole, log, ticks: whole.ticks.slice(0, 10) }
    const proof = { ...first, after: headAt(first.ticks.at(-1)![0]), more: true }
    const completed = await collectProof(proof, async (_id, afterSeq, limit) => {
      const ticks = ticksOfLog.slice(afterSeq, afterSeq + Math.min(limit, 9))
      return {
        ok: true,
        value: { ticks: ticks as never, before: headAt(afterSeq), complete: ticks.length === 0 },
        at: 0,
      }
    })
    expect(completed.ok && completed.value.ticks.at(-1)![0]).toBe(58)
    expect(completed.ok && (await check(completed.value)).ok).toBe(true)
  })
})
