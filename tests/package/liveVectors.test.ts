import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { verifyProof } from 'uptick'
import { fromBase64, toBase64 } from '../../contract/tlog/base64.ts'
import { logToCompare, verdictOf } from '../../packages/uptick/src/cli/proofVerdict.ts'
import { readProofFile } from '../../src/proof/readProofFile.ts'
import { checkProof } from '../../src/proof/check.ts'
import { proofFile } from '../../src/proof/proofFile.ts'
import { liveProof, quietTicks, type LiveTick } from './liveProof.ts'
import { logKeys, signer } from '../support/sampleLog.ts'
import { receiptOf, signed } from '../support/sampleReceipt.ts'

const { logKey, logWitnesses } = logKeys
type File = ReturnType<typeof fileOf>
const fileOf = (proof = liveProof('R2')) => {
  const heads = [{ ...proof.after!, watermark: 1, seenAt: 1, from: 'feed' as const }]
  return JSON.parse(JSON.stringify(proofFile({ proof, heads, agreed: null, savedAt: 1 }))) as ReturnType<
    typeof proofFile
  > & { log: { checkpoint: string }; order: Record<string, unknown> }
}

/** What the command says, which the app must say too: the step that refutes the file, or null. */
async function stepOf(file: File): Promise<string | null> {
  const verdict = await verifyProof(file, [], logKeys)
  const read = readProofFile(file)
  if (!read.ok) throw new Error('not a proof file')
  const report = await checkProof(read.proof, { ...read.evidence, logKeys }, async () => undefined)
  expect(report.ok).toBe(verdict.kind === 'holds')
  return verdict.kind === 'refuted' ? verdict.step : null
}

const compare = (file: File) =>
  verdictOf(file, { heads: [], log: logToCompare(logKey, logWitnesses, null), against: [] })

describe('a proof of a live source without a tick after its entry', () => {
  it.each(['R1', 'R2'] as const)('holds by %s: ONE_TICK, with six elements in each tick', async (rule) => {
    const file = fileOf(liveProof(rule))
    expect(await stepOf(file)).toBeNull()
    expect(file.chain.version).toBe(2)
    expect(await compare(file)).toMatchObject({
      kind: 'holds',
      rule,
      headsMet: 1,
      logged: { witnesses: ['w.test'] },
    })
  })

  it.each<[string, number, string | number]>([
    ['the size', 3, '2.26'],
    ['the exchange’s id', 4, 't44'],
    ['the exchange’s instant', 5, 1_000_881],
  ])('is refuted by the chain if %s of a tick is changed', async (_name, at, value) => {
    for (const n of [0, 3, 4]) {
      const file = fileOf()
      Object.assign(file.ticks[n]!, { [at]: value })
      expect(await stepOf(file)).toBe('chain')
    }
  })

  it('is refuted by the chain if a tick is left with four elements', async () => {
    const short = fileOf()
    Object.assign(short.ticks, { 3: short.ticks[3]!.slice(0, 4) })
    expect(await stepOf(short)).toBe('chain')
  })

  it.each<[string, string, Record<string, unknown>]>([
    ['another reason', 'result', { reason: 'STALE_EXIT' }],
    ['a result', 'result', { status: 'won', reason: null }],
    ['no refund of the stake', 'payout', { payout: '0.00', pnl: '-10.00' }],
    ['an exit', 'exit', { exit: { value: '10.030', ticks: 1, from: 4, to: 4 } }],
  ])('is refuted if the order claims %s', async (_name, step, change) => {
    const file = fileOf()
    Object.assign(file.order, change)
    expect(await stepOf(file)).toBe(step)
  })

  it('has another result once there is a tick up to the close', async () => {
    const later: LiveTick = [5, 1_029_000, '10.09', '1', 't5', 1_028_990]
    expect(await stepOf(fileOf(liveProof('R2', [...quietTicks.slice(0, 4), later])))).not.toBeNull()
    expect(await stepOf(fileOf(liveProof('R1', [...quietTicks.slice(0, 4), later])))).not.toBeNull()
  })
})

describe('a cosignature in a proof file', () => {
  /** The file with the signature line of the witness, or of the log, changed. */
  const withLine = (change: (line: string) => string): File => {
    const file = fileOf()
    const lines = file.log.checkpoint.trimEnd().split('\n')
    file.log.checkpoint = [...lines.slice(0, -1), change(lines.at(-1)!), ''].join('\n')
    return file
  }
  const withByte = (at: number): File =>
    withLine((line) => {
      const [dash, name, text] = line.split(' ')
      const bytes = fromBase64(text!)!
      bytes[at]! ^= 1
      return [dash, name, toBase64(bytes)].join(' ')
    })
  const missing = { kind: 'refuted', step: 'log', found: { why: 'w.test has not cosigned it' } }

  it('counts only as the witness has signed it: its time, its signature, its key', async () => {
    // Four bytes of the key's id, eight of the time, 64 of the signature.
    for (const at of [0, 3, 4, 11, 12, 75])
      expect(await compare(withByte(at)), `byte ${at}`).toMatchObject(missing)
    expect(await compare(withLine((line) => line.replace('w.test', 'x.test')))).toMatchObject(missing)
    expect(await stepOf(withByte(12))).toBeNull()
  })

  it('is of a text that the log signed: one without the log’s signature, or of another log, is refuted', async () => {
    const file = fileOf()
    const [text, lines] = file.log.checkpoint.split('\n\n')
    file.log.checkpoint = `${text}\n\n${lines!.split('\n').slice(1).join('\n')}`
    expect(await compare(file)).toMatchObject({ kind: 'refuted', step: 'log' })
    const another = logToCompare(signer.verifierKey('another.test/log'), logWitnesses, null)
    expect(await verdictOf(fileOf(), { heads: [], log: another, against: [] })).toMatchObject({
      kind: 'refuted',
      step: 'log',
    })
  })

  it('may stand beside those of unknown witnesses, and twice', async () => {
    expect(await compare(withLine((line) => `${line}\n${line.replace('w.test', 'x.test')}`))).toMatchObject({
      kind: 'holds',
    })
    expect(await compare(withLine((line) => `${line}\n${line}`))).toMatchObject({ kind: 'holds' })
  })
})

it('docs/vectors/one-tick-live.json is such a file', async () => {
  const vector = JSON.parse(readFileSync('docs/vectors/one-tick-live.json', 'utf8')) as object
  const proof = liveProof('R2')
  const receipt = signed({ ...receiptOf(proof.order), head: proof.before! })
  const file = { ...fileOf(), receipt }
  expect(vector).toEqual({ logKey, logWitness: logWitnesses[0], file })
  expect(await compare(file)).toMatchObject({ kind: 'holds', signed: { by: 'venue', from: 'given' } })
})
